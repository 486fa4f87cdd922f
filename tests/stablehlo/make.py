"""Writes the programs of tests/data/stablehlo:

    python3 -m venv VENV && VENV/bin/pip install jax==0.10.2
    VENV/bin/python tests/stablehlo/make.py [NAME...]

NAME.mlir is a program as JAX prints it, every other one with locations, NAME.generic.mlir the same
in MLIR's generic form; NAME.snapshot.pb is its HLO (JAX's own road), arguments, and what XLA
computed. Cases are in cases_*.py, programs of JAX's and texts; texts that are wrong in one thing
are written by hand."""
import importlib
import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import numpy  # noqa: E402
from jax.interpreters import mlir  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402
from jaxlib.xla_client import _xla  # noqa: E402

import case  # noqa: E402
import snapshot  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data" / "stablehlo"


def make_text(name, text, arguments):
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        pretty = module.operation.get_asm()
        generic = module.operation.get_asm(print_generic_op_form=True)
        computation = _xla.mlir.mlir_module_to_xla_computation(pretty,
                                                               use_tuple_args=False,
                                                               return_tuple=False)
    packed = snapshot.snapshot(computation.as_serialized_hlo_module_proto(), arguments, ())
    put(DATA, name, pretty, generic, packed)


def put(folder, name, pretty, generic, packed):
    (folder / (name + ".mlir")).write_text(pretty)
    (folder / (name + ".generic.mlir")).write_text(generic)
    (folder / (name + ".snapshot.pb")).write_bytes(packed)


def write(folder, name, lowered, located, arguments, results=()):
    """The three files of a program. `located`: the same, lowered with the lines of its source, for
    the pretty form."""
    pretty = located.as_text(debug_info=located is not lowered)
    generic = lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
    module = lowered.compiler_ir("hlo").as_serialized_hlo_module_proto()
    values = [numpy.asarray(leaf) for leaf in jax.tree.leaves(arguments)]
    packed = snapshot.snapshot(module, values, [numpy.asarray(one) for one in results])
    put(folder, name, pretty.replace(str(HERE), "tests/stablehlo"), generic, packed)


def make(name, function, arguments, donate, with_locations):
    def lower(frames):
        jax.clear_caches()
        jax.config.update("jax_traceback_in_locations_limit", frames)
        return jax.jit(function, donate_argnums=donate, keep_unused=True).lower(*arguments)

    located = lower(3)
    # Paths of files have no place in what is binary.
    lowered = lower(0)
    results = jax.tree.leaves(lowered.compile()(*jax.tree.map(jax.numpy.array, arguments)))
    write(DATA, name, lowered, located if with_locations else lowered, arguments, results)


def main():
    DATA.mkdir(exist_ok=True)
    for path in sorted(HERE.glob("cases_*.py")):
        importlib.import_module(path.stem)
    wanted = sys.argv[1:] or [*case.CASES, *case.TEXTS]
    for i, (name, (function, arguments, _, donate, wide)) in enumerate(case.CASES.items()):
        if name not in wanted:
            continue
        with jax.enable_x64(wide):
            make(name, function, arguments, donate, i % 2 == 0)
    for name, (text, arguments) in case.TEXTS.items():
        if name in wanted:
            make_text(name, text, arguments)
    loose = sorted(name for name, row in case.CASES.items() if row[2])
    DATA.joinpath("loose.txt").write_text("".join(name + "\n" for name in loose))


if __name__ == "__main__":
    main()
