"""invariants.py: what must hold of a factorisation whatever its digits are, each as a multiple of n
* ulp * ||A|| (Frobenius norms, ulp the distance from 1 to the next number). Written apart from the
kernels, in double precision, and without a library.

A check gives {invariant: multiple}; LIMITS has the largest that passes. Those that hold exactly
have the limit 0; the others the threshold of LAPACK's own tests of its drivers.
"""
import math

import calls
from families import adjoint, diagonal, product

THRESHOLD = 20
LIMITS = {
    "A - QTQ'": THRESHOLD, "Q'Q - 1": THRESHOLD, "T is no Schur form": 0,
    "values are not T's": THRESHOLD, "trace": THRESHOLD, "squares": THRESHOLD, "AV - VD": THRESHOLD,
    "U'A - DU'": THRESHOLD, "lengths": THRESHOLD, "largest is real": 0, "pairs": 0,
    "values of a normal matrix": THRESHOLD, "AP - QR": THRESHOLD, "pivots": 0,
    "diagonal falls": THRESHOLD, "error code": 0, "selected": 0,
}


def norm(a):
    most = max((max(abs(x.real), abs(x.imag)) for row in a for x in row), default=0.0)
    if most == 0 or not math.isfinite(most):
        return most
    return most * math.sqrt(sum(abs(x / most) ** 2 for row in a for x in row))


def minus(a, b):
    return [[x - y for x, y in zip(*rows)] for rows in zip(a, b)]


def scaled(a, factor):
    return [[x * factor for x in row] for row in a]


def columns(a):
    return [list(column) for column in zip(*a)]


class Scale:
    """A matrix of any size brought to norm 1, so that squares of it exist, and the unit of its
    errors."""

    def __init__(self, kind, a):
        self.size = norm(a)
        self.factor = 1 / self.size if self.size >= 1e-300 else 1.0
        self.a = scaled(a, self.factor)
        # Results below the least normal number are rounded to multiples of the least one.
        self.unit = max(len(a), len(a[0])) * (calls.ulp(kind) + calls.least(kind) * self.factor)


def orthogonality(kind, q):
    return norm(minus(product(adjoint(q), q), diagonal(
        [1.0] * len(q[0])))) / (len(q) * calls.ulp(kind))


def bad_blocks(t, real):
    """How many elements keep T from being a Schur form, standardised 2x2 blocks included."""
    n, bad = len(t), sum(t[i][j] != 0 for i in range(len(t)) for j in range(i - 1))
    for k in range(n - 1):
        if t[k + 1][k] != 0:
            standard = real and t[k][k] == t[k + 1][k + 1] and (t[k][k + 1]
                                                                < 0) != (t[k + 1][k]
                                                                         < 0) and t[k][k + 1] != 0
            alone = k + 2 >= n or t[k + 2][k + 1] == 0
            bad += not (standard and alone)
    return bad


def values_of(t):
    values = [complex(t[k][k]) for k in range(len(t))]
    for k in range(len(t) - 1):
        if t[k + 1][k] != 0:
            imaginary = math.sqrt(abs(t[k][k + 1])) * math.sqrt(abs(t[k + 1][k]))
            values[k], values[k + 1] = values[k] + 1j * imaginary, values[k + 1] - 1j * imaginary
    return values


def far_apart(left, right):
    """The largest distance when each number takes the nearest one that is left."""
    right, most = list(right), 0.0
    for x in sorted(left, key=abs):
        nearest = min(right, key=lambda y: abs(x - y))
        right.remove(nearest)
        most = max(most, abs(x - nearest))
    return most


def sums(scale, values):
    """The eigenvalues together: their sum and the sum of their squares."""
    values = [x * scale.factor for x in values]
    n = len(values)
    trace = sum(scale.a[k][k] for k in range(n))
    square = sum(x * y
                 for row, column in zip(scale.a, columns(scale.a))
                 for x, y in zip(row, column))
    return {"trace": abs(sum(values) - trace) / scale.unit / math.sqrt(n),
            "squares": abs(sum(x * x for x in values) - square) / scale.unit / math.sqrt(n)}


