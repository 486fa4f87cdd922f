"""Models of PyTorch and of Keras: what hlocc.export makes its module of. Neither is imported here
before a model of it is given."""
from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any, Callable, Sequence

from ._errors import HloccError

if TYPE_CHECKING:
    import numpy as np


def is_of(module: str, name: str, model: Any) -> bool:
    """Whether it is an instance of that class, of a package that may not have been imported."""
    kind: Any = sys.modules.get(module)
    for part in name.split("."):
        kind = getattr(kind, part, None)
    return isinstance(kind, type) and isinstance(model, kind)


def is_torch(model: Any) -> bool:
    return is_of("torch", "nn.Module", model)


def is_keras(model: Any) -> bool:
    return is_of("keras", "Model", model)


def of_torch(model: Any, examples: Sequence[Any]) -> tuple[bytes, Callable[..., list[np.ndarray]]]:
    """An ONNX model by torch.onnx, as it computes when it is not trained; and what PyTorch
    computes. examples: tensors or arrays."""
    import numpy as np
    import torch
    tensors = tuple(
        torch.as_tensor(example if isinstance(example, torch.Tensor) else np.asarray(example))
        for example in examples)
    was_trained = model.training
    model.eval()
    try:
        data = _onnx_of(model, tensors)
    finally:
        model.train(was_trained)

    def reference(*leaves: Any) -> list[np.ndarray]:
        was_trained = model.training
        model.eval()
        with torch.no_grad():
            out = model(*[torch.as_tensor(np.array(leaf)) for leaf in leaves])
        model.train(was_trained)
        return [leaf.numpy() for leaf in torch.utils._pytree.tree_leaves(out)]
    return data, reference


def _onnx_of(model: Any, tensors: tuple[Any, ...]) -> bytes:
    import torch
    try:
        if hasattr(torch.onnx, "ONNXProgram"):
            program = torch.onnx.export(model, tensors, dynamo=True, verbose=False)
            assert program is not None
            return program.model_proto.SerializeToString()
        out = io.BytesIO()
        torch.onnx.export(model, tensors, out)  # type: ignore[arg-type]
        return out.getvalue()
    except ImportError as why:
        raise HloccError("environment",
                         f"torch.onnx needs a package that is not here: {why.name or why}",
                         notes=["pip install onnx onnxscript"]) from None
    except torch.onnx.errors.OnnxExporterError as why:
        raise HloccError(
            "unsupported",
            f"torch.onnx does not export the model: {str(why).strip().splitlines()[0]}") from why


def of_keras(model: Any, examples: Sequence[Any]) -> tuple[Callable[..., Any], list[Any]]:
    """A function that JAX traces, which computes what the model does when it is not trained, and
    its examples: by default the model's inputs, for a batch of one."""
    import keras
    if keras.backend.backend() != "jax":
        raise HloccError(
            "environment",
            f"Keras computes by {keras.backend.backend()}, and hlocc.export takes what it computes "
            f"by JAX",
            notes=["KERAS_BACKEND=jax in the environment, before Keras is imported"])
    import jax
    if not examples:
        if not model.built:
            raise HloccError("usage",
                             "the model has not been built: its inputs are not known",
                             notes=["an example for each input says their shapes"])
        examples = [
            jax.ShapeDtypeStruct(tuple(1 if size is None else size
                                       for size in given.shape), given.dtype)
            for given in model.inputs
        ]
    trained = [variable.value for variable in model.trainable_variables]
    others = [variable.value for variable in model.non_trainable_variables]

    def function(*inputs: Any) -> Any:
        return model.stateless_call(trained,
                                    others,
                                    inputs[0] if len(inputs) == 1 else list(inputs),
                                    training=False)[0]
    function.__name__ = model.name
    return function, list(examples)
