# SPDX-License-Identifier: GPL-3.0-or-later
import inspect
from types import SimpleNamespace

from ..language import constexpr


class JITFunction:
    def __init__(self, fn):
        self.fn, self.__name__ = fn, fn.__name__
        self.params = [
            SimpleNamespace(
                name=p.name,
                is_constexpr=p.annotation is constexpr,
                has_default=p.default is not p.empty,
                default=p.default,
            )
            for p in inspect.signature(fn).parameters.values()
        ]
