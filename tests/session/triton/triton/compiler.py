# SPDX-License-Identifier: GPL-3.0-or-later
class ASTSource:
    def __init__(self, fn, signature, constexprs, attrs):
        self.fn, self.signature, self.constants, self.attrs = fn, signature, constexprs, attrs
