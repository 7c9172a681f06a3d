// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: what commands, sweeps, exercises and lessons say.
#pragma once

#include "gpu/base/message.h"

#define MESSAGE_ROOM Session
#define MESSAGE_FILE "gpu/base/messages/session.inl"
#define MESSAGE_FIRST (1024 * 6)
#include "gpu/base/messages/declare.inl"
