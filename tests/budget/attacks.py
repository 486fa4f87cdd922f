"""Models that ask for far more than their files: what budget_test.py and measure.py run the verbs
on.

    python3 tests/budget/attacks.py NAME > model.hlo.txt
    python3 tests/budget/attacks.py --list

Each is a function that returns the text, or the proto, of a model of at most a megabyte.
"""
import sys

import protos

MEGABYTE = 1 << 20
ATTACKS = {}


def attack(function):
    """A row of the table, under the function's name."""
    ATTACKS[function.__name__] = function
    return function


def module(entry, *computations, name="m"):
    return f"HloModule {name}\n\n" + "\n".join(computations) + "\nENTRY main {\n" + entry + "\n}\n"


def computation(name, *lines):
    return f"{name} {{\n  " + "\n  ".join(lines) + "\n}\n"


def fill(line, until=MEGABYTE - 4096):
    """line(0), line(1), ... as long as they fit."""
    out, size, at = [], 0, 0
    while True:
        text = line(at)
        size += len(text) + 3
        if size > until:
            return out
        out.append(text)
        at += 1


ADD = computation("add", "a = f32[] parameter(0)", "b = f32[] parameter(1)",
                  "ROOT s = f32[] add(a, b)")
LESS = computation("less", "a = f32[] parameter(0)", "b = f32[] parameter(1)",
                   "ROOT s = pred[] compare(a, b), direction=LT")


# --- doubling ---

def doubling(levels, level, shape="f32[4]"):
    """level(i): the line of level i that reads x and y, which name level i - 1 twice."""
    parts = [computation("c0", f"x = {shape} parameter(0)", f"ROOT r = {shape} negate(x)")]
    for i in range(1, levels):
        parts.append(computation(f"c{i}", f"x = {shape} parameter(0)", *level(i)))
    return module(f"  x = {shape} parameter(0)\n  ROOT r = {shape} call(x), to_apply=c{levels - 1}",
                  *parts)


@attack
def doubled_calls():
    return doubling(40, lambda i: [f"a = f32[4] call(x), to_apply=c{i - 1}",
                                   f"ROOT b = f32[4] call(a), to_apply=c{i - 1}"])


@attack
def doubled_fusions():
    return doubling(40, lambda i: [f"a = f32[4] fusion(x), kind=kLoop, calls=c{i - 1}",
                                   f"ROOT b = f32[4] fusion(a), kind=kLoop, calls=c{i - 1}"])


@attack
def doubled_maps():
    levels = 40
    text = doubling(
        levels, lambda i: [
            f"a = f32[] map(x), dimensions={{}}, to_apply=c{i - 1}",
            f"ROOT b = f32[] map(a), dimensions={{}}, to_apply=c{i - 1}"
        ], "f32[]")
    return text


@attack
def doubled_conditionals():
    return doubling(
        40, lambda i: [
            "z = f32[] constant(0)", "s = f32[1] slice(x), slice={[0:1]}", "t = f32[] reshape(s)",
            "p = pred[] compare(t, z), direction=LT",
            f"ROOT b = f32[4] conditional(p, x, x), true_computation=c{i - 1}, "
            f"false_computation=c{i - 1}"
        ])


@attack
def doubled_conditionals_apart():
    """Other computations at each branch, which call the level below by its name."""
    def level(i):
        return [
            "z = f32[] constant(0)", "s = f32[1] slice(x), slice={[0:1]}", "t = f32[] reshape(s)",
            "p = pred[] compare(t, z), direction=LT",
            f"a = f32[4] conditional(p, x, x), true_computation=c{i - 1}, "
            f"false_computation=c{i - 1}",
            f"ROOT b = f32[4] conditional(p, a, a), true_computation=c{i - 1}, "
            f"false_computation=c{i - 1}"
        ]
    return doubling(40, level)


def whiles(levels, each=1):
    parts = [
        computation("b0", "x = (s32[], f32[4]) parameter(0)",
                    "i = s32[] get-tuple-element(x), index=0",
                    "v = f32[4] get-tuple-element(x), index=1", "one = s32[] constant(1)",
                    "j = s32[] add(i, one)", "w = f32[4] tanh(v)",
                    "ROOT t = (s32[], f32[4]) tuple(j, w)"),
        computation("cond", "x = (s32[], f32[4]) parameter(0)",
                    "i = s32[] get-tuple-element(x), index=0", "n = s32[] constant(7)",
                    "ROOT p = pred[] compare(i, n), direction=LT")
    ]
    for level in range(1, levels):
        inner, before = [], "x"
        for k in range(each):
            inner.append(
                f"w{k} = (s32[], f32[4]) while({before}), condition=cond, body=b{level - 1}")
            before = f"w{k}"
        parts.append(
            computation(f"b{level}", "x = (s32[], f32[4]) parameter(0)", *inner,
                        f"i = s32[] get-tuple-element({before}), index=0",
                        f"v = f32[4] get-tuple-element({before}), index=1",
                        "one = s32[] constant(1)", "j = s32[] add(i, one)",
                        "ROOT t = (s32[], f32[4]) tuple(j, v)"))
    return module(
        "  x = f32[4] parameter(0)\n  z = s32[] constant(0)\n  t = (s32[], f32[4]) tuple(z, x)\n"
        f"  w = (s32[], f32[4]) while(t), condition=cond, body=b{levels - 1}\n"
        "  ROOT r = f32[4] get-tuple-element(w), index=1", *parts)


@attack
def nested_whiles():
    return whiles(50)


@attack
def doubled_whiles():
    return whiles(40, 2)


@attack
def doubled_tuples():
    """The shape of level i has 2^i leaves: stated for the first levels, which a reader must not
    believe."""
    lines, shape, x = ["x = f32[] parameter(0)"], "f32[]", "x"
    for i in range(14):
        shape = f"({shape}, {shape})"
        lines.append(f"t{i} = {shape} tuple({x}, {x})")
        x = f"t{i}"
    lines[-1] = "ROOT " + lines[-1]
    return module("  " + "\n  ".join(lines))


