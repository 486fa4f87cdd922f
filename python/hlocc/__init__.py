"""hlocc: tensor programs to libraries for firmwares, from Python.

    module = hlocc.export(predict, jax.ShapeDtypeStruct((1, 49, 10), "float32"))
    module = hlocc.export("kws.tflite")                   # a JAX function above, a file here
    print(module.analyze("cortex-m4f"))                   # RAM, flash, stack, layers
    module.compile("cortex-m4f", out="generated", name="acme::Kws")   # libkws.a, kws.h, kws.json
    probabilities = module.run(features)                  # here, in this process

`compile`, `analyze`, `verify`, `snapshot`, `matrix` and `targets` run the program `hlocc`, whose
flags their keyword arguments are; `run` calls its library. What goes wrong is a HloccError. Nothing
is imported before it is used: NumPy is all that is needed, JAX where JAX functions are exported.
"""
import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._errors import HloccError
    from ._export import export
    from ._home import prefix
    from ._jit import jit
    from ._matrix import matrix
    from ._module import Module
    from ._native import version
    from ._quantize import Border, Quantized, QuantizedLayer, quantize
    from ._results import (Analysis, Case, Cell, File, Layer, Leaf, Library, MatrixReport, Target,
                           Verification)
    from ._targets import targets

_PLACES = {
    "_errors": ["HloccError"], "_export": ["export"], "_home": ["prefix"], "_jit": ["jit"],
    "_matrix": ["matrix"], "_module": ["Module"], "_native": ["version"],
    "_quantize": ["Border", "Quantized", "QuantizedLayer", "quantize"], "_results": [
        "Analysis", "Case", "Cell", "File", "Layer", "Leaf", "Library", "MatrixReport", "Target",
        "Verification"
    ], "_targets": ["targets"],
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}
__all__ = sorted(_PLACE_OF)


def __dir__() -> list[str]:
    return __all__


# Checkers of types take a module that has this for one that may have anything.
if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in _PLACE_OF:
            raise AttributeError(f"module 'hlocc' has no attribute {name!r}")
        value = getattr(importlib.import_module(f".{_PLACE_OF[name]}", __name__), name)
        globals()[name] = value
        return value