def schur(kind, a, t, q, values, info, selected):
    scale = Scale(kind, a)
    form = scaled(t, scale.factor)
    found = {
        "A - QTQ'": norm(minus(scale.a, product(product(q, form), adjoint(q)))) / scale.unit,
        "Q'Q - 1": orthogonality(kind,
                                 q), "T is no Schur form": bad_blocks(t,
                                                                      not calls.is_complex(kind)),
        "values are not T's": max(abs(x - y) * scale.factor
                                  for x, y in zip(values, values_of(t))) / scale.unit,
        "error code": abs(info), "selected": selected
    }
    return {**found, **sums(scale, values)}


def vectors(kind, scale, a, values, v):
    """The worst of A v = lambda v, of lengths, and of the rule that the largest element is real."""
    factor, unit = scale.factor, scale.unit
    image = product(a, v)
    residual = max(norm([[x - w * factor * y for x, y in zip(*pair)]])
                   for w, *pair in zip(values, columns(image), columns(v))) / unit
    lengths = max(abs(norm([column]) - 1) for column in columns(v)) / unit
    unreal = 0
    for column in columns(v):
        largest = max(map(abs, column))
        # Rounding may make another one the largest.
        unreal += not any(x.imag == 0 for x in column if abs(x) >= largest *
                          (1 - 8 * calls.ulp(kind)))
    return residual, lengths, unreal


def conjugate_pairs(values, matrices):
    """For real matrices: how many columns break the rule that pairs follow one another, the upper
    one first."""
    bad, k = 0, 0
    while k < len(values):
        pair = values[k].imag != 0
        if pair and (k + 1 == len(values) or values[k].imag < 0
                     or values[k + 1] != values[k].conjugate()):
            return bad + 1
        for v in matrices:
            first = [row[k] for row in v]
            bad += [row[k + 1] for row in v] != [x.conjugate()
                                                 for x in first] if pair else any(x.imag
                                                                                  for x in first)
        k += 2 if pair else 1
    return bad


def eigen(kind, a, values, left, right, info):
    scale = Scale(kind, a)
    r_residual, r_lengths, r_unreal = vectors(kind, scale, scale.a, values, right)
    conjugates = [x.conjugate() for x in values]
    l_residual, l_lengths, l_unreal = vectors(kind, scale, adjoint(scale.a), conjugates, left)
    found = {"AV - VD": r_residual, "U'A - DU'": l_residual, "lengths": max(r_lengths, l_lengths),
             "largest is real": r_unreal + l_unreal, "error code": abs(info)}
    if not calls.is_complex(kind):
        found["pairs"] = conjugate_pairs(values, [left, right])
    return {**found, **sums(scale, values)}


def factor_q(packed, tau):
    """The first columns of the product of reflectors below the diagonal."""
    rows, count = len(packed), len(tau)
    q = [row[:count] for row in diagonal([1.0] * rows)] if count <= rows else []
    for k in range(count - 1, -1, -1):
        v = [0.0] * k + [1.0] + [packed[i][k] for i in range(k + 1, rows)]
        for j in range(count):
            dot = sum(x.conjugate() * q[i][j] for i, x in enumerate(v)) * tau[k]
            for i, x in enumerate(v):
                q[i][j] -= x * dot
    return q


def pivoted_qr(kind, a, packed, pivots, tau, marks):
    scale = Scale(kind, a)
    rows, width, count = len(a), len(a[0]), len(tau)
    q = factor_q(packed, tau)
    r = [[packed[i][j] * scale.factor if j >= i else 0.0
          for j in range(width)]
         for i in range(count)]
    chosen = [[row[p - 1]
               for p in pivots]
              for row in scale.a] if sorted(pivots) == list(range(1, width + 1)) else None
    fixed = [k + 1 for k, mark in enumerate(marks) if mark]
    # Each diagonal element is at least as long as what is left of any later column.
    rises = 0.0
    for k in range(len(fixed), count):
        for j in range(k + 1, width):
            rest = norm([[r[i][j]] for i in range(k, count)])
            rises = max(rises, rest - abs(r[k][k]) * (1 + math.sqrt(calls.ulp(kind))))
    return {
        "AP - QR": norm(minus(chosen, product(q, r))) / scale.unit if chosen and rows else math.inf,
        "Q'Q - 1": orthogonality(kind, q), "pivots": pivots[:len(fixed)] != fixed,
        "diagonal falls": rises / scale.unit
    }
