// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: what the emulator says of a kernel that runs.
#pragma once

#include "gpu/base/message.h"

#define MESSAGE_ROOM Emulator
#define MESSAGE_FILE "gpu/base/messages/emulator.inl"
#define MESSAGE_FIRST (1024 * 2)
#include "gpu/base/messages/declare.inl"
