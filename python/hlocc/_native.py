"""The shared library by ctypes (include/hlocc/c_api.h)."""
from __future__ import annotations

import ctypes
import functools
import json
from typing import TYPE_CHECKING, Any

from . import _home
from ._errors import HloccError

if TYPE_CHECKING:
    import numpy as np

API_VERSION = 1
_FAILURE = ctypes.POINTER(ctypes.c_void_p)
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "hlocc_api_version": (ctypes.c_int, []), "hlocc_version": (ctypes.c_char_p, []),
    "hlocc_free": (None, [ctypes.c_void_p]),
    "hlocc_model_read": (ctypes.c_void_p,
                         [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p,
                          _FAILURE]), "hlocc_model_free": (None, [ctypes.c_void_p]),
    "hlocc_model_leaves": (ctypes.c_void_p, [ctypes.c_void_p, _FAILURE]),
    "hlocc_program_make": (ctypes.c_void_p,
                           [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, _FAILURE]),
    "hlocc_program_free": (None, [ctypes.c_void_p]), "hlocc_program_run": (ctypes.c_int, [
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p),
        ctypes.POINTER(ctypes.c_void_p), _FAILURE
    ]),
}


@functools.cache
def load() -> ctypes.CDLL:
    library = ctypes.CDLL(_home.library())
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    if library.hlocc_api_version() != API_VERSION:
        raise HloccError(
            "environment",
            f"{_home.library()} has version {library.hlocc_api_version()} of its functions, "
            f"and this module calls version {API_VERSION}")
    return library


def version() -> str:
    """ "hlocc 0.1.0 (commit 0123456789ab, LLVM 19.1.7)" """
    return load().hlocc_version().decode()


def _taken(text: int) -> str:
    try:
        return ctypes.string_at(text).decode()
    finally:
        load().hlocc_free(text)


def _call(name: str, *arguments: Any) -> Any:
    failure = ctypes.c_void_p()
    out = getattr(load(), name)(*arguments, ctypes.byref(failure))
    if failure.value:
        raise HloccError.of_json(_taken(failure.value))
    return out


class Model:
    """A model that the library has read. Errors: HloccError."""

    def __init__(self, data: bytes, file: str):
        self._model = None
        self._model = _call("hlocc_model_read", data, len(data), file.encode())

    def __del__(self):
        if self._model:
            load().hlocc_model_free(self._model)

    def leaves(self) -> dict[str, Any]:
        return json.loads(_taken(_call("hlocc_model_leaves", self._model)))

    def program(self, backend: str | None, level: str) -> Program:
        return Program(
            _call("hlocc_program_make", self._model,
                  backend.encode() if backend else None, level.encode()))


class Program:
    """A model that is ready to run in this process; one run at a time."""

    def __init__(self, program: int):
        self._program = program

    def __del__(self):
        load().hlocc_program_free(self._program)

    def run(self, arguments: list[np.ndarray], results: list[np.ndarray]) -> None:
        """C-contiguous arrays, a leaf each, of the leaves' shapes and types; the results are
        written to."""
        def pointers(arrays: list[np.ndarray]) -> Any:
            return (ctypes.c_void_p * max(1, len(arrays)))(*[array.ctypes.data for array in arrays])
        _call("hlocc_program_run", self._program, pointers(arguments), pointers(results))
