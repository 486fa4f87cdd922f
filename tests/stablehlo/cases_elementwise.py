"""Operations that compute each element by itself, of many types, and constants."""
import functools

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from case import case, draw

FLOATS = [
    "abs", "ceil", "floor", "sign", "neg", "exp", "expm1", "log", "log1p", "sqrt", "rsqrt", "cbrt",
    "tanh", "logistic", "sin", "cos", "tan", "is_finite", "square", "asin", "acos", "atan", "asinh",
    "acosh", "atanh", "sinh", "cosh", "erf", "erfc", "erf_inv", "lgamma", "digamma", "bessel_i0e",
    "bessel_i1e"
]
ABOVE_ZERO = {"log", "log1p", "sqrt", "rsqrt"}
ABOVE_ONE = {"acosh"}
WITHIN_ONE = {"asin", "acos", "atanh", "erf_inv"}


def domain(name, type_, count=40):
    x = draw(name, (count,), type_, -4, 4)
    if name in ABOVE_ZERO:
        x = abs(x) + x.dtype.type(0.1)
    if name in ABOVE_ONE:
        x = abs(x) + x.dtype.type(1)
    if name in WITHIN_ONE:
        x = x / x.dtype.type(4.1)
    return x


for name in FLOATS:
    case(name, getattr(lax, name), domain(name, np.float32))
for name in [
        "erfc", "erf_inv", "lgamma", "digamma", "bessel_i1e", "asinh", "sinh", "acosh", "tan",
        "atanh"
]:
    case(name + "_f64", getattr(lax, name), domain(name, np.float64))
NARROW = [
    "lgamma", "digamma", "erf_inv", "erfc", "bessel_i1e", "sinh", "cosh", "asin", "asinh", "atanh",
    "acosh", "acos", "atan", "exp", "erf", "tan"
]
for type_ in [ml_dtypes.bfloat16, np.float16]:
    case("functions_" + np.dtype(type_).name,
         lambda *xs: tuple(getattr(lax, name)(x) for name, x in zip(NARROW, xs)),
         *[domain(name, type_, 9) for name in NARROW])

SPECIAL = np.array([
    0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-37, -1e-37, 3e38, 0.5, 2.5, -2.5, 1e10, 170, -0.5
], np.float32)
for name in [
        "lgamma", "digamma", "erf_inv", "erfc", "asinh", "acosh", "atanh", "sinh", "cosh",
        "bessel_i1e", "asin", "acos"
]:
    case(name + "_special", getattr(lax, name), SPECIAL)
case("zeta", lax.zeta,
     abs(draw("zeta", (30, ), np.float32, -3, 3)) + 1, draw("zeta2", (30, ), np.float32, 0.5, 4))
case("polygamma", lax.polygamma, np.float32([0, 1, 2, 3, 1, 0, 2, 1.5]),
     np.float32([0.5, 1.5, 2.5, 4, -0.5, -1.5, 9, 2]))
case("igamma", lax.igamma, draw("a", (12, ), np.float32, 0.5, 3),
     draw("b", (12, ), np.float32, 0.1, 4))
case("nextafter", jnp.nextafter, SPECIAL, np.roll(SPECIAL, 3))
case("nextafter_f64", jnp.nextafter, SPECIAL.astype(np.float64),
     np.roll(SPECIAL, 5).astype(np.float64))

BINARY = ["add", "sub", "mul", "div", "rem", "max", "min"]
INTEGER = [
    "bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right_arithmetic",
    "shift_right_logical"
]
COMPARE = ["eq", "ne", "ge", "gt", "le", "lt"]


def all_of(names):
    return lambda *xs: tuple(getattr(lax, name)(*xs) for name in names)


case("binary_float32", all_of(BINARY + ["pow", "atan2", "nextafter"] + COMPARE),
     draw("x", (4, 5), np.float32, 0.5, 3), draw("y", (4, 5), np.float32, -2, 2))
for type_ in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"]:
    case("binary_" + type_, all_of(BINARY + INTEGER + COMPARE), draw("x", (3, 7), type_, 0, 100),
         draw("y", (3, 7), type_, 1, 7))
    case("unary_" + type_, all_of(["population_count", "clz", "bitwise_not", "sign"]),
         draw(type_, (17, ), type_, 0, 100))
case("compare_bool", all_of(COMPARE), draw("x", (30,), bool, 0, 2), draw("y", (30,), bool, 0, 2))
case("compare_special", all_of(COMPARE), SPECIAL, np.roll(SPECIAL, 3))
case("logic", lambda a, b: ((a & b) | ~b) ^ a, draw("l", (9, ), bool, 0, 2),
     draw("m", (9, ), bool, 0, 2))
case("clamp", lambda x: lax.clamp(np.float32(-1), x, np.float32(1)),
     draw("clamp", (9, ), np.float32, -3, 3))
