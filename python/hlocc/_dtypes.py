"""HLO's element types as NumPy's; those that NumPy lacks are of the package ml_dtypes, which comes
with JAX."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ._errors import HloccError

if TYPE_CHECKING:
    import numpy as np

_NUMPY = {
    "pred": "bool", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
    "c128": "complex128", **{f"s{bits}": f"int{bits}"
                             for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}"
       for bits in (8, 16, 32, 64)}
}
_ML_DTYPES = {
    "bf16": "bfloat16", "s2": "int2", "s4": "int4", "u2": "uint2", "u4": "uint4",
    "f4e2m1fn": "float4_e2m1fn", **{
        f"f8{rest}": f"float8_{rest}"
        for rest in ("e3m4", "e4m3", "e4m3fn", "e4m3b11fnuz", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")
    }
}


def dtype_of(hlo_type: str) -> np.dtype:
    """Errors: "unsupported" for types that neither has."""
    import numpy as np
    if hlo_type in _NUMPY:
        return np.dtype(_NUMPY[hlo_type])
    if hlo_type not in _ML_DTYPES:
        raise HloccError("unsupported", f"NumPy has no {hlo_type}")
    try:
        import ml_dtypes
    except ImportError:
        raise HloccError("unsupported",
                         f"NumPy has no {hlo_type}",
                         notes=["the package ml_dtypes has"]) from None
    return np.dtype(getattr(ml_dtypes, _ML_DTYPES[hlo_type]))


def plain(array: np.ndarray) -> np.ndarray:
    """As .npy files and hlocc have it: types that NumPy lacks as integers of their size."""
    if array.dtype.isbuiltin == 1:
        return array
    signed = array.dtype.name in ("int2", "int4")
    return array.view({1: "int8" if signed else "uint8", 2: "uint16"}[array.dtype.itemsize])
