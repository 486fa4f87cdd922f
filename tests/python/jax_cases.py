"""jax_cases.py [--set harnesses|lax|public] [--every N] [--start I] [--log FILE]: the cases of
JAX's own test harnesses (jax._src.internal_test_util.test_harnesses), of the records of its
lax_test_util, or of public functions on drawn arguments (public_cases.py), each N-th case or
function, by hlocc.jit, beside what JAX computes on the CPU.

A case counts if JAX runs it. It agrees if structures, types and values do, with JAX's compiled
function or with JAX op by op: floats within a tolerance of their type, of the largest value of the
result (at least 0.001), or as near as JAX itself to what it computes in 64 bits; all else exactly.
Where more than one result is right (eigenvectors, decompositions, sorts that keep no order), a
difference is listed as "to be judged".

Cases run in processes of their own, many in each: behind one that ends its process, or takes more
than --limit seconds of the processor, another goes on. Each case is a line of --log; what a log has
is not run again, and --report prints the table of several (of shards: --every N --start I). Exit
status 1 if a case crashed or differs."""
import argparse
import collections
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import zlib

CHUNK = 60
# Of each element type: of the largest value of the result.
TOLERANCE = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 3e-5, "float64": 1e-11,
             "complex64": 3e-5, "complex128": 1e-11}
# Groups with more than one right answer, whose numbers are random, or which count what lies between
# numbers that are rounded.
FREE = ("eig", "eigh", "svd", "schur", "qr", "geqp3", "householder", "lu", "random", "rng",
        "approx_top_k", "tridiagonal", "histogram")
SINGULAR = ("linalg.inv", "linalg.solve")
# What a process says before JAX, and before hlocc, has a case; all else is an outcome.
ASKS, RUNS = "JAX has it", "hlocc has it"
MARKS = (ASKS, RUNS, "done", "without")
BAD = ("to be judged", "wrong", "failed", "crashed")


def chosen(kind, every, start):
    """Functions of nothing that give cases: one each of JAX's harnesses and records, some of a
    public function. Which there are depends on the types that JAX has."""
    import jax
    jax.config.update("jax_enable_x64", True)
    if kind == "harnesses":
        from jax._src.internal_test_util import test_harnesses
        return [lambda harness=harness: [harness]
                for harness in test_harnesses.all_harnesses[start::every] if harness.filter("cpu")]
    import public_cases
    if kind == "lax":
        return [lambda case=case: [case] for case in public_cases.lax_cases()[start::every]]
    return [lambda name=name, function=function: public_cases.cases_of(name, function)
            for name, function in list(public_cases.functions())[start::every]]


def differs(got, wanted, least=0.0, singular=False):
    """Empty, or what of the results differs. least: a tolerance of what went in. singular: a matrix
    may have no inverse, and the order of sums decides whether NaN or an infinity says so."""
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
        if singular:
            one[~np.isfinite(one)] = other[~np.isfinite(other)] = np.nan
        # What cancels to nothing was larger before.
        size = np.abs(other[np.isfinite(other)]).max(initial=1e-3)
        nearness = size * max(tolerance, least)
        if not np.allclose(one, other, rtol=0, atol=nearness, equal_nan=True):
            return f"values, by {np.nanmax(np.abs(one - other)):.3g} of {size:.3g}"
    return ""


def wanted_of(harness):
    """Arguments, what JAX makes of them, and why that is not to be had."""
    import jax
    import numpy
    try:
        arguments = harness.dyn_args_maker(
            numpy.random.RandomState(zlib.crc32(harness.fullname.encode())))
        wanted = jax.jit(harness.dyn_fun)(*arguments)
        if any(not hasattr(leaf, "dtype") or jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.extended)
               for leaf in jax.tree_util.tree_leaves((arguments, wanted))):
            return None, None, "values that NumPy has no type for"
    except Exception as problem:  # JAX's own refusals are of many kinds
        first = (str(problem).strip().splitlines() or [""])[0]
        return None, None, f"JAX: {type(problem).__name__}: {first[:100]}"
    return arguments, wanted, ""


