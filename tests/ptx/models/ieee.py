# SPDX-License-Identifier: GPL-3.0-or-later
"""Binary floating point by fractions: values of bits, and the bits nearest to a fraction, in every rounding."""
import math
from fractions import Fraction

NAN = "nan"
# name: bits of the fraction, bits of the exponent
FORMATS = {"f16": (10, 5), "bf16": (7, 8), "f32": (23, 8), "f64": (52, 11)}


class Format:
    def __init__(self, name):
        self.name = name
        self.fraction, self.exponent = FORMATS[name]
        self.width = 1 + self.fraction + self.exponent
        self.sign = 1 << (self.width - 1)
        self.bias = (1 << (self.exponent - 1)) - 1
        self.infinity = ((1 << self.exponent) - 1) << self.fraction
        self.nan = self.infinity | 1 << (self.fraction - 1)
        self.least = 1 - self.bias - self.fraction  # the exponent of the smallest subnormal
        self.tiny = Fraction(2) ** (1 - self.bias)  # the smallest normal number
        self.largest = self.infinity - 1

    def is_nan(self, bits):
        return bits & (self.sign - 1) > self.infinity

    def is_infinite(self, bits):
        return bits & (self.sign - 1) == self.infinity

    def is_zero(self, bits):
        return bits & (self.sign - 1) == 0

    def is_subnormal(self, bits):
        return 0 < bits & (self.sign - 1) < 1 << self.fraction

    def is_negative(self, bits):
        return bool(bits & self.sign)

    def value(self, bits):
        """A fraction; of finite numbers."""
        assert not self.is_nan(bits) and not self.is_infinite(bits)
        e = bits >> self.fraction & ((1 << self.exponent) - 1)
        m = bits & ((1 << self.fraction) - 1)
        v = Fraction(m) * Fraction(2) ** self.least if e == 0 else \
            Fraction(m | 1 << self.fraction) * Fraction(2) ** (e - self.bias - self.fraction)
        return -v if bits & self.sign else v

    def flushed(self, bits):
        return bits & self.sign if self.is_subnormal(bits) else bits

    def round(self, value, mode="rn", zero_sign=False):
        """The bits of a fraction. zero_sign: whether an exact zero is negative."""
        value = Fraction(value)
        if value == 0:
            return self.sign if zero_sign else 0
        negative, size = value < 0, abs(value)
        sign = self.sign if negative else 0
        e = size.numerator.bit_length() - size.denominator.bit_length()
        if Fraction(2) ** e > size:
            e -= 1
        e = max(e, 1 - self.bias)
        unit = Fraction(2) ** (e - self.fraction)
        whole = size // unit
        rest = size / unit - whole
        up = {"rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1),
              "rz": False, "rm": negative and rest > 0, "rp": not negative and rest > 0,
              "rna": rest >= Fraction(1, 2)}[mode]
        whole += 1 if up else 0
        if whole >> (self.fraction + 1):
            whole >>= 1
            e += 1
        if e > self.bias:
            away = mode in ("rn", "rna") or (mode == "rm" and negative) or (mode == "rp" and not negative)
            return sign | (self.infinity if away else self.largest)
        if not whole >> self.fraction:
            return sign | whole  # subnormal
        return sign | (e + self.bias) << self.fraction | (whole & ((1 << self.fraction) - 1))

    def root(self, bits, mode):
        """The square root of a positive finite number: from one more bit than is kept, and whether anything is left."""
        value = self.value(bits)
        shift = 4 * (self.fraction + self.bias)
        scaled = value.numerator * (1 << 2 * shift) // value.denominator
        whole = math.isqrt(scaled)
        exact = whole * whole == scaled and value.numerator * (1 << 2 * shift) % value.denominator == 0
        return self.round(Fraction(2 * whole + (0 if exact else 1), 1 << (shift + 1)), mode)


F16, BF16, F32, F64 = (Format(name) for name in ("f16", "bf16", "f32", "f64"))
OF = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}


def add(f, a, b, mode):
    if f.is_nan(a) or f.is_nan(b):
        return f.nan
    if f.is_infinite(a) or f.is_infinite(b):
        if f.is_infinite(a) and f.is_infinite(b) and a != b:
            return f.nan
        return a if f.is_infinite(a) else b
    total = f.value(a) + f.value(b)
    both = f.is_zero(a) and f.is_zero(b) and f.is_negative(a) == f.is_negative(b)
    return f.round(total, mode, f.is_negative(a) if both else mode == "rm")


def negated(f, a):
    return a ^ f.sign


def multiply(f, a, b, mode):
    sign = (a ^ b) & f.sign
    if f.is_nan(a) or f.is_nan(b):
        return f.nan
    if f.is_infinite(a) or f.is_infinite(b):
        return f.nan if f.is_zero(a) or f.is_zero(b) else sign | f.infinity
    return f.round(f.value(a) * f.value(b), mode, bool(sign))


def fused(f, a, b, c, mode):
    if f.is_nan(a) or f.is_nan(b) or f.is_nan(c):
        return f.nan
    sign = (a ^ b) & f.sign
    if f.is_infinite(a) or f.is_infinite(b):
        if f.is_zero(a) or f.is_zero(b):
            return f.nan
        return f.nan if f.is_infinite(c) and (c & f.sign) != sign else sign | f.infinity
    if f.is_infinite(c):
        return c
    product = f.value(a) * f.value(b)
    total = product + f.value(c)
    both = product == 0 and f.is_zero(c) and sign == (c & f.sign)
    return f.round(total, mode, bool(sign) if both else mode == "rm")


def divide(f, a, b, mode):
    sign = (a ^ b) & f.sign
    if f.is_nan(a) or f.is_nan(b):
        return f.nan
    if f.is_infinite(a):
        return f.nan if f.is_infinite(b) else sign | f.infinity
    if f.is_infinite(b):
        return sign
    if f.is_zero(b):
        return f.nan if f.is_zero(a) else sign | f.infinity
    return f.round(f.value(a) / f.value(b), mode, bool(sign))


def root(f, a, mode):
    if f.is_nan(a) or (f.is_negative(a) and not f.is_zero(a)):
        return f.nan
    if f.is_zero(a) or f.is_infinite(a):
        return a
    return f.root(a, mode)
