# SPDX-License-Identifier: GPL-3.0-or-later
class constexpr:
    pass
