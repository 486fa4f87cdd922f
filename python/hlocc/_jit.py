"""JAX functions by hlocc's JIT."""
from __future__ import annotations

import functools
from typing import Any, Callable, Sequence

from ._export import export
from ._module import Module


def jit(function: Callable[..., Any] | None = None,
        *,
        donate: Sequence[int] = (),
        level: str = "2") -> Any:
    """A function of JAX's, compiled by hlocc for this machine and run on NumPy arrays; once for
    each set of structures, shapes and types. Arguments are positional pytrees of arrays and
    numbers; results are those that JAX has, with NumPy arrays for leaves.

        @hlocc.jit(donate=(0,))
        def step(state, x): ...
        state, y = step(state, x)

    donate: numbers of arguments that are state, which a result replaces: their memory in the
    program is one. Arrays of the caller stay as they are.

    Errors: HloccError, of kind "unsupported" for what hlocc does not compile; JAX's own, where the
    function cannot be traced.
    """
    if function is None:
        return functools.partial(jit, donate=donate, level=level)
    import jax
    known: dict[Any, tuple[Module, Any]] = {}

    def compiled(tree: Any, kinds: list[Any]) -> tuple[Module, Any]:
        """The module, and the structure of its results."""
        key = (tree, tuple((kind.shape, kind.dtype, kind.weak_type) for kind in kinds))
        if key not in known:
            examples = jax.tree_util.tree_unflatten(tree, kinds)
            module = export(function, *examples, donate=donate, freeze=(), level=level)
            known[key] = module, jax.tree_util.tree_structure(jax.eval_shape(function, *examples))
        return known[key]

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        leaves, tree = jax.tree_util.tree_flatten(arguments)
        kinds = [_kind(leaf) for leaf in leaves]
        module, results = compiled(tree, kinds)
        out = module.run(*[_array(leaf, kind) for leaf, kind in zip(leaves, kinds)])
        return jax.tree_util.tree_unflatten(results, out if isinstance(out, tuple) else (out,))
    return call


def _kind(leaf: Any) -> Any:
    """Shape and type as JAX has them: of Python's numbers, too, which take the type of what they
    meet."""
    import jax
    aval = jax.typeof(leaf)
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=getattr(aval, "weak_type", False))


def _array(leaf: Any, kind: Any) -> Any:
    import numpy as np
    return np.asarray(leaf, kind.dtype)
