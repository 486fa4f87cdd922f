"""jax_cases.py [--set harnesses|lax|public] [--every N] [--start I]: the cases of JAX's own test
harnesses (jax._src.internal_test_util.test_harnesses), of the records of its lax_test_util, or of
public functions on drawn arguments (public_cases.py), each N-th case or function, by hlocc.jit,
beside what JAX computes on the CPU.

A case counts if JAX runs it. It agrees if structures, types and values do, with JAX's compiled
function or with JAX op by op: floats within a tolerance of their type, of the largest value of the
result (at least 0.001); all else exactly. Where more than one result is right (eigenvectors,
decompositions), a difference is listed as "to be judged". Chunks of cases run in processes of their
own: one that dies is run again case by case. Closes with how many agree, were refused (by kind),
differ, crashed. Exit status 1 if one crashed or differs."""
import argparse
import collections
import json
import subprocess
import sys
import zlib

CHUNK = 40
# Of each element type: of the largest value of the result.
TOLERANCE = {
    "float16": 4e-3, "bfloat16": 3e-2, "float32": 3e-5, "float64": 1e-11, "complex64": 3e-5,
    "complex128": 1e-11
}
# Groups with more than one right answer, or whose numbers are random.
FREE = ("eig", "eigh", "svd", "schur", "qr", "geqp3", "householder", "lu", "random", "rng",
        "approx_top_k", "tridiagonal")


def chosen(kind, every, start):
    """Functions of nothing that give cases: one each of JAX's harnesses and records, some of a
    public function. Which there are depends on the types that JAX has."""
    import jax
    jax.config.update("jax_enable_x64", True)
    if kind == "harnesses":
        from jax._src.internal_test_util import test_harnesses
        return [
            lambda harness=harness: [harness]
            for harness in test_harnesses.all_harnesses[start::every]
            if harness.filter("cpu")
        ]
    import public_cases
    if kind == "lax":
        return [lambda case=case: [case] for case in public_cases.lax_cases()[start::every]]
    return [
        lambda name=name, function=function: public_cases.cases_of(name, function)
        for name, function in list(public_cases.functions())[start::every]
    ]


def differs(got, wanted):
    """Empty, or what of the results differs."""
    import jax
    import numpy as np
    if jax.tree_util.tree_structure(got) != jax.tree_util.tree_structure(wanted):
        return "structure"
    for one, other in zip(jax.tree_util.tree_leaves(got),
                          map(np.asarray, jax.tree_util.tree_leaves(wanted))):
        if one.dtype != other.dtype or one.shape != other.shape:
            return f"{one.dtype}{list(one.shape)} for {other.dtype}{list(other.shape)}"
        tolerance = TOLERANCE.get(other.dtype.name)
        if tolerance is None:
            if one.tobytes() != other.tobytes():
                return f"{other.dtype.name} values"
            continue
        wide = np.complex128 if np.iscomplexobj(other) else np.float64
        one, other = one.astype(wide), other.astype(wide)
        # What cancels to nothing was larger before.
        size = np.abs(other[np.isfinite(other)]).max(initial=1e-3)
        if not np.allclose(one, other, rtol=0, atol=size * tolerance, equal_nan=True):
            return f"values, by {np.nanmax(np.abs(one - other)):.3g} of {size:.3g}"
    return ""


def outcome(harness):
    """(what became of it, a few words)"""
    import jax
    import numpy

    import hlocc
    try:
        arguments = harness.dyn_args_maker(
            numpy.random.RandomState(zlib.crc32(harness.fullname.encode())))
        wanted = jax.jit(harness.dyn_fun)(*arguments)
        if any(not hasattr(leaf, "dtype") or jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.extended)
               for leaf in jax.tree_util.tree_leaves((arguments, wanted))):
            return "not run", "values that NumPy has no type for"
    except Exception as problem:  # JAX's own refusals are of many kinds
        return "not run", f"JAX: {type(problem).__name__}"
    try:
        got = hlocc.jit(harness.dyn_fun)(*arguments)
    except hlocc.HloccError as why:
        return "refused", f"{why.kind}: {why.message[:100]}"
    except Exception as why:
        return "failed", f"{type(why).__name__}: {str(why)[:100]}"
    difference = differs(got, wanted)
    # What XLA's compiled loops say of divisions by zero and the like is not always what JAX says op
    # by op: that counts, too.
    if not difference or not differs(got, harness.dyn_fun(*arguments)):
        return "agree", ""
    return ("to be judged" if any(word in harness.group_name
                                  for word in FREE) else "wrong"), difference


def work(wish, first, count):
    """A line of JSON a case, as soon as it is known, and one behind all cases of a place."""
    for i, make in list(enumerate(chosen(wish.set, wish.every, wish.start)))[first:first + count]:
        cases = make()
        for case in cases:
            print(json.dumps([i, case.fullname, *outcome(case)]), flush=True)
        print(json.dumps([i, "", "done" if cases else "without", ""]), flush=True)


def run(wish, first, count):
    command = [
        sys.executable, __file__, "--set", wish.set, "--every",
        str(wish.every), "--start",
        str(wish.start), "--work", f"{first}:{count}"
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("[")]
    if ran.returncode == 0:
        return rows
    at = first + sum(what in ("done", "without") for _, _, what, _ in rows)
    rows.append([
        at, f"place {at}, behind {rows[-1][1] if rows else 'none'}", "crashed",
        f"exit code {ran.returncode}: {ran.stderr.strip().splitlines()[-1:]}"
    ])
    left = first + count - at - 1
    return rows + (run(wish, at + 1, left) if left > 0 else [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", choices=("harnesses", "lax", "public"), default="harnesses")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="goes on at this place")
    parser.add_argument("--work")
    wish = parser.parse_args()
    if wish.work:
        return work(wish, *map(int, wish.work.split(":")))
    total = len(chosen(wish.set, wish.every, wish.start))
    counts, reasons = collections.Counter(), collections.Counter()
    for first in range(wish.first, total, CHUNK):
        for _, name, what, why in run(wish, first, min(CHUNK, total - first)):
            counts[what] += 1
            if what == "refused":
                reasons[why.split(":")[0]] += 1
            if what not in ("agree", "not run", "done", "without"):
                print(f"{what}: {name}: {why}", flush=True)
    judged = sum(counts.values()) - sum(counts[what] for what in ("not run", "done", "without"))
    print(
        f"{judged} cases that JAX runs: {counts['agree']} agree "
        f"({100 * counts['agree'] / max(1, judged):.1f} %), "
        + ", ".join(f"{counts[what]} {what}"
                    for what in ("refused", "to be judged", "wrong", "failed", "crashed")) +
        f"; refused by kind: {dict(reasons)}; not run: {counts['not run']}; functions without a "
        f"case: {counts['without']}"
    )
    return 1 if counts["wrong"] + counts["failed"] + counts["crashed"] else 0


if __name__ == "__main__":
    sys.exit(main())
