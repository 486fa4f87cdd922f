"""lapack.py: what geqp3, gees and geev cost and how exact they are, as docs/custom_calls.md has it.

    python3 bench/lapack.py residuals --count 520
    python3 bench/lapack.py cost --target cortex-m4f
    python3 bench/lapack.py turns --source lapack-3.11.0

`residuals` draws matrices as tests/lapack does and judges NumPy's and SciPy's LAPACK, which it
needs, and ours by its invariants. `cost` counts code bytes and instructions. `turns` counts steps
of the iteration beside those of LAPACK's Fortran: it needs gfortran, LAPACK's sources and
build/test_kernel, a counter is put into a copy of dlahqr and of zlahqr, and both get the same
Hessenberg matrices.
"""
import argparse
import ctypes
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "lapack"))
import calls  # noqa: E402
import families  # noqa: E402
import invariants  # noqa: E402
import lapack_test  # noqa: E402

NUMPY = {"f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}
# SciPy 1.17's sgeev and cgeev leave the eigenvalues of matrices that they scale as they are.
LEFT_OUT = {"geev": ("huge", "tiny", "denormal")}
SHOWN = {
    "geqp3": ["AP - QR", "Q'Q - 1"], "gees": ["A - QTQ'", "Q'Q - 1"],
    "geev": ["AV - VD", "U'A - DU'"]
}


def array(kind, a):
    import numpy
    values = numpy.array(a)
    return (values if calls.is_complex(kind) else values.real).astype(NUMPY[kind])


def of_scipy(name, kind, a):
    """The multiples of SciPy's factorisation of one matrix."""
    import numpy
    import scipy.linalg as linalg
    values = array(kind, a)
    if name == "geqp3":
        geqp3, = linalg.lapack.get_lapack_funcs(["geqp3"], [values])
        packed, pivots, tau, _, _ = geqp3(values)
        return invariants.pivoted_qr(kind, a, packed.tolist(), pivots.tolist(), tau.tolist(),
                                     [0] * len(a[0]))
    if name == "gees":
        form, vectors = linalg.schur(values)
        found = form.tolist()
        return invariants.schur(kind, a, found, vectors.tolist(), invariants.values_of(found), 0, 0)
    values, left, right = linalg.eig(values, left=True)
    as_complex = numpy.complex128
    return invariants.eigen(kind, a,
                            values.astype(as_complex).tolist(),
                            left.astype(as_complex).tolist(),
                            right.astype(as_complex).tolist(), 0)


def residuals(options):
    print(f"{'':16}{'median':>18}{'largest':>18}\n{'':16}" + f"{'hlocc':>9}{'LAPACK':>9}" * 2)
    for name, shown in SHOWN.items():
        check, makers, shape = lapack_test.CHECKS[name]
        makers = [make for make in makers if make.__name__ not in LEFT_OUT.get(name, ())]
        for kind in calls.TYPES:
            ours, theirs = [], []
            with tempfile.TemporaryDirectory() as folder:
                place = lapack_test.Place(options.hlocc, "cpu", pathlib.Path(folder))
                for batch in lapack_test.drawn(makers, kind, options.seed, options.count,
                                               [2, 4, 8, 16], shape).values():
                    matrices = [a for _, a in batch]
                    # A generator that never draws marks: SciPy is asked for none.
                    ours += check(place, kind, matrices, Unmarked())
                    theirs += [of_scipy(name, kind, a) for a in matrices]
            for invariant in shown:
                pair = [[one[invariant] for one in found] for found in (ours, theirs)]
                cells = [f(values) for f in (statistics.median, max) for values in pair]
                print(f"{name:6}{kind:6}{invariant:10}" + "".join(f"{x:9.2f}" for x in cells),
                      flush=True)


class Unmarked:
    @staticmethod
    def random():
        return 1.0


def cost(options):
    print("call         type   n     code  instructions")
    for name, make in (("geqp3", calls.geqp3), ("gees", calls.gees), ("eigvals", values_only),
                       ("eig", right_only)):
        for kind, sizes in (("f32", (4, 8, 16)), ("c64", (4, 8, 16)), ("f64", (4, 8))):
            for n in sizes:
                dice = random.Random(f"{options.seed} {n}")
                matrices = [
                    lapack_test.rounded(kind, families.random(dice, n, calls.is_complex(kind)))
                    for _ in range(8)
                ]
                with tempfile.TemporaryDirectory() as folder:
                    _, count, manifest = make(kind, matrices).run_on_board(options.hlocc,
                                                                           options.target,
                                                                           pathlib.Path(folder),
                                                                           count=True)
                print(
                    f"{name:12} {kind:5} {n:2} {manifest['code_bytes']:8} "
                    f"{count / len(matrices):13,.0f}",
                    flush=True)


def values_only(kind, matrices):
    return calls.geev(kind, matrices, left=False, right=False)


def right_only(kind, matrices):
    return calls.geev(kind, matrices, left=False)


# --- turns ---


def counting(source, folder, letter):
    """LAPACK's xLAHQR with a counter, loaded."""
    text = (source / "SRC" / f"{letter}lahqr.f").read_text(encoding="utf-8")
    count = "         KDEFL = KDEFL + 1\n"
    if text.count(count) != 1:
        raise SystemExit(f"{letter}lahqr.f counts its turns another way")
    text = text.replace(count, count + "         NTURNS = NTURNS + 1\n")
    # Behind the declarations.
    at = text.index("*     .. Executable Statements ..")
    text = text[:at] + "      INTEGER            NTURNS\n      COMMON /TURNS/     NTURNS\n" + text[
        at:]
    (folder / f"{letter}lahqr.f").write_text(text, encoding="utf-8")
    library = folder / f"{letter}.so"
    subprocess.run([
        "gfortran", "-O2", "-w", "-shared", "-fPIC", folder / f"{letter}lahqr.f", "-o", library,
        "-llapack", "-lblas"
    ],
                   check=True)
    return ctypes.CDLL(str(library))


def turns_of_lapack(library, letter, h):
    """(turns, info) for one Hessenberg matrix, eigenvalues alone."""
    import numpy
    n = len(h)
    ints = [ctypes.c_int(x) for x in (0, 0, n, 1, n, n, 1, n, n, 0)]
    wantt, wantz, size, low, high, lead, iloz, ihiz, ldz, info = map(ctypes.byref, ints)
    copy, values, z = numpy.asfortranarray(h), numpy.zeros((2, n), h.dtype), numpy.zeros((n, n),
                                                                                         h.dtype)
    pointer = [x.ctypes.data_as(ctypes.c_void_p) for x in (copy, values[0], values[1], z)]
    turns = ctypes.c_int.in_dll(library, "turns_")
    turns.value = 0
    middle = pointer[1:3] if letter == "d" else pointer[1:2]
    getattr(library, f"{letter}lahqr_")(wantt, wantz, size, low, high, pointer[0], lead, *middle,
                                        iloz, ihiz, pointer[3], ldz, info)
    return turns.value, ints[-1].value


def hessenberg(kind, a):
    """Balanced and reduced, as geev hands it to the iteration."""
    import numpy
    import scipy.linalg as linalg
    balanced, _ = linalg.matrix_balance(array(kind, a))
    return numpy.triu(linalg.hessenberg(balanced), -1)


def turns_here(program, kind, matrices, folder):
    """By the test program that runs the iteration in the evaluator."""
    path = folder / "matrices"
    path.write_bytes(b"".join(h.tobytes() for h in matrices))
    printed = subprocess.run(
        [program, "turns of Hessenberg matrices in a file"],
        check=True,
        capture_output=True,
        text=True,
        env={
            **os.environ, "HLOCC_MATRICES": str(path), "HLOCC_SIZE": str(len(matrices[0])),
            "HLOCC_COMPLEX": str(int(calls.is_complex(kind)))
        }).stdout
    return [int(line.split()[1]) for line in printed.splitlines() if line.startswith("turns ")]


def turns(options):
    print("type   n  matrices   hlocc  LAPACK  differ  most apart")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, letter in (("f64", "d"), ("c128", "z")):
            library = counting(options.source, folder, letter)
            for n in (4, 8, 16, 32):
                dice = random.Random(f"{options.seed} {n}")
                matrices = [
                    hessenberg(
                        kind, families.FAMILIES[k % len(families.FAMILIES)](dice, n,
                                                                            calls.is_complex(kind)))
                    for k in range(options.count)
                ]
                ours = turns_here(ROOT / "build" / "test_kernel", kind, matrices, folder)
                theirs = [turns_of_lapack(library, letter, h)[0] for h in matrices]
                apart = [abs(x - y) for x, y in zip(ours, theirs, strict=True)]
                print(
                    f"{kind:5} {n:2} {len(matrices):9} {sum(ours):7} {sum(theirs):7} "
                    f"{sum(map(bool, apart)):7} {max(apart):11}",
                    flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["residuals", "cost", "turns"])
    parser.add_argument("--hlocc", default=ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=260)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", default="cortex-m4f")
    parser.add_argument("--source", type=pathlib.Path, help="LAPACK's sources")
    options = parser.parse_args()
    {"residuals": residuals, "cost": cost, "turns": turns}[options.what](options)


if __name__ == "__main__":
    main()
