"""Cases that jax_cases.py runs beside those of JAX's harnesses: the records of lax_test_util on all
their types, and each public function of jnp, jnp.linalg, jnp.fft, jax.nn, jax.random, jax.image,
jax.scipy and its parts on drawn arguments.

What a function takes is not known beforehand: signatures of arguments (arrays of several ranks,
types and contents, numbers, keys) are tried in order, and the first few that JAX itself computes
under jit, with results that are arrays, are its cases. A function for which there are none says
so."""
import dataclasses
import inspect
import zlib
from typing import Any, Callable

import numpy as np

# Of each signature, a letter an argument; of the first letter's type.
SIGNATURES = ("v", "m", "s", "q", "t", "vv", "mm", "qq", "ms", "vs", "mv", "qv", "vvv", "mmm",
              "sss", "vn", "mn", "nn", "nv", "n", "k", "kn", "kv", "kvv", "kss", "ki", "kmn", "l",
              "lv", "vm", "tn", "tv", "vi", "mi", "mii", "vii", "mp", "tp", "bvv", "bb", "u", "uu",
              "c", "cm", "f1", "fv", "mI", "vI")
MOST = 3  # cases of a function and a type
TYPES = ("float32", "int32", "complex64", "bool")
# They have nothing to compute, look at their arguments outside of a trace, or call back into
# Python.
LEFT_OUT = ("jnp.save", "jnp.savez", "jnp.load", "jnp.fromfile", "jnp.printoptions",
            "jnp.set_printoptions", "jnp.get_printoptions", "jnp.array_repr", "jnp.array_str",
            "jnp.frompyfunc", "jnp.from_dlpack", "jnp.fromstring", "jnp.frombuffer",
            "jnp.fromfunction", "jnp.fromiter", "random.clone", "jnp.vectorize",
            "jnp.apply_along_axis", "jnp.apply_over_axes", "jnp.piecewise")


@dataclasses.dataclass
class Case:
    """As JAX's harnesses are."""
    fullname: str
    group_name: str
    dyn_fun: Callable[..., Any]
    make: Callable[[np.random.RandomState], list[Any]]

    def dyn_args_maker(self, random):
        return self.make(random)


def rooms():
    import jax
    import jax.image
    import jax.nn
    import jax.numpy as jnp
    import jax.random
    import jax.scipy as scipy
    import jax.scipy.cluster.vq
    import jax.scipy.fft
    import jax.scipy.integrate
    import jax.scipy.interpolate
    import jax.scipy.linalg
    import jax.scipy.ndimage
    import jax.scipy.signal
    import jax.scipy.spatial.transform
    import jax.scipy.special
    import jax.scipy.stats
    named = {
        "jnp": jnp, "jnp.linalg": jnp.linalg, "jnp.fft": jnp.fft, "nn": jax.nn,
        "nn.initializers": jax.nn.initializers, "random": jax.random, "image": jax.image,
        "scipy.cluster.vq": scipy.cluster.vq, "scipy.fft": scipy.fft,
        "scipy.integrate": scipy.integrate, "scipy.linalg": scipy.linalg,
        "scipy.ndimage": scipy.ndimage, "scipy.signal": scipy.signal, "scipy.special": scipy.special
    }
    named.update({
        f"scipy.stats.{name}": room
        for name, room in vars(scipy.stats).items()
        if inspect.ismodule(room)
    })
    return named


def functions():
    """(name, function) of all, by name."""
    for room, module in rooms().items():
        for name, function in sorted(vars(module).items()):
            if name.startswith("_") or not callable(function) or isinstance(
                    function, type) or f"{room}.{name}" in LEFT_OUT:
                continue
            yield f"{room}.{name}", function


