"""families.py: matrices that are hard for eigenvalue and QR algorithms, after LAPACK's own testing
(working notes 18 and 41, xEIG's types) and Higham's Test Matrix Toolbox. Plain Python, so that
nothing has to be installed; a matrix is a list of rows of complex numbers, whose imaginary parts
are zero for the real types.

FAMILIES lists the makers of square matrices, make(dice, n, is_complex); UNBALANCED has one more;
SHAPED are those of any shape, for QR.
"""
import cmath
import math


def number(dice, is_complex):
    return complex(dice.gauss(0, 1), dice.gauss(0, 1) if is_complex else 0)


def shaped(dice, rows, columns, is_complex):
    return [[number(dice, is_complex) for _ in range(columns)] for _ in range(rows)]


def product(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def adjoint(a):
    return [[x.conjugate() for x in column] for column in zip(*a)]


def diagonal(values):
    return [[value if i == j else 0j for j in range(len(values))] for i, value in enumerate(values)]


def unitary(dice, n, is_complex):
    """A product of n random reflectors."""
    q = diagonal([1 + 0j] * n)
    for _ in range(n):
        v = [number(dice, is_complex) for _ in range(n)]
        scale = 2 / sum(abs(x) ** 2 for x in v)
        for row in q:
            dot = sum(x * y for x, y in zip(row, v)) * scale
            for j, x in enumerate(v):
                row[j] -= dot * x.conjugate()
    return q


def similar(dice, a, is_complex):
    q = unitary(dice, len(a), is_complex)
    return product(product(q, a), adjoint(q))


def spectrum(dice, n, is_complex):
    """Numbers of the unit disc; for a real matrix as they come in conjugate pairs."""
    values = []
    while len(values) < n:
        value = cmath.rect(dice.random(), dice.uniform(0, 2 * math.pi))
        if is_complex:
            values.append(value)
        elif len(values) + 1 < n and dice.random() < 0.6:
            values += [complex(value.real, abs(value.imag)), complex(value.real, -abs(value.imag))]
        else:
            values.append(complex(value.real))
    return values


def with_blocks(values, is_complex):
    """A normal matrix of a spectrum."""
    a = diagonal(values)
    if is_complex:
        return a
    for k, value in enumerate(values):
        if value.imag > 0:
            a[k][k] = a[k + 1][k + 1] = complex(value.real)
            a[k][k + 1], a[k + 1][k] = complex(value.imag), complex(-value.imag)
    return a


def random(dice, n, is_complex):
    return shaped(dice, n, n, is_complex)


def normal(dice, n, is_complex):
    return similar(dice, with_blocks(spectrum(dice, n, is_complex), is_complex), is_complex)


def hermitian(dice, n, is_complex):
    a = random(dice, n, is_complex)
    return [[x + y for x, y in zip(*rows)] for rows in zip(a, adjoint(a))]


def skew(dice, n, is_complex):
    a = random(dice, n, is_complex)
    return [[x - y for x, y in zip(*rows)] for rows in zip(a, adjoint(a))]


def jordan(dice, n, is_complex):
    """One eigenvalue, one vector."""
    value = number(dice, is_complex)
    return [[value if i == j else 1 + 0j if j == i + 1 else 0j for j in range(n)] for i in range(n)]


def defective(dice, n, is_complex):
    """Jordan blocks behind a unitary similarity."""
    a = diagonal([0j] * n)
    value = 0j
    for k in range(n):
        if k == 0 or dice.random() < 0.4:
            value = number(dice, is_complex)
        else:
            a[k - 1][k] = 1 + 0j
        a[k][k] = value
    return similar(dice, a, is_complex)


def clustered(dice, n, is_complex):
    """Eigenvalues that agree to half the digits of f32, or wholly."""
    return similar(dice, diagonal([1 + dice.choice([0, 1e-4, 2e-4]) + 0j for _ in range(n)]),
                   is_complex)


def graded(dice, n, is_complex):
    """Rows and columns that shrink."""
    step = 10.0 ** -dice.uniform(0.3, 20.0 / max(n, 2))
    return [[x * step**(i + j)
             for j, x in enumerate(row)]
            for i, row in enumerate(random(dice, n, is_complex))]


def graded_up(dice, n, is_complex):
    return [row[::-1] for row in graded(dice, n, is_complex)[::-1]]


def badly_balanced(dice, n, is_complex):
    """D A D^-1 with D of very different sizes."""
    d = [2.0 ** dice.randint(-8, 8) for _ in range(n)]
    return [[x * d[i] / d[j]
             for j, x in enumerate(row)]
            for i, row in enumerate(random(dice, n, is_complex))]


def huge(dice, n, is_complex):
    return [[x * 2.0 ** 120 for x in row] for row in random(dice, n, is_complex)]


def tiny(dice, n, is_complex):
    return [[x * 2.0 ** -120 for x in row] for row in random(dice, n, is_complex)]


def denormal(dice, n, is_complex):
    """Below the least normal number of f32, with few digits left."""
    return [[x * 2.0 ** -140 for x in row] for row in random(dice, n, is_complex)]


def wild(dice, n, is_complex):
    """Elements from all over the range of f32."""
    return [[x * 2.0**dice.randint(-120, 120) for x in row] for row in random(dice, n, is_complex)]


def triangular(dice, n, is_complex):
    return [[x if j >= i else 0j
             for j, x in enumerate(row)]
            for i, row in enumerate(random(dice, n, is_complex))]


def permuted(dice, n, is_complex):
    """Triangular but for the order of rows and columns, which balancing finds."""
    a, order = triangular(dice, n, is_complex), list(range(n))
    dice.shuffle(order)
    return [[a[i][j] for j in order] for i in order]


def half_permuted(dice, n, is_complex):
    """The same around a block that is full."""
    a, order = random(dice, n, is_complex), list(range(n))
    for i in range(n):
        for j in range(n):
            if j < i and (i >= n - n // 3 or j < n // 3):
                a[i][j] = 0j
    dice.shuffle(order)
    return [[a[i][j] for j in order] for i in order]


def companion(dice, n, is_complex):
    """Of a polynomial: (x - 1)^n half the time."""
    coefficients = [number(dice, is_complex) for _ in range(n)]
    if dice.random() < 0.5:
        coefficients = [complex((-1) ** (n - k) * math.comb(n, k)) for k in range(n)]
    return [[
        -coefficients[n - 1 - j] if i == 0 else 1 + 0j if j == i - 1 else 0j for j in range(n)
    ] for i in range(n)]


def cyclic(dice, n, is_complex):
    """A cyclic permutation, which usual shifts leave as it is."""
    unit = cmath.rect(1, dice.uniform(0, 6)) if is_complex else 1 + 0j
    return [[unit if j == (i + 1) % n else 0j for j in range(n)] for i in range(n)]


def frank(dice, n, is_complex):
    del dice, is_complex
    return [[complex(n - max(i, j)) if j >= i - 1 else 0j for j in range(n)] for i in range(n)]


def kahan(dice, n, is_complex):
    """Upper triangular, nearly singular, and QR with pivots does not see it."""
    del is_complex
    angle = dice.uniform(0.5, 1.4)
    s, c = math.sin(angle), math.cos(angle)
    return [[complex(s**i * (1 if i == j else -c)) if j >= i else 0j
             for j in range(n)]
            for i in range(n)]


def grcar(dice, n, is_complex):
    del dice, is_complex
    return [[-1 + 0j if j == i - 1 else 1 + 0j if 0 <= j - i <= 3 else 0j
             for j in range(n)]
            for i in range(n)]


def low_rank(dice, n, is_complex):
    rank = dice.randint(0, max(n - 1, 0))
    if rank == 0:
        return diagonal([0j] * n)
    return product(shaped(dice, n, rank, is_complex), shaped(dice, rank, n, is_complex))


def nearly_singular(dice, n, is_complex):
    a = random(dice, n, is_complex)
    a[n - 1] = [x * (1 + dice.gauss(0, 1e-7)) for x in a[0]]
    return a


def identity(dice, n, is_complex):
    return diagonal([number(dice, is_complex)] * n)


def small_integers(dice, n, is_complex):
    """Many zeros, equal elements and equal eigenvalues."""
    del is_complex
    return [[complex(dice.choice([0, 0, 0, 1, -1, 2])) for _ in range(n)] for _ in range(n)]


def loose_blocks(dice, n, is_complex):
    """Small elements in a row on the subdiagonal, where a step may begin in the middle."""
    a = triangular(dice, n, is_complex)
    for k in range(1, n):
        a[k][k - 1] = number(dice, is_complex) * dice.choice([1, 1e-3, 1e-4, 1e-6])
    return a


def nearly_equal_pairs(dice, n, is_complex):
    """2x2 blocks on the border between real values and pairs."""
    a = triangular(dice, n, is_complex)
    for k in range(0, n - 1, 2):
        a[k + 1][k + 1] = a[k][k] + dice.choice([0, 1e-7, 1e-3])
        a[k + 1][k] = -a[k][k + 1] * dice.choice([1e-14, 1e-7, 1e-3, 0, -1e-14])
    return a


FAMILIES = [
    random, normal, hermitian, skew, jordan, defective, clustered, graded, graded_up,
    badly_balanced, huge, tiny, denormal, triangular, permuted, half_permuted, companion, cyclic,
    frank, kahan, grcar, low_rank, nearly_singular, identity, small_integers, loose_blocks,
    nearly_equal_pairs
]
# Where nothing is balanced, which makes errors small beside the balanced matrix, and not beside a
# wild one (LAPACK's as well).
UNBALANCED = [*FAMILIES, wild]


def cut(make):
    """A family of square matrices as one of any shape."""
    def made(dice, rows, columns, is_complex):
        square = make(dice, max(rows, columns), is_complex)
        return [row[:columns] for row in square[:rows]]
    made.__name__ = make.__name__
    return made


SHAPED = [cut(make) for make in UNBALANCED]
