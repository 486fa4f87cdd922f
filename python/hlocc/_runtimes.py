"""What the runtime that a file was made for computes, where it is installed: ONNX Runtime; LiteRT,
or TensorFlow Lite Micro's interpreter, whichever has the integers that hlocc was asked for.
`verify` compares with it."""
from __future__ import annotations

import functools
import importlib
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Sequence

if TYPE_CHECKING:
    import numpy as np

# The results of the arguments, an array a leaf each; None where the runtime is not there, or does
# not run the model.
Reference = Callable[..., "Sequence[np.ndarray] | None"]
_Run = Callable[[Sequence["np.ndarray"]], "list[np.ndarray]"]


def reference_of(path: pathlib.Path, rounding: str | None, results: int) -> Reference | None:
    """Of a file as it is, with so many results; none for formats that have no runtime here."""
    if path.suffix not in (".onnx", ".tflite"):
        return None
    data = path.read_bytes()

    @functools.cache
    def runner() -> _Run | None:
        try:
            return _onnx(data) if path.suffix == ".onnx" else _tflite(data, rounding or "tflm",
                                                                      results)
        except Exception:  # each runtime has its own for what it lacks
            return None

    def reference(*leaves: Any) -> Sequence[np.ndarray] | None:
        run = runner()
        try:
            return None if run is None else run(leaves)
        except Exception:
            return None
    return reference


def _package(*names: str) -> Any:
    """The first that is installed."""
    for name in names:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _onnx(data: bytes) -> _Run | None:
    runtime = _package("onnxruntime")
    if runtime is None:
        return None
    session = runtime.InferenceSession(data, providers=["CPUExecutionProvider"])
    names = [given.name for given in session.get_inputs()]
    return lambda leaves: session.run(None, dict(zip(names, leaves))) if len(leaves) == len(
        names) else None  # type: ignore[return-value]


def _tflite(data: bytes, rounding: str, results: int) -> _Run | None:
    micro = _package("tflite_micro.python.tflite_micro.runtime") if rounding == "tflm" else None
    return _micro(data, micro, results) if micro is not None else _litert(data, rounding)


def _micro(data: bytes, runtime: Any, results: int) -> _Run:
    arena = 1 << 20
    while True:
        try:
            interpreter = runtime.Interpreter.from_bytes(data, arena_size=arena)
            break
        except RuntimeError:
            if arena > 1 << 28:
                raise
            arena *= 4

    def run(leaves: Sequence[np.ndarray]) -> list[np.ndarray]:
        interpreter.reset()
        for i, leaf in enumerate(leaves):
            interpreter.set_input(leaf, i)
        interpreter.invoke()
        return [interpreter.get_output(i) for i in range(results)]
    return run


def _litert(data: bytes, rounding: str) -> _Run | None:
    """Its reference kernels for "litert", XNNPACK for "xnnpack"; for "tflm", whose integers it has
    not, models of floats alone."""
    litert = _package("ai_edge_litert.interpreter", "tflite_runtime.interpreter",
                      "tensorflow.lite.python.interpreter")
    if litert is None:
        return None
    resolvers = litert.OpResolverType
    kind = resolvers.AUTO if rounding == "xnnpack" else resolvers.BUILTIN_REF
    interpreter = litert.Interpreter(model_content=data, experimental_op_resolver_type=kind)
    interpreter.allocate_tensors()
    if rounding == "tflm" and any(details["dtype"].__name__ in ("int8", "uint8", "int16")
                                  for details in interpreter.get_tensor_details()):
        return None
    inputs, outputs = interpreter.get_input_details(), interpreter.get_output_details()

    def run(leaves: Sequence[np.ndarray]) -> list[np.ndarray]:
        if len(leaves) != len(inputs):
            raise ValueError("arguments that are no inputs")
        for details, leaf in zip(inputs, leaves):
            interpreter.set_tensor(details["index"], leaf)
        interpreter.invoke()
        return [interpreter.get_tensor(details["index"]) for details in outputs]
    return run