def argument(letter, dtype, random):
    import jax
    shapes = {"s": (), "v": (6,), "m": (4, 4), "t": (2, 3, 4), "q": (3, 3)}
    if letter in shapes:
        return drawn(shapes[letter], dtype, random)
    if letter == "p":  # positive definite
        root = drawn((4, 4), dtype, random)
        return root @ root.T + 4 * np.eye(4, dtype=root.dtype)
    if letter == "l":
        return [drawn((2, 3), dtype, random), drawn((2, 3), dtype, random)]
    values = {
        "i": lambda: random.randint(0, 3, (3, )).astype("int32"),
        "I": lambda: random.randint(0, 3, (4, 4)).astype("int32"),
        "b": lambda: random.rand(6) > 0.5, "u": lambda: random.randint(0, 200,
                                                                       (6, )).astype("uint8"),
        "c": lambda: random.rand(6).astype("float32") * 0.98 + 0.01,
        "k": lambda: jax.random.PRNGKey(random.randint(1000)),
        "f": lambda: random.rand(3, 8).astype("float32")
    }
    return values[letter]() if letter in values else None


def drawn(shape, dtype, random):
    if dtype == "bool":
        return np.asarray(random.rand(*shape) > 0.5)
    if dtype == "int32":
        return np.asarray(random.randint(1, 7, shape), "int32")
    real = np.asarray(random.normal(size=shape) + 0.3, "float32")
    return np.asarray(real +
                      1j * random.normal(size=shape), "complex64") if dtype == "complex64" else real


NUMBERS = {"n": 2, "1": 1}


def case_of(name, function, signature, dtype):
    """Numbers are known when the function is traced."""
    given = [NUMBERS.get(letter) for letter in signature]

    def call(*arrays):
        left = iter(arrays)
        return function(*[next(left) if number is None else number for number in given])

    def make(random):
        return [
            argument(letter, dtype, random)
            for letter, number in zip(signature, given)
            if number is None
        ]
    return Case(f"{name}({signature}) {dtype}", name, call, make)


def runs(case):
    """Whether JAX computes arrays of it."""
    import jax
    try:
        arguments = case.make(np.random.RandomState(zlib.crc32(case.fullname.encode())))
        shapes = jax.eval_shape(case.dyn_fun, *arguments)
        leaves = jax.tree_util.tree_leaves(shapes)
        return bool(leaves) and all(
            hasattr(leaf, "dtype") and not jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.extended)
            for leaf in leaves)
    except Exception:  # what a function does not take it refuses in many ways
        return False


def cases_of(name, function):
    """Those of one function."""
    out = []
    for dtype in TYPES:
        of_type = []
        for signature in SIGNATURES:
            typed = any(letter in "vmstqpl" for letter in signature)
            if len(of_type) == MOST or (not typed and dtype != TYPES[0]):
                continue
            case = case_of(name, function, signature, dtype)
            if runs(case):
                of_type.append(case)
        out += of_type
    return out


def lax_cases():
    """Each record of lax_test_util on each of its types, operands of one shape and of two that
    meet."""
    from jax import lax
    from jax._src import test_util
    from jax._src.internal_test_util import lax_test_util
    out = []
    for record in lax_test_util.lax_ops():
        function = getattr(lax, record.op)
        for dtype in record.dtypes:
            for shape in ((), (4,), (3, 4, 5)):
                def make(random, record=record, dtype=dtype, shape=shape):
                    del random
                    return [
                        record.rng_factory(np.random.RandomState(3))(shape, dtype)
                        for _ in range(record.nargs)
                    ]

                out.append(
                    Case(f"lax.{record.op} {np.dtype(dtype).name}{list(shape)}", f"lax.{record.op}",
                         function, make))
    for record in lax_test_util.lax_reduce_ops():
        for dtype in record.dtypes:
            for axes in ((0,), (0, 2)):
                def reduce(x, record=record, axes=axes, dtype=dtype):
                    return lax.reduce(x, np.asarray(record.init_val, dtype), record.op, axes)

                def make(random, dtype=dtype):
                    return [test_util.rand_small(random)((3, 4, 5), dtype)]

                out.append(
                    Case(f"lax.reduce {record.op.__name__} {np.dtype(dtype).name}{list(axes)}",
                         "lax.reduce", reduce, make))
    for record in lax_test_util.lax_named_reduce_ops():
        for dtype in record.dtypes:
            def make(random, dtype=dtype):
                return [test_util.rand_small(random)((3, 4, 5), dtype)]

            out.append(
                Case(f"lax.{record.op.__name__} {np.dtype(dtype).name}",
                     "lax.named_reduce",
                     lambda x, record=record: record.op(x, (0, 2)),
                     make))
    return out
