// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: what is said of running on a GPU.
#pragma once

#include "gpu/base/message.h"

#define MESSAGE_ROOM Gpu
#define MESSAGE_FILE "gpu/base/messages/gpu.inl"
#define MESSAGE_FIRST (1024 * 8)
#include "gpu/base/messages/declare.inl"