@attack
def doubled_tuples_inferred():
    """The shapes are left out: a reader that infers them doubles."""
    lines = ["x = f32[] parameter(0)", "t0 = tuple(x, x)"
             ] + [f"t{i} = tuple(t{i - 1}, t{i - 1})" for i in range(1, 29)]
    return module("  " + "\n  ".join(lines) + "\n  ROOT t29 = tuple(t28, t28)")


@attack
def reused_tuples():
    """A tuple of 2,000 leaves carried through calls, each of which states its shape by one
    operand."""
    shape = "(" + ", ".join(["f32[]"] * 2000) + ")"
    lines = [f"x = {shape} parameter(0)"]
    lines += fill(lambda i: f"t{i} = {shape} copy({'x' if i == 0 else f't{i - 1}'})",
                  MEGABYTE - 40000)
    lines[-1] = "ROOT " + lines[-1]
    return module("  " + "\n  ".join(lines))


@attack
def wide_tuples():
    """get-tuple-element of a wide tuple: its shape is copied with each."""
    count = 9000
    shape = "(" + ", ".join(["f32[]"] * count) + ")"
    lines = [f"x = {shape} parameter(0)"]
    gets = fill(lambda i: f"g{i} = f32[] get-tuple-element(x), index={i}", MEGABYTE // 2)[:count]
    lines += gets + [
        f"ROOT r = {shape} tuple({', '.join(f'g{i % len(gets)}' for i in range(count))})"
    ]
    return module("  " + "\n  ".join(lines))


@attack
def wide_while():
    """A loop that carries 4,000 values."""
    count = 4000
    shape = "(s32[], " + ", ".join(["f32[2]"] * count) + ")"
    body = [
        f"x = {shape} parameter(0)", "i = s32[] get-tuple-element(x), index=0",
        "one = s32[] constant(1)", "j = s32[] add(i, one)"
    ]
    body += [f"g{k} = f32[2] get-tuple-element(x), index={k + 1}" for k in range(count)]
    body += [f"ROOT t = {shape} tuple(j, {', '.join(f'g{(k + 1) % count}' for k in range(count))})"]
    entry = [
        "p = f32[2] parameter(0)", "z = s32[] constant(0)",
        f"t = {shape} tuple(z, {', '.join(['p'] * count)})",
        f"w = {shape} while(t), condition=cond, body=body",
        "ROOT r = f32[2] get-tuple-element(w), index=1"
    ]
    return module(
        "  " + "\n  ".join(entry), computation("body", *body),
        computation("cond", f"x = {shape} parameter(0)", "i = s32[] get-tuple-element(x), index=0",
                    "n = s32[] constant(9)", "ROOT p = pred[] compare(i, n), direction=LT"))


# --- constants that are computed ---

@attack
def many_iotas_sorted():
    """Each of the intermediate values takes 16 MB."""
    def line(i):
        return (
            f"i{i} = s32[4194304] iota(), iota_dimension=0\n  c{i} = s32[] constant({i})\n"
            f"  b{i} = s32[4194304] broadcast(c{i}), dimensions={{}}\n"
            f"  a{i} = s32[4194304] add(i{i}, b{i})\n"
            f"  s{i} = s32[1] slice(a{i}), slice={{[{i}:{i + 1}]}}")
    lines = fill(line)
    joined = ", ".join(f"s{i}" for i in range(len(lines)))
    return module("  " + "\n  ".join(lines[:3000]) +
                  f"\n  ROOT r = s32[{len(lines[:3000])}] concatenate(" +
                  ", ".join(joined.split(", ")[:3000]) + "), dimensions={0}")


@attack
def folded_sorts():
    def line(i):
        return (f"i{i} = f32[2097152] iota(), iota_dimension=0\n  n{i} = f32[2097152] sine(i{i})\n"
                f"  o{i} = f32[2097152] sort(n{i}), dimensions={{0}}, to_apply=less\n"
                f"  s{i} = f32[1] slice(o{i}), slice={{[{i}:{i + 1}]}}")
    lines = fill(line, 200000)
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[{len(lines)}] concatenate("
                  + ", ".join(f"s{i}" for i in range(len(lines))) + "), dimensions={0}", LESS)


@attack
def folded_windows():
    def line(i):
        return (
            f"i{i} = f32[1024,1024] iota(), iota_dimension=0\n"
            f"  o{i} = f32[2,2] reduce-window(i{i}, z), window={{size=1023x1023}}, to_apply=add")
    lines = fill(line, 100000)
    return module(
        "  z = f32[] constant(0)\n  " + "\n  ".join(lines) +
        f"\n  ROOT r = f32[{2 * len(lines)},2] concatenate(" +
        ", ".join(f"o{i}" for i in range(len(lines))) + "), dimensions={0}", ADD)


@attack
def folded_products():
    def line(i):
        return (
            f"i{i} = f32[1024,1024] iota(), iota_dimension={i % 2}\n"
            f"  o{i} = f32[1024,1024] dot(i{i}, i{i}), lhs_contracting_dims={{1}}, "
            f"rhs_contracting_dims={{0}}\n"
            f"  s{i} = f32[1,1] slice(o{i}), slice={{[0:1],[{i % 1024}:{i % 1024 + 1}]}}")
    lines = fill(line, 400000)
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[{len(lines)},1] concatenate("
                  + ", ".join(f"s{i}" for i in range(len(lines))) + "), dimensions={0}")


@attack
def folded_ffts():
    def line(i):
        return (f"i{i} = c64[1048573] iota(), iota_dimension=0\n"
                f"  o{i} = c64[1048573] fft(i{i}), fft_type=FFT, fft_length={{1048573}}\n"
                f"  s{i} = c64[1] slice(o{i}), slice={{[{i}:{i + 1}]}}")
    lines = fill(line, 100000)
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = c64[{len(lines)}] concatenate("
                  + ", ".join(f"s{i}" for i in range(len(lines))) + "), dimensions={0}")


@attack
def folded_scatters():
    def line(i):
        return (
            f"i{i} = s32[1048576,1] iota(), iota_dimension=0\n"
            f"  u{i} = f32[1048576] iota(), iota_dimension=0\n"
            f"  o{i} = f32[1048576] scatter(u{i}, i{i}, u{i}), update_window_dims={{}}, "
            f"inserted_window_dims={{0}}, "
            "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n"
            f"  s{i} = f32[1] slice(o{i}), slice={{[{i}:{i + 1}]}}")
    lines = fill(line, 400000)
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[{len(lines)}] concatenate("
                  + ", ".join(f"s{i}" for i in range(len(lines))) + "), dimensions={0}", ADD)


@attack
def folded_cholesky():
    def line(i):
        return (f"i{i} = f32[512,512] iota(), iota_dimension=0\n"
                f"  o{i} = f32[512,512] cholesky(i{i}), lower=true\n"
                f"  s{i} = f32[1,1] slice(o{i}), slice={{[0:1],[{i % 512}:{i % 512 + 1}]}}")
    lines = fill(line, 400000)
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[{len(lines)},1] concatenate("
                  + ", ".join(f"s{i}" for i in range(len(lines))) + "), dimensions={0}")


@attack
def folded_reduces_variadic():
    reducer = computation("two", "a = f32[] parameter(0)", "b = f32[] parameter(1)",
                          "c = f32[] parameter(2)", "d = f32[] parameter(3)",
                          "p = pred[] compare(a, c), direction=LT", "e = f32[] select(p, a, c)",
                          "f = f32[] select(p, b, d)", "ROOT t = (f32[], f32[]) tuple(e, f)")
    def line(i):
        return (
            f"i{i} = f32[4194304] iota(), iota_dimension=0\n  n{i} = f32[4194304] negate(i{i})\n"
            f"  o{i} = (f32[], f32[]) reduce(n{i}, i{i}, z, z), dimensions={{0}}, to_apply=two\n"
            f"  s{i} = f32[] get-tuple-element(o{i}), index=1")
    lines = fill(line, 200000)
    return module(
        "  z = f32[] constant(0)\n  " + "\n  ".join(lines) + "\n  ROOT r = (" +
        ", ".join(["f32[]"] * len(lines)) + ") tuple(" +
        ", ".join(f"s{i}" for i in range(len(lines))) + ")", reducer)


@attack
def elided_constants():
    """Values that the file leaves out: 1 GB each, for those who only want sizes."""
    lines = ["x = f32[268435456] parameter(0)"]
    for i in range(20):
        lines.append(f"c{i} = f32[268435456] constant({{...}})")
        lines.append(
            f"{'ROOT ' if i == 19 else ''}a{i} = f32[268435456] "
            f"add({'x' if i == 0 else f'a{i - 1}'}, c{i})"
        )
    return module("  " + "\n  ".join(lines))


@attack
def many_elided_constants():
    lines = ["x = f32[65536] parameter(0)"]
    lines += fill(lambda i: f"c{i} = f32[65536] constant({{...}})\n  a{i} = f32[65536] add("
                  f"{'x' if i == 0 else f'a{i - 1}'}, c{i})")
    at = lines[-1].rindex("a" + str(len(lines) - 2))
    return module("  " + "\n  ".join(lines[:at and None]) +
                  f"\n  ROOT r = f32[65536] negate(a{len(lines) - 2})")


# --- sizes of what is run ---

@attack
def huge_prime_fft():
    return module("  x = c64[1048573] parameter(0)\n"
                  "  ROOT y = c64[1048573] fft(x), fft_type=FFT, fft_length={1048573}")


@attack
def many_ffts():
    """Each of another prime length."""
    primes, at = [], 50021
    while len(primes) < 2000:
        if all(at % d for d in range(3, 240, 2)):
            primes.append(at)
        at += 2
    lines = [
        f"x{i} = c64[{n}] parameter({i})\n  y{i} = c64[{n}] fft(x{i}), fft_type=FFT, "
        f"fft_length={{{n}}}"
        for i, n in enumerate(primes)
    ]
    shape = "(" + ", ".join(f"c64[{n}]" for n in primes) + ")"
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = {shape} tuple(" +
                  ", ".join(f"y{i}" for i in range(len(primes))) + ")")


def custom_call(target, n, results, operands="f32[{n},{n}]"):
    shape = operands.format(n=n)
    return module(
        f"  x = {shape} parameter(0)\n  ROOT y = {results.format(n=n)} custom-call(x), "
        f'custom_call_target="{target}", api_version=API_VERSION_TYPED_FFI, '
        'backend_config="{mode = 83 : ui8, uplo = 76 : ui8, computation_mode = 65 : ui8}"')


@attack
def huge_lu():
    return custom_call("lapack_sgetrf_ffi", 20000, "(f32[{n},{n}], s32[{n}], s32[])")


@attack
def huge_qr():
    return custom_call("lapack_sgeqrf_ffi", 20000, "(f32[{n},{n}], f32[{n}])")


@attack
def huge_eigen():
    return custom_call("lapack_ssyevd_ffi", 20000, "(f32[{n},{n}], f32[{n}], s32[])")


@attack
def huge_svd():
    return custom_call("lapack_sgesdd_ffi", 20000,
                       "(f32[{n},{n}], f32[{n}], f32[{n},{n}], f32[{n},{n}], s32[])")


@attack
def many_eigens():
    def line(i):
        n = 2 + i
        return (
            f"x{i} = f32[{n},{n}] parameter({i})\n  y{i} = (f32[{n},{n}], f32[{n}], s32[]) "
            f"custom-call(x{i}), "
            'custom_call_target="lapack_ssyevd_ffi", api_version=API_VERSION_TYPED_FFI, '
            'backend_config="{mode = 86 : ui8, uplo = 76 : ui8}"\n'
            f"  v{i} = f32[{n}] get-tuple-element(y{i}), index=1")
    lines = fill(line, MEGABYTE - 100000)
    shape = "(" + ", ".join(f"f32[{2 + i}]" for i in range(len(lines))) + ")"
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = {shape} tuple(" +
                  ", ".join(f"v{i}" for i in range(len(lines))) + ")")


@attack
def huge_sort():
    return module("  x = f32[500000000] parameter(0)\n"
                  "  ROOT y = f32[500000000] sort(x), dimensions={0}, to_apply=less", LESS)


@attack
def wide_sort():
    """A sort of 4,000 operands."""
    n = 4000
    less = computation("less", *(f"p{i} = f32[] parameter({i})" for i in range(2 * n)),
                       "ROOT s = pred[] compare(p0, p1), direction=LT")
    shape = "(" + ", ".join(["f32[64]"] * n) + ")"
    return module("  " + "\n  ".join(f"x{i} = f32[64] parameter({i})" for i in range(n)) +
                  f"\n  ROOT y = {shape} sort(" + ", ".join(f"x{i}" for i in range(n)) +
                  "), dimensions={0}, to_apply=less", less)


@attack
def wide_reduce():
    """A reduction of 2,000 operands."""
    n = 2000
    both = computation(
        "both", *(f"p{i} = f32[] parameter({i})" for i in range(2 * n)),
        *(f"s{i} = f32[] add(p{i}, p{n + i})" for i in range(n)), "ROOT t = (" +
        ", ".join(["f32[]"] * n) + ") tuple(" + ", ".join(f"s{i}" for i in range(n)) + ")")
    shape = "(" + ", ".join(["f32[]"] * n) + ")"
    return module(
        "  z = f32[] constant(0)\n  " +
        "\n  ".join(f"x{i} = f32[64] parameter({i})" for i in range(n)) +
        f"\n  ROOT y = {shape} reduce(" + ", ".join(f"x{i}" for i in range(n)) + ", " +
        ", ".join(["z"] * n) + "), dimensions={0}, to_apply=both", both)


@attack
def huge_comparator():
    lines = [
        "a = f32[] parameter(0)", "b = f32[] parameter(1)", "c0 = f32[] add(a, b)",
        "c1 = f32[] multiply(c0, b)"
    ]
    lines += fill(lambda i: f"c{i + 2} = f32[] add(c{i}, c{i + 1})", 600000)
    lines.append(f"ROOT s = pred[] compare(c{len(lines) - 3}, b), direction=LT")
    return module(
        "  x = f32[1000] parameter(0)\n  ROOT y = f32[1000] sort(x), dimensions={0}, to_apply=less",
        computation("less", *lines))


@attack
def huge_window():
    return module(
        "  x = f32[40000,40000] parameter(0)\n  z = f32[] constant(0)\n"
        "  ROOT y = f32[20000,20000] reduce-window(x, z), window={size=20001x20001}, to_apply=add",
        ADD)


@attack
def deep_window():
    """120 dimensions."""
    n = 120
    shape = "f32[" + ",".join(["1"] * n) + "]"
    window = "x".join(["1"] * n)
    lines = ["x = " + shape + " parameter(0)", "z = f32[] constant(0)"]
    lines += fill(lambda i: f"w{i} = {shape} reduce-window({'x' if i == 0 else f'w{i - 1}'}, z), "
                  f"window={{size={window}}}, to_apply=add")
    lines[-1] = "ROOT " + lines[-1]
    return module("  " + "\n  ".join(lines), ADD)


@attack
def deep_transposes():
    """Arrays of 200 dimensions, turned over, each other one."""
    n = 200
    shapes = ["f32[" + ",".join("2" if keep(i) else "1" for i in range(n)) + "]"
              for keep in (lambda i: i < 20, lambda i: i >= n - 20)]
    order = ",".join(str(n - 1 - i) for i in range(n))
    lines = ["a0 = " + shapes[0] + " parameter(0)"]
    lines += fill(lambda i:
                  f"w{i} = {shapes[(i + 1) % 2]} transpose(a{i}), dimensions={{{order}}}\n"
                  f"  a{i + 1} = {shapes[(i + 1) % 2]} tanh(w{i})")
    at = len(lines) - 1
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = {shapes[at % 2]} negate(a{at})")


@attack
def deep_convolution():
    """40 spatial dimensions."""
    n = 40
    digits = "".join(chr(ord("0") + i) for i in range(10))
    spatial = digits
    shape = "f32[1,2," + ",".join(["3"] * 10) + "]"
    kernel = "f32[2,2," + ",".join(["2"] * 10) + "]"
    out = "f32[1,2," + ",".join(["2"] * 10) + "]"
    lines = [f"x{i} = {shape} parameter({2 * i})\n  k{i} = {kernel} parameter({2 * i + 1})\n"
             f"  y{i} = {out} convolution(x{i}, k{i}), window={{size={'x'.join(['2'] * 10)}}}, "
             f"dim_labels=bf{spatial}_oi{spatial}->bf{spatial}" for i in range(n)]
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = ({', '.join([out] * n)}) tuple("
                  + ", ".join(f"y{i}" for i in range(n)) + ")")


@attack
def wide_concatenate():
    lines = fill(lambda i: f"x{i} = f32[{1 + i % 7}] parameter({i})", 500000)
    total = sum(1 + i % 7 for i in range(len(lines)))
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[{total}] concatenate(" +
                  ", ".join(f"x{i}" for i in range(len(lines))) + "), dimensions={0}")


@attack
def wide_concatenate_of_slices():
    lines = fill(
        lambda i:
        f"s{i} = f32[1] slice(y), slice={{[{(7919 * i) % 100000}:{(7919 * i) % 100000 + 1}]}}",
        800000)
    return module("  x = f32[100000] parameter(0)\n  y = f32[100000] tanh(x)\n  " +
                  "\n  ".join(lines) + f"\n  ROOT r = f32[{len(lines)}] concatenate(" +
                  ", ".join(f"s{i}" for i in range(len(lines))) + "), dimensions={0}")


# --- long programs ---

@attack
def chain_of_two():
    """Each the sum of the two before it, of one element: one kernel, if fusion likes it."""
    lines = fill(lambda i: f"a{i + 2} = f32[8] add(a{i}, a{i + 1})")
    return module("  a0 = f32[8] parameter(0)\n  a1 = f32[8] parameter(1)\n  " +
                  "\n  ".join(lines) + f"\n  ROOT r = f32[8] negate(a{len(lines) + 1})")


@attack
def chain_of_slices():
    """Each level reads the one before it at two places: fused, the levels double."""
    lines, n, size = ["x = f32[5000] parameter(0)"], 0, 5000
    last, total = "x", 0
    while size > 600 and total < 900000:
        lines += [f"l{n} = f32[{size - 1}] slice({last}), slice={{[0:{size - 1}]}}",
                  f"h{n} = f32[{size - 1}] slice({last}), slice={{[1:{size}]}}",
                  f"m{n} = f32[{size - 1}] maximum(l{n}, h{n})"]
        total += sum(map(len, lines[-3:]))
        last, n, size = f"m{n}", n + 1, size - 1
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[{size}] negate({last})")


@attack
def chain_of_pads():
    lines = ["x = f32[64] parameter(0)", "z = f32[] constant(0)"]
    lines += fill(
        lambda i: f"p{i} = f32[66] pad({'x' if i == 0 else f'a{i - 1}'}, z), padding=1_1\n"
        f"  s{i} = f32[64] slice(p{i}), slice={{[0:64]}}\n"
        f"  t{i} = f32[64] slice(p{i}), slice={{[2:66]}}\n"
        f"  a{i} = f32[64] add(s{i}, t{i})")
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[64] negate(a{len(lines) - 3})")


@attack
def chain_of_gathers():
    lines = ["x = f32[64] parameter(0)", "i = s32[64,1] parameter(1)"]
    lines += fill(
        lambda i: f"a{i} = f32[64] gather({'x' if i == 0 else f'a{i - 1}'}, i), offset_dims={{}}, "
        "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}")
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[64] negate(a{len(lines) - 3})")


@attack
def chain_of_selects():
    lines = ["x = f32[64] parameter(0)", "z = f32[64] parameter(1)"]
    lines += fill(lambda i:
                  f"p{i} = pred[64] compare({'x' if i == 0 else f'a{i - 1}'}, z), direction=LT\n"
                  f"  a{i} = f32[64] select(p{i}, {'x' if i == 0 else f'a{i - 1}'}, z)")
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[64] negate(a{len(lines) - 3})")


@attack
def chain_of_tanh():
    lines = ["x = f32[64] parameter(0)"]
    lines += fill(lambda i: f"a{i} = f32[64] tanh({'x' if i == 0 else f'a{i - 1}'})")
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[64] negate(a{len(lines) - 2})")


@attack
def chain_of_dots():
    lines = ["x = f32[8,8] parameter(0)"]
    lines += fill(
        lambda i:
        f"a{i} = f32[8,8] dot({'x' if i == 0 else f'a{i - 1}'}, x), lhs_contracting_dims={{1}}, "
        "rhs_contracting_dims={0}")
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[8,8] negate(a{len(lines) - 2})")


@attack
def dots_of_other_shapes():
    """No two share a kernel."""
    lines = ["x1 = f32[1,1] parameter(0)"]
    lines += fill(
        lambda i: f"y{i} = f32[{i % 61 + 1},{i // 61 + 1}] parameter({2 * i + 1})\n"
        f"  z{i} = f32[{i // 61 + 1},{i % 53 + 1}] parameter({2 * i + 2})\n"
        f"  d{i} = f32[{i % 61 + 1},{i % 53 + 1}] dot(y{i}, z{i}), lhs_contracting_dims={{1}}, "
        "rhs_contracting_dims={0}", MEGABYTE - 140000)
    count = len(lines) - 1
    shape = ", ".join(f"f32[{i % 61 + 1},{i % 53 + 1}]" for i in range(count))
    return module("  " + "\n  ".join(lines) +
                  f"\n  ROOT r = ({shape}) tuple({', '.join(f'd{i}' for i in range(count))})")


@attack
def convolutions_of_other_shapes():
    lines = []
    lines += fill(
        lambda i: f"x{i} = f32[1,{8 + i % 13},{8 + i // 13},{1 + i % 7}] parameter({2 * i})\n"
        f"  k{i} = f32[3,3,{1 + i % 7},4] parameter({2 * i + 1})\n"
        f"  c{i} = f32[1,{8 + i % 13},{8 + i // 13},4] convolution(x{i}, k{i}), window={{size=3x3 "
        f"pad=1_1x1_1}}, "
        "dim_labels=b01f_01io->b01f", MEGABYTE - 140000)
    count = len(lines)
    shape = ", ".join(f"f32[1,{8 + i % 13},{8 + i // 13},4]" for i in range(count))
    return module("  " + "\n  ".join(lines) +
                  f"\n  ROOT r = ({shape}) tuple({', '.join(f'c{i}' for i in range(count))})")


@attack
def integers_of_bytes():
    """Chains over pairs of bytes, which are tried at all of their values."""
    def line(i):
        before = "x" if i == 0 else f"q{i - 1}"
        return (
            f"a{i} = s32[64] convert({before})\n  b{i} = s32[64] convert(y)\n"
            f"  c{i} = s32[] constant({1000003 + i})\n  d{i} = s32[64] broadcast(c{i}), "
            f"dimensions={{}}\n"
            f"  e{i} = s32[64] multiply(a{i}, d{i})\n  f{i} = s32[64] add(e{i}, b{i})\n"
            f"  g{i} = s32[] constant(21)\n  h{i} = s32[64] broadcast(g{i}), dimensions={{}}\n"
            f"  j{i} = s32[64] shift-right-arithmetic(f{i}, h{i})\n  q{i} = s8[64] convert(j{i})")
    lines = fill(line)
    return module("  x = s8[64] parameter(0)\n  y = s8[64] parameter(1)\n  " + "\n  ".join(lines) +
                  f"\n  ROOT r = s8[64] negate(q{len(lines) - 1})")


@attack
def requantised_pairs():
    """Sums of two scaled arrays of bytes in floats, rounded back to bytes, a scale of its own
    each."""
    def line(i):
        before = "x" if i == 0 else f"q{i - 1}"
        return (
            f"a{i} = f32[64] convert({before})\n  b{i} = f32[64] convert(y)\n"
            f"  c{i} = f32[] constant({0.001 * (i + 300):.6f})\n"
            f"  d{i} = f32[64] broadcast(c{i}), dimensions={{}}\n"
            f"  k{i} = f32[] constant({0.0007 * (i + 311):.6f})\n"
            f"  l{i} = f32[64] broadcast(k{i}), dimensions={{}}\n"
            f"  e{i} = f32[64] multiply(a{i}, d{i})\n  m{i} = f32[64] multiply(b{i}, l{i})\n"
            f"  f{i} = f32[64] add(e{i}, m{i})\n  g{i} = f32[64] round-nearest-even(f{i})\n"
            f"  n{i} = f32[64] clamp(lo, g{i}, hi)\n  q{i} = s8[64] convert(n{i})")
    lines = fill(line)
    return module(
        "  x = s8[64] parameter(0)\n  y = s8[64] parameter(1)\n  l = f32[] constant(-128)\n"
        "  lo = f32[64] broadcast(l), dimensions={}\n  h = f32[] constant(127)\n"
        "  hi = f32[64] broadcast(h), dimensions={}\n  " + "\n  ".join(lines) +
        f"\n  ROOT r = s8[64] negate(q{len(lines) - 1})")


@attack
def permuted_loops():
    """Loops whose values change places in cycles, one in the other."""
    cycle = 6
    shape = "(s32[], " + ", ".join(["f32[8]"] * cycle) + ")"
    gets = [
        "i = s32[] get-tuple-element(x), index=0", "one = s32[] constant(1)",
        "j = s32[] add(i, one)"
    ]
    gets += [f"g{k} = f32[8] get-tuple-element({{0}}), index={k + 1}" for k in range(cycle)]
    root = f"ROOT t = {shape} tuple(j, {', '.join(f'g{(k + 1) % cycle}' for k in range(cycle))})"
    parts = [
        computation("cond", f"x = {shape} parameter(0)", "i = s32[] get-tuple-element(x), index=0",
                    "n = s32[] constant(16)", "ROOT p = pred[] compare(i, n), direction=LT"),
        computation("b0", f"x = {shape} parameter(0)", *(g.format("x") for g in gets), root)
    ]
    for level in range(1, 60):
        parts.append(
            computation(
                f"b{level}", f"x = {shape} parameter(0)", "zero = s32[] constant(0)",
                *(f"q{k} = f32[8] get-tuple-element(x), index={k + 1}" for k in range(cycle)),
                f"s = {shape} tuple(zero, {', '.join(f'q{k}' for k in range(cycle))})",
                f"w = {shape} while(s), condition=cond, body=b{level - 1}",
                *(g.format("w") for g in gets), root))
    args = ", ".join(f"p{k}" for k in range(cycle))
    return module(
        "  " + "\n  ".join(f"p{k} = f32[8] parameter({k})" for k in range(cycle)) +
        f"\n  zero = s32[] constant(0)\n  s = {shape} tuple(zero, {args})\n"
        f"  w = {shape} while(s), condition=cond, body=b59\n"
        f"  ROOT r = f32[8] get-tuple-element(w), index=2",
        *parts)


@attack
def many_branches():
    parts = fill(
        lambda i: computation(f"b{i}", "x = f32[4] parameter(0)", f"c = f32[] constant({i})",
                              "d = f32[4] broadcast(c), dimensions={}", "ROOT r = f32[4] add(x, d)"
                              ), MEGABYTE - 200000)
    names = ", ".join(f"b{i}" for i in range(len(parts)))
    return module(
        f"  x = f32[4] parameter(0)\n  k = s32[] parameter(1)\n  ROOT r = f32[4] conditional(k, "
        f"{', '.join(['x'] * len(parts))}), branch_computations={{{names}}}", *parts)


@attack
def many_computations():
    parts = fill(
        lambda i: computation(f"b{i}", "x = f32[4] parameter(0)", "ROOT r = f32[4] tanh(x)"),
        700000)
    lines = fill(lambda i: f"a{i} = f32[4] call({'x' if i == 0 else f'a{i - 1}'}), to_apply=b{i}",
                 300000)[:len(parts)]
    lines[-1] = "ROOT " + lines[-1]
    return module("  x = f32[4] parameter(0)\n  " + "\n  ".join(lines), *parts)


@attack
def many_reducers():
    """A computation of its own for each of thousands of reductions."""
    parts = fill(
        lambda i: computation(f"b{i}", "x = f32[] parameter(0)", "y = f32[] parameter(1)",
                              f"c = f32[] constant({i})", "z = f32[] multiply(y, c)",
                              "ROOT r = f32[] add(x, z)"), 600000)
    lines = [
        f"a{i} = f32[] reduce(x, z), dimensions={{0}}, to_apply=b{i}" for i in range(len(parts))
    ]
    return module(
        "  x = f32[8] parameter(0)\n  z = f32[] constant(0)\n  " + "\n  ".join(lines) +
        f"\n  ROOT t = ({', '.join(['f32[]'] * len(parts))}) "
        f"tuple({', '.join(f'a{i}' for i in range(len(parts)))})",
        *parts)


@attack
def many_parameters():
    lines = fill(
        lambda i: f"p{i} = f32[{i % 5 + 1}] parameter({i})\n  n{i} = f32[{i % 5 + 1}] negate(p{i})",
        800000)
    shape = ", ".join(f"f32[{i % 5 + 1}]" for i in range(len(lines)))
    return module("  " + "\n  ".join(lines) +
                  f"\n  ROOT t = ({shape}) tuple({', '.join(f'n{i}' for i in range(len(lines)))})")


@attack
def many_constants():
    lines = fill(lambda i: f"c{i} = f32[] constant({i}.5)", 600000)
    return module("  " + "\n  ".join(lines) +
                  f"\n  ROOT t = ({', '.join(['f32[]'] * len(lines))}) tuple(" +
                  ", ".join(f"c{i}" for i in range(len(lines))) + ")")


@attack
def many_live_values():
    """Thousands of values of odd sizes, alive at once and read in another order."""
    count = 6500
    lines = [f"b{i} = f32[{17 + (i * 7919) % 997}] broadcast(s), dimensions={{}}\n"
             f"  e{i} = f32[{17 + (i * 7919) % 997}] tanh(b{i})" for i in range(count)]
    order = [(i * 6007) % count for i in range(count)]
    ends = [f"r{i} = f32[] reduce(e{i}, z), dimensions={{0}}, to_apply=add" for i in order]
    return module(
        "  s = f32[] parameter(0)\n  z = f32[] constant(0)\n  " + "\n  ".join(lines + ends) +
        f"\n  ROOT t = ({', '.join(['f32[]'] * count)}) "
        f"tuple({', '.join(f'r{i}' for i in range(count))})",
        ADD)


@attack
def many_custom_calls():
    lines = fill(
        lambda i:
        f'c{i} = f32[4] custom-call({"x" if i == 0 else f"c{i - 1}"}), custom_call_target="f{i}"')
    lines[-1] = "ROOT " + lines[-1]
    return module("  x = f32[4] parameter(0)\n  " + "\n  ".join(lines))


@attack
def many_random_numbers():
    lines = fill(
        lambda i:
        f"g{i} = (u64[2], u32[{i + 1}]) rng-bit-generator({'x' if i == 0 else f's{i - 1}'}), "
        f"algorithm=rng_philox\n  s{i} = u64[2] get-tuple-element(g{i}), index=0\n"
        f"  v{i} = u32[{i + 1}] get-tuple-element(g{i}), index=1", MEGABYTE - 100000)
    shape = ", ".join(f"u32[{i + 1}]" for i in range(len(lines)))
    return module("  x = u64[2] parameter(0)\n  " + "\n  ".join(lines) +
                  f"\n  ROOT t = ({shape}) tuple(" + ", ".join(f"v{i}" for i in range(len(lines))) +
                  ")")


@attack
def many_loops():
    cond = computation("cond", "x = (s32[], f32[4]) parameter(0)",
                       "i = s32[] get-tuple-element(x), index=0", "n = s32[] constant(16)",
                       "ROOT p = pred[] compare(i, n), direction=LT")
    bodies = fill(lambda i: computation(
        f"b{i}", "x = (s32[], f32[4]) parameter(0)", "i = s32[] get-tuple-element(x), index=0",
        "v = f32[4] get-tuple-element(x), index=1", "o = s32[] constant(1)", "j = s32[] add(i, o)",
        *(f"w{k} = f32[4] add({'v' if k == 0 else f'w{k - 1}'}, v)" for k in range(14)),
        "ROOT t = (s32[], f32[4]) tuple(j, w13)"), 600000)
    lines = []
    for i in range(len(bodies)):
        lines += [f"t{i} = (s32[], f32[4]) tuple(z, {'x' if i == 0 else f'v{i - 1}'})",
                  f"w{i} = (s32[], f32[4]) while(t{i}), condition=cond, body=b{i}",
                  f"v{i} = f32[4] get-tuple-element(w{i}), index=1"]
    return module("  x = f32[4] parameter(0)\n  z = s32[] constant(0)\n  " + "\n  ".join(lines) +
                  f"\n  ROOT r = f32[4] negate(v{len(bodies) - 1})", cond, *bodies)


@attack
def dynamic_sizes():
    lines = ["x = f32[<=64] parameter(0)"]
    lines += fill(
        lambda i:
        f"c{i} = f32[<=128] concatenate({'x' if i == 0 else f's{i - 1}'}, x), dimensions={{0}}\n"
        f"  s{i} = f32[<=64] slice(c{i}), slice={{[0:64]}}", 400000)
    return module("  " + "\n  ".join(lines) + f"\n  ROOT r = f32[<=64] negate(s{len(lines) - 2})")


# --- texts that unfold ---

@attack
def iota_groups():
    lines = fill(lambda i: f"a{i} = f32[4] all-reduce({'x' if i == 0 else f'a{i - 1}'}), "
                 "replica_groups=[1,1048576]<=[1048576], to_apply=add")
    lines[-1] = "ROOT " + lines[-1]
    return module("  x = f32[4] parameter(0)\n  " + "\n  ".join(lines), ADD)


@attack
def long_names():
    name = "n" * 20000
    lines = fill(lambda i: f"{name}{i} = f32[4] add({'x' if i == 0 else name + str(i - 1)}, x)")
    lines[-1] = "ROOT " + lines[-1]
    return module("  x = f32[4] parameter(0)\n  " + "\n  ".join(lines))


@attack
def one_long_name():
    """Of an instruction of a computation that is called 5,000 times."""
    name = "n" * 400000
    lines = [
        f"a{i} = f32[4] call({'x' if i == 0 else f'a{i - 1}'}), to_apply=c" for i in range(5000)
    ]
    lines[-1] = "ROOT " + lines[-1]
    return module("  x = f32[4] parameter(0)\n  " + "\n  ".join(lines),
                  computation("c", "x = f32[4] parameter(0)", f"ROOT {name} = f32[4] tanh(x)"))


@attack
def same_names():
    """Names that all want the same next number."""
    lines = fill(lambda i: f"a.{i} = f32[4] tanh({'x' if i == 0 else f'a.{i - 1}'})", 900000)
    return module("  x = f32[4] parameter(0)\n  " + "\n  ".join(lines) +
                  f"\n  ROOT a = f32[4] negate(a.{len(lines) - 1})")


@attack
def long_message():
    """A wrong shape of a hundred thousand leaves."""
    shape = "(" + ", ".join(["f32[]"] * 100000) + ")"
    return module(f"  x = {shape} parameter(0)\n  ROOT r = f32[] negate(x)")


@attack
def many_metadata():
    lines = fill(
        lambda i: f"a{i} = f32[4] tanh({'x' if i == 0 else f'a{i - 1}'}), metadata={{op_type=\"t\" "
        f"op_name=\"jit(f)/{'deep/' * 40}tanh{i}\" source_file=\"a.py\" source_line={i + 1}}}")
    lines[-1] = "ROOT " + lines[-1]
    return module("  x = f32[4] parameter(0)\n  " + "\n  ".join(lines))


@attack
def open_parentheses():
    return module("  x = " + "(" * (MEGABYTE - 100) + "\n")


@attack
def open_literal():
    return module("  ROOT x = f32[2] constant(" + "{" * (MEGABYTE - 100) + "\n")


@attack
def written_in_place():
    """Operands that are written where they are used."""
    deep = "x"
    for _ in range(90):
        deep = f"f32[4] tanh({deep})"
    lines = fill(lambda i: f"a{i} = f32[4] add(x, {deep})")
    lines[-1] = "ROOT " + lines[-1]
    return module("  x = f32[4] parameter(0)\n  " + "\n  ".join(lines))


# --- protos that unfold ---

@attack
def proto_empty_tuple_elements():
    return protos.module(protos.parameter(protos.tuple_shape([b""] * 340000)))


@attack
def proto_tokens():
    return protos.module(protos.parameter(protos.tuple_shape([protos.TOKEN] * 260000)))


@attack
def proto_deep_tuples():
    """Eighty levels, then 10,000 tokens: each level is a message inside another one."""
    shape = protos.tuple_shape([protos.TOKEN] * 10000)
    for _ in range(40):
        shape = protos.tuple_shape([shape])
    return protos.module(b"".join(protos.parameter(shape, number) for number in range(20)))


@attack
def proto_empty_instructions():
    return protos.module(protos.field(2, b"") * 500000)


@attack
def proto_empty_computations():
    main = protos.computation(protos.parameter(protos.SCALAR))
    empty = b"".join(protos.field(3, protos.number(5, i)) for i in range(2, 170000))
    return protos.field(1, b"m") + protos.field(2, b"main") + main + empty


@attack
def proto_empty_messages_within():
    """Dimension messages of a window, each of two bytes."""
    window = protos.field(15, protos.field(1, b"") * 500000)
    return protos.module(
        protos.parameter(protos.SCALAR) +
        protos.instruction(b"reduce-window", protos.SCALAR, window, (1, 1)))


@attack
def proto_empty_groups():
    return protos.module(
        protos.parameter(protos.SCALAR) + protos.instruction(b"all-reduce", protos.SCALAR,
                                                             protos.field(49, b"") * 330000, (1, )))


@attack
def proto_empty_aliases():
    return protos.module(protos.parameter(protos.SCALAR)) + protos.field(
        8,
        protos.field(1, b"") * 500000)


@attack
def proto_empty_frames():
    return protos.module(protos.parameter(protos.SCALAR)) + protos.field(
        17,
        protos.field(4, b"") * 500000)


@attack
def proto_empty_parameters():
    return protos.module(protos.parameter(protos.SCALAR)) + protos.field(
        4,
        protos.field(1, b"") * 500000)


@attack
def proto_empty_literals():
    """A literal tuple of empty literals."""
    literal = protos.field(
        8,
        protos.field(1, protos.tuple_shape([protos.TOKEN])) + protos.field(10, b"") * 500000)
    return protos.module(protos.instruction(b"constant", protos.tuple_shape([protos.TOKEN]),
                                            literal),
                         root=2)


@attack
def proto_attributes():
    entry = protos.field(1, b"k")
    return protos.module(protos.instruction(b"parameter", protos.SCALAR,
                                            protos.field(68,
                                                         protos.field(1, entry) * 150000)),
                         root=2)


@attack
def proto_bytes_for_names():
    """The same long name for every instruction, which each operand's message repeats."""
    out = b""
    for i in range(4):
        out += protos.field(
            2,
            protos.field(1, b"n" * 200000 + b"%d" % i) + protos.field(2, b"parameter") +
            protos.field(3, protos.SCALAR) + protos.number(9, i) + protos.number(35, i + 1))
    return protos.module(out)


@attack
def proto_stand_ins():
    """Constants of 1 GB whose literals the file leaves out."""
    shape = protos.array_shape(1 << 28)
    body = protos.instruction(b"parameter", shape, protos.number(9, 0), ident=1)
    for i in range(64):
        body += protos.instruction(b"constant", shape, ident=2 * i + 2)
        body += protos.instruction(b"add", shape, b"", (2 * i + 1, 2 * i + 2), ident=2 * i + 3)
    return protos.module(body, root=129)


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(ATTACKS))
        return
    model = ATTACKS[sys.argv[1]]()
    sys.stdout.buffer.write(model if isinstance(model, bytes) else model.encode())


if __name__ == "__main__":
    main()
