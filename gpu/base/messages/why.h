// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: what a launch's time is spent on.
#pragma once

#include "gpu/base/message.h"

#define MESSAGE_ROOM Why
#define MESSAGE_FILE "gpu/base/messages/why.inl"
#define MESSAGE_FIRST (1024 * 7)
#include "gpu/base/messages/declare.inl"