case("clip_array", lambda lo, x: jnp.clip(x, lo, lo + 1), draw("lo", (9, ), np.float32, -2, 1),
     draw("clamp", (9, ), np.float32, -3, 3))
case("select_scalar", lambda p, a, b: lax.select(p, a, b), np.bool_(True),
     draw("s", (5, ), np.float32), draw("t", (5, ), np.float32))
case("select_n", lambda p, a, b: lax.select_n(p, a, b), draw("p", (5, ), bool, 0, 2),
     draw("s", (5, ), np.float32), draw("t", (5, ), np.float32))
case("select_three", lambda p, a: lax.select_n(p, a, a * 2, a * 3),
     draw("p", (6, ), np.int32, 0, 3), draw("s", (6, ), np.float32))
case("rounding", lambda x:
     (jnp.round(x), lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), jnp.trunc(x)),
     np.float32([0.5, 1.5, 2.5, -0.5, -1.5, 2.4, -2.6, 0]))
case("isinf", lambda x: (jnp.isinf(x), jnp.isnan(x), jnp.isposinf(x), jnp.signbit(x)), SPECIAL)
case("reduce_precision", lambda x: lax.reduce_precision(x, 5, 7), draw("rp", (20,), np.float32))
case("integer_pow", lambda x: x**5 + x**-2, draw("ip", (8,), np.float32, 0.5, 2))

TYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
    "bfloat16", "float32", "float64"
]
for from_ in TYPES:
    case("convert_from_" + from_,
         lambda x: tuple(x.astype(t) for t in TYPES),
         draw(from_, (11, ), from_, 0, 2 if from_ == "bool" else 50),
         wide=True)
SMALL = [
    "float8_e5m2", "float8_e4m3fn", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float8_e4m3fnuz",
    "float8_e4m3", "float8_e3m4", "float4_e2m1fn", "int4", "uint4"
]
for to in SMALL:
    type_ = getattr(jnp, to)
    case("convert_to_" + to,
         lambda x, type_=type_: x.astype(type_).astype(jnp.float32),
         draw(to, (24, ), np.float32, 0, 6))
    case("constant_" + to,
         lambda type_=type_:
         (jnp.array([0, 1, 2, 3, 1.5], jnp.float32).astype(type_).astype(jnp.float32),
          np.array([0, 1, 3, 2], np.float32).astype(type_)))
case(
    "bitcast", lambda x:
    (lax.bitcast_convert_type(x, jnp.int32), lax.bitcast_convert_type(x, jnp.uint8),
     lax.bitcast_convert_type(lax.bitcast_convert_type(x, jnp.int16), jnp.float32)),
    draw("bc", (6, ), np.float32))
case(
    "complex_parts", lambda a, b: (lax.complex(a, b), lax.conj(lax.complex(a, b)),
                                   lax.real(lax.complex(a, b) * 2j), abs(lax.complex(a, b))),
    draw("re", (7, ), np.float32), draw("im", (7, ), np.float32))
for name in ["tanh", "sin", "cos", "rsqrt", "sign", "log1p", "expm1", "logistic"]:
    case(name + "_c64", getattr(lax, name),
         (draw(name, (9, ), np.float32) + 1j * draw("i" + name,
                                                    (9, ), np.float32)).astype(np.complex64))
for name in [
        "exp", "log", "sqrt", "asin", "acos", "atan", "asinh", "acosh", "atanh", "sinh", "cosh"
]:
    case(name + "_c64",
         getattr(lax, name),
         (draw(name, (9, ), np.float32) + 1j * draw("i" + name,
                                                    (9, ), np.float32)).astype(np.complex64),
         loose=True)
case(
    "accuracy", lambda x: (lax.exp(x, accuracy=lax.AccuracyMode.HIGHEST),
                           lax.tanh(x, accuracy=lax.Tolerance(atol=1e-4, rtol=0, ulps=2))),
    draw("acc", (5, ), np.float32))


# --- constants, as they are printed in all ways ---
def constants():
    lists = [
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45], np.float32),
        np.array([[True], [False]]),
        np.array(3, np.int8),
        np.array([1 + 2j, -3], np.complex64),
        np.zeros((0, 3), np.float32),
        np.array([2**63, 2**64 - 1], np.uint64),
        np.array([-2**63], np.int64),
        np.float16([0.1, np.nan])
    ]
    long = [
        np.arange(200, dtype=np.float32), (np.arange(150) % 3 == 0),
        np.arange(130).astype(np.int64) - 60, (np.arange(120) * 1j).astype(np.complex64),
        (np.arange(140) % 16 - 8).astype(jnp.int4),
        np.arange(120).astype(np.float16),
        np.full((120, ), 7, np.int32)
    ]
    return tuple(jnp.asarray(x) for x in lists + long)


case("constants", constants, wide=True)
case(
    "splats", lambda x: x + np.full((4, 5), 2.5, np.float32) * np.float32(np.inf) - np.zeros(
        (4, 5), np.float32), draw("s", (4, 5), np.float32))