def least_of(arguments):
    """Numbers of 64 bits that are made of arguments of 32 are as exact as those."""
    import jax
    import numpy as np
    leaves = [np.asarray(leaf) for leaf in jax.tree_util.tree_leaves(arguments)]
    wide = ("float64", "complex128", "int64", "uint64")
    narrow = leaves and not any(leaf.dtype.name in wide for leaf in leaves)
    return TOLERANCE["float32"] if narrow else 0.0


def exact_of(harness, arguments):
    """What JAX makes of the arguments as numbers of 64 bits; None where it does not take them."""
    import jax
    import numpy as np

    def widened(leaf):
        kind = np.asarray(leaf).dtype.kind
        return np.asarray(leaf, "c16" if kind == "c" else "f8") if kind in "cfiub" else leaf
    try:
        return jax.jit(harness.dyn_fun)(*jax.tree_util.tree_map(widened, arguments))
    except Exception:
        return None


def is_as_near(got, wanted, exact):
    """Whether results of few bits are as near to those of 64 bits as JAX's own are, to within four
    times: terms that cancel leave the rounding of what they were, not of what is left."""
    import jax
    import numpy as np
    leaves = [jax.tree_util.tree_leaves(tree) for tree in (got, wanted, exact)]
    if len({len(tree) for tree in leaves}) != 1:
        return False
    for one, other, right in zip(*leaves):
        one, other, right = (np.asarray(leaf) for leaf in (one, other, right))
        if one.shape != right.shape or one.dtype.kind not in "fc":
            return False
        known = np.isfinite(right)
        if not (np.isfinite(one) == known).all() or not (np.isfinite(other) == known).all():
            return False
        errors = [np.abs(value[known] - right[known]).max(initial=0) for value in (one, other)]
        if errors[1] > 1e-4 * max(1, np.abs(right[known]).max(initial=0)):
            return False  # another answer than that of 64 bits
        if errors[0] > 4 * errors[1]:
            return False
    return True


def outcome(harness, say):
    """(what became of it, a few words)"""
    import hlocc
    say(ASKS)
    arguments, wanted, why_not = wanted_of(harness)
    if why_not:
        return "not run", why_not
    say(RUNS)
    try:
        got = hlocc.jit(harness.dyn_fun)(*arguments)
    except hlocc.HloccError as why:
        return "refused", f"{why.kind}: {why.message[:100]}"
    except Exception as why:
        return "failed", f"{type(why).__name__}: {str(why)[:100]}"
    limits = {"least": least_of(arguments),
              "singular": any(word in harness.group_name for word in SINGULAR)}
    difference = differs(got, wanted, **limits)
    # What XLA's compiled loops say of divisions by zero and the like is not always what JAX says
    # op by op: that counts, too.
    if (not difference or not differs(got, harness.dyn_fun(*arguments), **limits) or
            is_as_near(got, wanted, exact_of(harness, arguments))):
        return "agree", ""
    free = any(word in harness.group_name for word in FREE) or "isstable_False" in harness.fullname
    return ("to be judged" if free else "wrong"), difference


def work(wish, first, count):
    """A line of JSON a case, as soon as it is known, and one behind all cases of a place. A case
    that takes too long ends the process (SIGPROF)."""
    known = {(place, name) for place, name, *_ in logged(wish.log)}
    for i, make in list(enumerate(chosen(wish.set, wish.every, wish.start)))[first:first + count]:
        if (i, "") in known:
            continue
        cases = make()
        for case in cases:
            if (i, case.fullname) in known:
                continue

            def say(*words, i=i, name=case.fullname):
                print(json.dumps([i, name, *words]), flush=True)
            start = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, wish.limit)
            said = outcome(case, say)
            signal.setitimer(signal.ITIMER_PROF, 0)
            say(*said, round(time.process_time() - start, 2))
        print(json.dumps([i, "", "done" if cases else "without", "", 0]), flush=True)


