// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: what became of PTX in the machine code.
#pragma once

#include "gpu/base/message.h"

#define MESSAGE_ROOM MachineCodeWords
#define MESSAGE_FILE "gpu/base/messages/machine.inl"
#define MESSAGE_FIRST (1024 * 9)
#include "gpu/base/messages/declare.inl"
