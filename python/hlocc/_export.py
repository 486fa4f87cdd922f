"""Models from what Python programs have: files, JAX functions, what jax.export exported, models of
PyTorch and Keras."""
from __future__ import annotations

import os
import pathlib
import re
import tempfile
from typing import Any, Sequence

from . import _frameworks, _runtimes, _tool
from ._errors import HloccError
from ._module import Module

# What hlocc reads and the library's copy of the model keeps as it is, with a snapshot's values.
_HLO = (".pb", ".hlo", ".txt")


def export(model: Any,
           *examples: Any,
           name: str | None = None,
           names: Sequence[str] | None = None,
           donate: Sequence[int] = (),
           freeze: Sequence[int] | None = None,
           dims: dict[str, int] | None = None,
           rounding: str | None = None,
           level: str = "2") -> Module:
    """A Module of `model`:

    - a path: HLO (proto, snapshot, text), StableHLO text, `.tflite`, ONNX; `dims` gives sizes to
      dimensions that the file leaves open;
    - text or bytes: StableHLO or HLO text, a serialized HLO;
    - what `jax.export.export(...)(...)` gives;
    - a `torch.nn.Module`, with examples: tensors or arrays; it goes through torch.onnx;
    - a Keras model whose backend is JAX, with examples or without: then a batch has one element;
    - a function that JAX can trace, with `examples`: arrays, jax.ShapeDtypeStruct, or pytrees of
      them.

    name: for what is generated; by default the file's or the function's. names: what the arguments'
    leaves are called in the header, in order; by default as pytrees call them. rounding: of a
    `.tflite` file, whose integers: "tflm" (the default), "litert", "xnnpack" (docs/formats.md).
    donate: numbers of examples that are state: a result of the same shapes replaces them. level: of
    `run`, as -O has it: 0, 1, 2, 3, s or z. freeze: numbers of examples that become constants:
    parameters. By default those that are pytrees of arrays (a dict, a list, ...) and not donated;
    `notes` of the module says how many bytes they have. () freezes none.

    Errors: HloccError.
    """
    module = _exported(model, examples, name, tuple(donate), freeze,
                       {"dim": dims or {}, "rounding": rounding},
                       {"arg": dict(enumerate(names))} if names else {})
    module.level = level
    return module


def _exported(model: Any, examples: Sequence[Any], name: str | None, donate: tuple[int, ...],
              freeze: Sequence[int] | None, reading: dict[str, Any], options: dict[str,
                                                                                   Any]) -> Module:
    """reading: what `hlocc convert` is told of a file."""
    if isinstance(model, (str, os.PathLike)) and "\n" not in str(model):
        return _of_file(pathlib.Path(model), name, reading, options)
    if isinstance(model, (str, bytes)):
        return _of_bytes(model.encode() if isinstance(model, str) else model, name or "model",
                         reading, options)
    if hasattr(model, "mlir_module"):
        return _of_bytes(model.mlir_module().encode(), name or _identifier(model.fun_name), reading,
                         options)
    if _frameworks.is_torch(model):
        data, reference = _frameworks.of_torch(model, examples)
        module = _of_bytes(data, name or _identifier(type(model).__name__), reading, options)
        module.reference = reference
        return module
    if _frameworks.is_keras(model):
        function, inputs = _frameworks.of_keras(model, examples)
        return _of_function(function, inputs, name, donate, (), options)
    if callable(model):
        return _of_function(model, examples, name, donate, freeze, options)
    raise HloccError(
        "usage",
        f"hlocc.export takes paths, text, bytes, jax.export's artefacts, models of PyTorch and "
        f"Keras and functions, not {type(model).__name__}"
    )


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name.strip("<>")) or "model"