def logged(path):
    """The rows of a file: place, name, outcome, words, seconds."""
    if not path or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def ended(place, name, stage, code, stderr):
    """The row of a case that ended its process."""
    last = (stderr.strip().splitlines() or [""])[-1][:100]
    slow = code == -signal.SIGPROF
    why = "takes too long" if slow else f"exit code {code}: {last}"
    if stage == ASKS:
        return [place, name, "not run", f"JAX: {why}", 0]
    return [place, name, "refused", f"time: {why}", 0] if slow else [place, name, "crashed", why, 0]


def run(wish, first, count):
    """One process; whether all of the places are done."""
    command = [sys.executable, __file__, "--set", wish.set, "--every", str(wish.every), "--start",
               str(wish.start), "--limit", str(wish.limit), "--log", str(wish.log), "--work",
               f"{first}:{count}"]
    at = None
    with (wish.log.open("a", encoding="utf-8") as log,
          tempfile.TemporaryFile("w+", encoding="utf-8") as complaints,
          subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints,
                           text=True) as worker):
        for line in worker.stdout:
            if not line.startswith("["):
                continue
            row = json.loads(line)
            at = row if row[2] in (ASKS, RUNS) else None
            if at is None:
                log.write(line)
                log.flush()
                if row[2] not in ("agree", "not run", "done", "without"):
                    print(f"{row[2]}: {row[1]}: {row[3]}", flush=True)
        worker.wait()
        complaints.seek(0)
        stderr = complaints.read()
        if worker.returncode and at is None:
            raise RuntimeError(f"{' '.join(command)}: {stderr}")
        if worker.returncode:
            log.write(json.dumps(ended(*at, worker.returncode, stderr)) + "\n")
    return worker.returncode == 0


def reasons(rows, what, words):
    """How many rows of that outcome have the same first words."""
    return collections.Counter(": ".join(row[3].split(": ")[:words])
                               for row in rows if row[2] == what)


def report(rows):
    """Prints the table; the number of cases that are not right."""
    counts = collections.Counter(row[2] for row in rows)
    judged = sum(count for what, count in counts.items() if what not in (*MARKS, "not run"))
    print(f"{judged} cases that JAX runs: {counts['agree']} agree "
          f"({100 * counts['agree'] / max(1, judged):.1f} %), "
          + ", ".join(f"{counts[what]} {what}" for what in ("refused", *BAD))
          + f"; functions without a case: {counts['without']}; seconds of the processor: "
          + f"{sum(row[4] for row in rows):.0f}")
    for what, words in (("refused", 1), ("not run", 2)):
        print(f"{what}: {counts[what]}")
        for reason, count in reasons(rows, what, words).most_common():
            print(f"  {count}: {reason}")
    for row in rows:
        if row[2] in ("refused", *BAD):
            print(f"{row[2]}: {row[1]}: {row[3]}")
    return counts["wrong"] + counts["failed"] + counts["crashed"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", choices=("harnesses", "lax", "public"), default="harnesses")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--limit", type=float, default=60, help="seconds of the processor a case")
    parser.add_argument("--log", type=pathlib.Path)
    parser.add_argument("--report", type=pathlib.Path, nargs="+")
    parser.add_argument("--work")
    wish = parser.parse_args()
    if wish.report:
        return 1 if report([row for path in wish.report for row in logged(path)]) else 0
    if wish.work:
        return work(wish, *map(int, wish.work.split(":")))
    with tempfile.TemporaryDirectory(prefix="hlocc_jax_") as folder:
        wish.log = wish.log or pathlib.Path(folder) / "log"
        total = len(chosen(wish.set, wish.every, wish.start))
        for first in range(0, total, CHUNK):
            while not run(wish, first, min(CHUNK, total - first)):
                pass
        return 1 if report(logged(wish.log)) else 0


if __name__ == "__main__":
    sys.exit(main())
