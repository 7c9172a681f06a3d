// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: what reading PTX and decoding it says.
#pragma once

#include "gpu/base/message.h"

#define MESSAGE_ROOM Code
#define MESSAGE_FILE "gpu/base/messages/code.inl"
#define MESSAGE_FIRST (1024 * 3)
#include "gpu/base/messages/declare.inl"
