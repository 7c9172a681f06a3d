// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: what is said of a program's launches and calls.
#pragma once

#include "gpu/base/message.h"

#define MESSAGE_ROOM Program
#define MESSAGE_FILE "gpu/base/messages/program.inl"
#define MESSAGE_FIRST (1024 * 1)
#include "gpu/base/messages/declare.inl"