def _of_file(path: pathlib.Path, name: str | None, reading: dict[str, Any],
             options: dict[str, Any]) -> Module:
    stem = name or _identifier(path.name.split(".")[0])
    if path.suffix in _HLO and not any(reading.values()):
        try:
            return Module(path.read_bytes(), stem, options=options)
        except OSError as why:
            raise HloccError("file", f"cannot read the file: {why.strerror}", str(path)) from None
    with tempfile.TemporaryDirectory(prefix="hlocc_") as folder:
        out = pathlib.Path(folder) / "model.pb"
        _tool.run("convert", path, "-o", out, *_tool.flags_of(reading))
        module = Module(out.read_bytes(), stem, options=options)
    # Runtimes keep state to themselves, and sizes that were given are hlocc's.
    if not any(leaf.donated
               for leaf in module.arguments) and not (reading["dim"] and path.suffix == ".tflite"):
        module.reference = _runtimes.reference_of(path, reading["rounding"], len(module.results))
    return module


def _of_bytes(data: bytes, name: str, reading: dict[str, Any], options: dict[str, Any]) -> Module:
    if not any(reading.values()):
        return Module(data, name, options=options)
    with tempfile.TemporaryDirectory(prefix="hlocc_") as folder:
        path = pathlib.Path(folder) / f"{name}.pb"
        path.write_bytes(data)
        return _of_file(path, name, reading, options)


def _of_function(function: Any, examples: Sequence[Any], name: str | None, donate: tuple[int, ...],
                 freeze: Sequence[int] | None, options: dict[str, Any]) -> Module:
    import inspect

    import jax
    import jax.numpy as jnp
    import numpy as np
    given = function if not hasattr(function, "__wrapped__") else inspect.unwrap(function)
    try:
        parameters = [parameter.name for parameter in inspect.signature(given).parameters.values()]
    except (TypeError, ValueError):
        parameters = []
    frozen = _frozen(examples, donate) if freeze is None else tuple(freeze)
    left = [i for i in range(len(examples)) if i not in frozen]
    if not set(donate) <= set(left):
        raise HloccError(
            "usage", "an argument cannot be state and a constant: donate and freeze name the same")
    constants = {i: jax.tree_util.tree_map(jnp.asarray, examples[i]) for i in frozen}
    notes = [
        f"{_called(parameters, i)} is a constant of the model: "
        f"{sum(leaf.nbytes for leaf in jax.tree_util.tree_leaves(value))} bytes"
        for i, value in constants.items()
    ]

    def closed(*rest: Any) -> Any:
        values = dict(zip(left, rest))
        return function(
            *[constants[i] if i in constants else values[i] for i in range(len(examples))])
    # JAX calls arguments as the function does.
    closed.__name__ = getattr(given, "__name__", "model")
    if len(parameters) >= len(examples):
        closed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(parameters[i], inspect.Parameter.POSITIONAL_ONLY) for i in left])
    jitted = jax.jit(closed, donate_argnums=tuple(left.index(i) for i in donate), keep_unused=True)
    open_examples = [examples[i] for i in left]
    lowered = jitted.lower(*open_examples)
    tree = jax.tree_util.tree_structure(tuple(open_examples))

    def reference(*leaves: Any) -> list[np.ndarray]:
        plain = jax.jit(closed, keep_unused=True)
        return [
            np.asarray(leaf)
            for leaf in jax.tree_util.tree_leaves(plain(
                *jax.tree_util.tree_unflatten(tree, leaves)))
        ]
    hlo: Any = lowered.compiler_ir("hlo")
    data = hlo.as_serialized_hlo_module_proto()
    return Module(data, name or _identifier(closed.__name__), reference, options, notes)


def _called(parameters: list[str], index: int) -> str:
    return f"argument {index}" + (f" ({parameters[index]})" if index < len(parameters) else "")


def _frozen(examples: Sequence[Any], donate: tuple[int, ...]) -> tuple[int, ...]:
    """Pytrees of values: containers whose leaves are arrays, and not the shapes of some."""
    import jax

    def is_parameters(value: Any) -> bool:
        leaves = jax.tree_util.tree_leaves(value)
        return (not jax.tree_util.treedef_is_leaf(jax.tree_util.tree_structure(value))
                and bool(leaves)
                and not any(isinstance(leaf, jax.ShapeDtypeStruct) for leaf in leaves))
    return tuple(i for i, value in enumerate(examples) if i not in donate and is_parameters(value))
