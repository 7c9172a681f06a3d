// SPDX-License-Identifier: GPL-3.0-or-later
// Messages: what is said of launches: their shapes, arguments, tensors and textures.
#pragma once

#include "gpu/base/message.h"

#define MESSAGE_ROOM Launch
#define MESSAGE_FILE "gpu/base/messages/launch.inl"
#define MESSAGE_FIRST (1024 * 4)
#include "gpu/base/messages/declare.inl"
