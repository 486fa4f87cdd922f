"""lapack_test.py HLOCC [--count N] [--seed S] [--sizes N,...] [--type T] [--routine R] WHERE...:
geqp3, gees and geev on drawn matrices.

WHERE is a backend of `hlocc run` (interpreter, cpu, c), or a target, on whose board a program runs.
COUNT matrices a type and routine are drawn from families that are hard (families.py) and judged by
invariants (invariants.py), which no digits enter. Matrices of one size are one batch. Prints the
largest multiple of n * ulp * ||A|| of each invariant, and every matrix that breaks one, with what
draws it again.
"""
import argparse
import pathlib
import random
import struct
import sys
import tempfile

import calls
import families
import invariants

SOFT = ("cortex-m4f", "rv32imc")
BACKENDS = ("interpreter", "cpu", "c")
SIZES = "1,2,3,4,5,6,7,8,10,12,16"


def rounded(kind, a):
    """The matrix as its type holds it."""
    if calls.ulp(kind) < 1e-10:
        return a
    def nearest(x):
        return struct.unpack("<f", struct.pack("<f", x))[0]
    return [[complex(nearest(x.real), nearest(x.imag)) for x in row] for row in a]


def drawn(makers, kind, seed, count, sizes, shape):
    """{shape: [(name, matrix)]}: every family in turn, sizes at random."""
    batches, dice = {}, random.Random(f"{seed} {kind}")
    for k in range(count):
        make, size = makers[k % len(makers)], shape(dice, sizes)
        a = rounded(kind, make(dice, *size, calls.is_complex(kind)))
        batches.setdefault(size, []).append((make.__name__, a))
    return batches


def square(dice, sizes):
    return (dice.choice(sizes),)


def rectangle(dice, sizes):
    return dice.choice(sizes), dice.choice(sizes)


class Place:
    """Where calls run."""

    def __init__(self, hlocc, where, folder):
        self.hlocc, self.where, self.folder, self.runs = hlocc, where, folder, 0

    def run(self, call):
        self.runs += 1
        folder = self.folder / str(self.runs)
        if self.where in BACKENDS:
            results = call.run_here(self.hlocc, folder, ["--backend", self.where])
        else:
            results, _, _ = call.run_on_board(self.hlocc, self.where, folder)
        return [one.items() for one in results]


def eigenvalues(kind, results):
    """A list for each matrix, from the rows that a call begins with."""
    if calls.is_complex(kind):
        return results[0]
    return [[complex(*pair) for pair in zip(*parts)] for parts in zip(*results[:2])]


def check_geqp3(place, kind, matrices, dice):
    width = len(matrices[0][0])
    marks = [[int(dice.random() < 0.2)
              for _ in range(width)] if dice.random() < 0.3 else [0] * width
             for _ in matrices]
    packed, pivots, tau = place.run(calls.geqp3(kind, matrices, marks))
    for one in zip(matrices, packed, pivots, tau, marks):
        yield invariants.pivoted_qr(kind, *one)


def check_gees(place, kind, matrices, dice):
    del dice
    form, vectors, *middle, selected, info = place.run(calls.gees(kind, matrices))
    for one in zip(matrices, form, vectors, eigenvalues(kind, middle), info, selected):
        yield invariants.schur(kind, *one)


def check_geev(place, kind, matrices, dice):
    del dice
    *rows, left, right, info = place.run(calls.geev(kind, matrices))
    for one in zip(matrices, eigenvalues(kind, rows), left, right, info):
        yield invariants.eigen(kind, *one)


def check_values(place, kind, matrices, dice):
    """Eigenvalues alone, beside those of the transposed matrix's Schur form alone. Both are exact
    for matrices that differ by little, and so those of a normal matrix are near one another, in
    some order."""
    del dice
    results = place.run(calls.geev(kind, matrices, left=False, right=False))
    _, _, *rows, _, _ = place.run(
        calls.gees(kind, [invariants.columns(a) for a in matrices], vectors=False))
    for a, alone, beside, info in zip(matrices, eigenvalues(kind, results), eigenvalues(kind, rows),
                                      results[-1]):
        scale = invariants.Scale(kind, a)
        found = {"error code": abs(info), **invariants.sums(scale, alone)}
        left, right = (invariants.product(*pair)
                       for pair in ((scale.a, invariants.adjoint(scale.a)),
                                    (invariants.adjoint(scale.a), scale.a)))
        if invariants.norm(invariants.minus(left, right)) < 10 * scale.unit:
            apart = invariants.far_apart([x * scale.factor for x in alone],
                                         [x * scale.factor for x in beside])
            found["values of a normal matrix"] = apart / scale.unit
        yield found


CHECKS = {
    "geqp3": (check_geqp3, families.SHAPED, rectangle),
    "gees": (check_gees, families.UNBALANCED, square),
    "geev": (check_geev, families.FAMILIES, square),
    "values": (check_values, families.FAMILIES, square)
}


def run_check(place, name, kind, options):
    """({invariant: worst}, lines of what is broken)."""
    check, makers, shape = CHECKS[name]
    worst, broken = {}, []
    dice = random.Random(options.seed)
    for size, batch in drawn(makers, kind, options.seed, options.count,
                             sizes_of(place, kind, options), shape).items():
        names, matrices = zip(*batch)
        for number, found in enumerate(check(place, kind, list(matrices), dice)):
            for invariant, multiple in found.items():
                worst[invariant] = max(worst.get(invariant, 0), multiple)
                if not multiple <= invariants.LIMITS[invariant]:
                    broken.append(
                        f"{place.where}: {name} {kind} of {names[number]} {size}, number {number} "
                        f"of its size: "
                        f"{invariant}: {multiple:.3g} > {invariants.LIMITS[invariant]} (--seed "
                        f"{options.seed})"
                    )
    return worst, broken


def sizes_of(place, kind, options):
    """Up to 8 on boards where f64 is soft: programs of it take long there."""
    sizes = [int(n) for n in options.sizes.split(",")]
    return [n for n in sizes
            if n <= 8] if place.where in SOFT and calls.ulp(kind) < 1e-10 else sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hlocc", type=pathlib.Path)
    parser.add_argument("where", nargs="+")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--type", action="append", choices=list(calls.TYPES))
    parser.add_argument("--routine", action="append", choices=list(CHECKS))
    options = parser.parse_args()
    wrong = 0
    for where in options.where:
        for kind in options.type or calls.TYPES:
            for name in options.routine or CHECKS:
                with tempfile.TemporaryDirectory() as folder:
                    place = Place(options.hlocc, where, pathlib.Path(folder))
                    worst, broken = run_check(place, name, kind, options)
                print(f"{where:12} {name:7} {kind:5}",
                      ", ".join(f"{k} {v:.2g}" for k, v in worst.items()),
                      flush=True)
                print("\n".join(broken[:10]), end="\n" if broken else "")
                wrong += len(broken)
    print(f"{wrong} broken")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
