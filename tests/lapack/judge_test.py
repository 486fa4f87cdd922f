"""judge_test.py: invariants.py refuses what is wrong. Correct factorisations of small matrices,
worked out by hand, pass; each with one thing changed breaks the invariant that is about it."""
import math
import sys

import invariants

HALF = math.sqrt(0.5)
# [0 1; -1 0]: values +-i. A shear beside a number for the triangular case.
TURN = [[0.0, 1.0], [-1.0, 0.0]]
SCHUR = {
    "a": TURN, "t": TURN, "q": [[1.0, 0.0], [0.0, 1.0]], "values": [1j, -1j], "info": 0,
    "selected": 0
}
EIGEN = {"a": TURN, "values": [1j, -1j], "left": [[HALF + 0j, HALF + 0j], [1j * HALF, -1j * HALF]],
         "right": [[HALF + 0j, HALF + 0j], [1j * HALF, -1j * HALF]], "info": 0}
# Columns of lengths 1 and 5: the second comes first; H = I - tau v v^T takes (3, 4) to (-5, 0).
QR = {
    "a": [[1.0, 3.0], [0.0, 4.0]], "packed": [[-5.0, -0.6], [0.5, -0.8]], "pivots": [2, 1],
    "tau": [1.6, 0.0], "marks": [0, 0]
}
CASES = [
    (invariants.schur, SCHUR, {}, None),
    (invariants.schur, SCHUR, {"t": [[0.0, 1.0], [-1.0001, 0.0]]}, "A - QTQ'"),
    (invariants.schur, SCHUR, {"q": [[1.0, 1e-4], [0.0, 1.0]]}, "Q'Q - 1"),
    (invariants.schur, SCHUR, {"t": [[1e-12, 1.0], [-1.0, 0.0]]}, "T is no Schur form"),
    (invariants.schur, SCHUR, {"t": [[0.0, 1.0], [1.0, 0.0]]}, "T is no Schur form"),
    (invariants.schur, SCHUR, {"values": [-1j, 1j]}, "values are not T's"),
    (invariants.schur, SCHUR, {"values": [1j, 1j]}, "trace"),
    (invariants.schur, SCHUR, {"values": [1.1j, -1.1j]}, "squares"),
    (invariants.schur, SCHUR, {"info": 1}, "error code"),
    (invariants.schur, SCHUR, {"selected": 2}, "selected"), (invariants.eigen, EIGEN, {}, None),
    (invariants.eigen, EIGEN, {"values": [-1j, 1j]}, "AV - VD"),
    (invariants.eigen, EIGEN, {"values": [-1j, 1j]}, "U'A - DU'"),
    (invariants.eigen, EIGEN, {"values": [-1j, 1j]}, "pairs"),
    (invariants.eigen, EIGEN, {"right": [[1 + 0j, 1 + 0j], [1j, -1j]]}, "lengths"),
    (invariants.eigen, EIGEN, {"right": [[0.6 + 0j, 0.6 + 0j], [0.8j, -0.8j]]}, "AV - VD"),
    (invariants.eigen, EIGEN, {"right": [[HALF * (0.6 + 0.8j)] * 2,
                                         [HALF * (-0.8 + 0.6j)] * 2]}, "largest is real"),
    (invariants.eigen, EIGEN, {"info": -4}, "error code"), (invariants.pivoted_qr, QR, {}, None),
    (invariants.pivoted_qr, QR, {"packed": [[-5.0, -0.6], [0.5, -0.81]]}, "AP - QR"),
    (invariants.pivoted_qr, QR, {"pivots": [1, 2]}, "AP - QR"),
    (invariants.pivoted_qr, QR, {"pivots": [2, 2]}, "AP - QR"),
    (invariants.pivoted_qr, QR, {"tau": [1.61, 0.0]}, "Q'Q - 1"),
    (invariants.pivoted_qr, QR, {"marks": [1, 0]}, "pivots"),
    (invariants.pivoted_qr, {
        "a": [[1.0, 3.0], [0.0, 4.0]], "packed": [[1.0, 3.0], [0.0, 4.0]], "pivots": [1, 2],
        "tau": [0.0, 0.0], "marks": [0, 0]
    }, {}, "diagonal falls"),
]


def refused(check, arguments):
    """The names of the invariants that are broken."""
    found = check("f64", **arguments)
    return {name for name, multiple in found.items() if not multiple <= invariants.LIMITS[name]}


def main():
    wrong = 0
    for check, right, change, about in CASES:
        broken = refused(check, {**right, **change})
        if (about is None and broken) or (about is not None and about not in broken):
            print(f"{check.__name__} with {change}: {sorted(broken)}, not {about}")
            wrong += 1
    for bad in (math.nan, math.inf):
        if not refused(invariants.schur, {**SCHUR, "t": [[0.0, bad], [-1.0, 0.0]]}):
            print(f"a Schur form with {bad} passes")
            wrong += 1
    if invariants.far_apart([1j, -1j, 2], [2, 1j, 1j]) != 2:
        print("a multiset with another number is near")
        wrong += 1
    named = {about for *_, about in CASES if about}
    for name in set(invariants.LIMITS) - named - {"values of a normal matrix"}:
        print(f"no case breaks {name!r}")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
