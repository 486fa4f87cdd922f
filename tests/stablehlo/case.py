"""The list of cases, and how their arguments are drawn."""
import zlib

import numpy as np

CASES = {}
TEXTS = {}


def case(name, function, *arguments, loose=False, donate=(), wide=False):
    """A program of JAX's and its arguments. `loose`: XLA has a formula of its own for it, and the
    HLO road's bits are not asked for. `donate`: arguments whose buffers results take. `wide`: types
    of 64 bits are there."""
    assert name not in CASES, name
    arguments = [a if isinstance(a, dict) else np.asarray(a) for a in arguments]
    wide |= any(a.dtype.name in ("int64", "uint64", "float64")
                for a in arguments
                if not isinstance(a, dict))
    CASES[name] = (function, arguments, loose, donate, wide)


def text_case(name, text, *arguments):
    """A program as it is written in StableHLO."""
    assert name not in CASES and name not in TEXTS, name
    TEXTS[name] = (text, [np.asarray(a) for a in arguments])


def draw(name, shape, type_, low=-2, high=2):
    random = np.random.default_rng(zlib.crc32(name.encode()))
    type_ = np.dtype(type_)
    if type_.kind in "iub":
        return random.integers(low, high, shape).astype(type_)
    return random.uniform(low, high, shape).astype(type_)
