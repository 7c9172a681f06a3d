// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: what is said of files and of this machine.
#pragma once

#include "gpu/base/message.h"

#define MESSAGE_ROOM Files
#define MESSAGE_FILE "gpu/base/messages/files.inl"
#define MESSAGE_FIRST (1024 * 5)
#include "gpu/base/messages/declare.inl"
