"""harnesses.py FOLDER [--every N]: the programs of JAX's own test harnesses
(jax._src.internal_test_util), each N-th, as make.py writes its cases: HLO and arguments, and the
text in both forms. Prints how many JAX could print."""
import argparse
import pathlib
import zlib

import jax
import numpy

import make


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    wish = parser.parse_args()
    # Asks for absl.
    from jax._src.internal_test_util import test_harnesses

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_traceback_in_locations_limit", 0)
    wish.folder.mkdir(parents=True, exist_ok=True)
    written = refused = 0
    loose = []
    for harness in test_harnesses.all_harnesses[:: wish.every]:
        if not harness.filter("cpu"):
            continue
        arguments = harness.dyn_args_maker(
            numpy.random.RandomState(zlib.crc32(harness.fullname.encode())))
        # One name may be in several groups of case.
        name = f"{written:04}_{harness.fullname}"[:120]
        try:
            lowered = jax.jit(harness.dyn_fun, keep_unused=True).lower(*arguments)
            make.write(wish.folder, name, lowered, lowered, arguments)
            written += 1
            # Of complex functions XLA has formulas of its own.
            if any(numpy.iscomplexobj(leaf) for leaf in jax.tree.leaves(arguments)):
                loose.append(name)
        except Exception as problem:  # JAX's own refusals are of many kinds
            refused += 1
            print(f"{harness.fullname}: {type(problem).__name__}: {str(problem)[:100]}")
    (wish.folder / "loose.txt").write_text("".join(name + "\n" for name in loose))
    print(f"{written} programs written, {refused} that JAX itself refuses")


main()
