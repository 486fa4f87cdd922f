"""Large modules of one form each: what no front end writes by hand and machines do.
large_modules.py lists them beside its own.

Each function takes N, roughly the number of instructions (branches, parameters, levels where its
docstring says so), and returns HLO text.
"""


def module(name, entry, computations="", header=""):
    return f"HloModule {name}{header}\n{computations}ENTRY main {{\n" + "\n".join(entry) + "\n}\n"


def computation(name, *lines):
    return f"{name} {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def joined(*words):
    return ", ".join(words)


def numbered(name, count):
    return joined(*(f"{name}{at}" for at in range(count)))


def shapes(shape, count):
    return "(" + joined(*[shape] * count) + ")"


SUM = computation("sum", "a = f32[] parameter(0)", "b = f32[] parameter(1)",
                  "ROOT c = f32[] add(a, b)")


def pairs(count):
    """Each addition of the two before it."""
    lines = ["v0 = f32[16] parameter(0)", "v1 = f32[16] parameter(1)"]
    lines += [
        f"{'ROOT ' * (at == count + 1)}v{at} = f32[16] add(v{at - 1}, v{at - 2})"
        for at in range(2, count + 2)
    ]
    return module("pairs", lines)


def calls(count):
    """N computations, each of which calls the one before it."""
    made = computation("c0", "p = f32[4] parameter(0)", "ROOT r = f32[4] negate(p)")
    for at in range(1, count):
        made += computation(f"c{at}", "p = f32[4] parameter(0)", "n = f32[4] sine(p)",
                            f"ROOT r = f32[4] call(n), to_apply=c{at - 1}")
    return module("calls",
                  ["p = f32[4] parameter(0)", f"ROOT r = f32[4] call(p), to_apply=c{count - 1}"],
                  made)


def branches(count):
    """A conditional of N branches."""
    made = "".join(
        computation(f"b{at}", "p = f32[4] parameter(0)", f"k = f32[] constant({at})",
                    "w = f32[4] broadcast(k), dimensions={}", "ROOT r = f32[4] add(p, w)")
        for at in range(count))
    entry = [
        "i = s32[] parameter(0)", "p = f32[4] parameter(1)",
        f"ROOT r = f32[4] conditional(i, {joined(*['p'] * count)}), "
        f"branch_computations={{{numbered('b', count)}}}"
    ]
    return module("branches", entry, made)


def negated(count):
    """N parameters, each negated into a result of its own."""
    lines = [f"p{at} = f32[4] parameter({at})" for at in range(count)]
    lines += [f"n{at} = f32[4] negate(p{at})" for at in range(count)]
    return module("negated",
                  [*lines, f"ROOT r = {shapes('f32[4]', count)} tuple({numbered('n', count)})"])


def aliased(count):
    """N parameters, each counted up in place."""
    aliases = joined(*(f"{{{at}}}: ({at}, {{}}, must-alias)" for at in range(count)))
    lines = ["one = f32[] constant(1)", "ones = f32[4] broadcast(one), dimensions={}"]
    lines += [f"p{at} = f32[4] parameter({at})" for at in range(count)]
    lines += [f"n{at} = f32[4] add(p{at}, ones)" for at in range(count)]
    lines += [f"ROOT r = {shapes('f32[4]', count)} tuple({numbered('n', count)})"]
    return module("aliased", lines, header=f", input_output_alias={{ {aliases} }}")


def operands_in_place(count):
    """Operands written in place, beside instructions called nested.N."""
    lines = ["nested.0 = f32[4] parameter(0)"]
    for at in range(1, count // 2):
        lines.append(
            f"nested.{at} = f32[4] add(f32[4] negate(f32[4] nested.{at - 1}), f32[4] "
            f"nested.{at - 1})"
        )
    return module("operands", [*lines, f"ROOT r = f32[4] sine(nested.{count // 2 - 1})"])


def bodies_in_place(count):
    """Reducers written in place, beside computations called inline.N."""
    made = "".join(computation(f"inline.{at}", "a = f32[] parameter(0)", "b = f32[] parameter(1)",
                               "ROOT c = f32[] add(a, b)") for at in range(count // 4))
    body = "{ a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }".replace(
        " b =", "\n b =").replace(" ROOT", "\n ROOT").replace("{ a", "{\n a").replace(" }", "\n }")
    lines = ["p = f32[4] parameter(0)", "z = f32[] constant(0)"]
    lines += [
        f"r{at} = f32[] reduce(p, z), dimensions={{0}}, to_apply={body}" for at in range(count // 4)
    ]
    return module(
        "bodies",
        [*lines, f"ROOT r = {shapes('f32[]', count // 4)} tuple({numbered('r', count // 4)})"],
        made)


def nested_whiles(levels):
    """A while in the body of a while, N levels deep; how often they run is an argument."""
    state = "(s32[], s32[], f32[4])"

    def element(index, shape, name):
        return f"{name} = {shape} get-tuple-element(s), index={index}"

    head = [f"s = {state} parameter(0)", element(0, "s32[]", "i"), element(1, "s32[]", "n")]
    made = computation("below", *head, "ROOT r = pred[] compare(i, n), direction=LT")
    inside = ["y = f32[4] sine(x)"]
    for at in range(levels):
        made += computation(f"body{at}", *head, element(2, "f32[4]",
                                                        "x"), "one = s32[] constant(1)",
                            "j = s32[] add(i, one)", *inside, f"ROOT r = {state} tuple(j, n, y)")
        inside = [
            "zero = s32[] constant(0)", f"t = {state} tuple(zero, n, x)",
            f"w = {state} while(t), condition=below, body=body{at}",
            "y = f32[4] get-tuple-element(w), index=2"
        ]
    return module(
        "whiles",
        ["n = s32[] parameter(0)", "x = f32[4] parameter(1)", *inside, "ROOT r = f32[4] negate(y)"],
        made)


def counted_whiles(levels):
    """The same with three iterations each."""
    return nested_whiles(levels).replace("  n = s32[] get-tuple-element(s), index=1",
                                         "  n = s32[] constant(3)")


def doubled_calls(levels):
    """Each computation calls the one before it twice: 2^N paths."""
    made = computation("c0", "p = f32[4] parameter(0)", "ROOT r = f32[4] sine(p)")
    for at in range(1, levels + 1):
        made += computation(f"c{at}", "p = f32[4] parameter(0)",
                            f"a = f32[4] call(p), to_apply=c{at - 1}",
                            f"ROOT r = f32[4] call(a), to_apply=c{at - 1}")
    return module("doubled_calls",
                  ["p = f32[4] parameter(0)", f"ROOT r = f32[4] call(p), to_apply=c{levels}"], made)


def doubled_fusions(levels):
    """The same with fusions."""
    return doubled_calls(levels).replace("call(", "fusion(").replace("to_apply=",
                                                                     "kind=kLoop, calls=")


def doubled_maps(levels):
    """The same with maps of scalars."""
    made = computation("c0", "p = f32[] parameter(0)", "ROOT r = f32[] sine(p)")
    for at in range(1, levels + 1):
        made += computation(f"c{at}", "p = f32[] parameter(0)",
                            f"a = f32[] map(p), dimensions={{}}, to_apply=c{at - 1}",
                            f"ROOT r = f32[] map(a), dimensions={{}}, to_apply=c{at - 1}")
    return module("doubled_maps", [
        "p = f32[4] parameter(0)", f"ROOT r = f32[4] map(p), dimensions={{0}}, to_apply=c{levels}"
    ], made)


def doubled_conditionals(levels):
    """Both branches of each conditional are the computation before it."""
    made = computation("c0", "p = f32[] parameter(0)", "ROOT r = f32[] sine(p)")
    for at in range(1, levels + 1):
        made += computation(
            f"c{at}", "p = f32[] parameter(0)", f"k = f32[] constant({at})",
            "q = pred[] compare(p, k), direction=LT", f"ROOT r = f32[] conditional(q, p, p), "
            f"true_computation=c{at - 1}, false_computation=c{at - 1}")
    return module("doubled_conditionals",
                  ["p = f32[] parameter(0)", f"ROOT r = f32[] call(p), to_apply=c{levels}"], made)


def doubled_tuples(levels):
    """t = tuple(t, t), N times, without shapes; one element is read."""
    lines = [
        "t0 = f32[] parameter(0)",
        *(f"t{at} = tuple(t{at - 1}, t{at - 1})" for at in range(1, levels + 1))
    ]
    lines += [
        f"g{at - 1} = get-tuple-element({'t' if at == levels else 'g'}{at}), index=1"
        for at in range(levels, 0, -1)
    ]
    return module("doubled_tuples", [*lines, "ROOT r = f32[] negate(g0)"])


def transform(size):
    """A Fourier transform of N points."""
    return module("transform", [
        f"p = c64[{size}] parameter(0)",
        f"ROOT r = c64[{size}] fft(p), fft_type=FFT, fft_length={{{size}}}"
    ])


def joins(count):
    """One concatenate of N arrays."""
    lines = [f"p{at} = f32[{at % 3 + 1}] parameter({at})" for at in range(count)]
    size = sum(at % 3 + 1 for at in range(count))
    return module("joins", [
        *lines, f"c = f32[{size}] concatenate({numbered('p', count)}), dimensions={{0}}",
        f"ROOT r = f32[{size}] negate(c)"
    ])


def elements(count):
    """A tuple of N elements, taken apart and made again, twice."""
    whole = shapes("f32[4]", count // 4)
    lines = [f"t0 = {whole} parameter(0)"]
    for turn in range(2):
        lines += [
            f"g{turn}.{at} = f32[4] get-tuple-element(t{turn}), index={at}" for at in range(count //
                                                                                            4)
        ]
        lines += [f"s{turn}.{at} = f32[4] sine(g{turn}.{at})" for at in range(count // 4)]
        lines += [
            f"{'ROOT ' * turn}t{turn + 1} = {whole} tuple({numbered(f's{turn}.', count // 4)})"
        ]
    return module("elements", lines)


def deep_tuples(levels):
    """A tuple in a tuple, N levels deep, and out of it again."""
    shape, lines, inside = "f32[4]", ["t0 = f32[4] parameter(0)"], ["f32[4]"]
    for at in range(1, levels + 1):
        shape = f"({shape})"
        inside.append(shape)
        lines.append(f"t{at} = {shape} tuple(t{at - 1})")
    for at in range(levels - 1, -1, -1):
        lines.append(
            f"g{at} = {inside[at]} "
            f"get-tuple-element({f't{levels}' if at == levels - 1 else f'g{at + 1}'}), index=0"
        )
    return module("deep_tuples", [*lines, "ROOT r = f32[4] negate(g0)"])


def state_leaves(count):
    """A while over N arrays, each counted up in every iteration."""
    leaves = count // 4
    state = "(s32[], " + joined(*["f32[4]"] * leaves) + ")"
    body = [
        f"s = {state} parameter(0)", "i = s32[] get-tuple-element(s), index=0",
        "k = s32[] constant(1)", "j = s32[] add(i, k)"
    ]
    body += [f"x{at} = f32[4] get-tuple-element(s), index={at + 1}" for at in range(leaves)]
    body += [f"y{at} = f32[4] sine(x{at})" for at in range(leaves)]
    body += [f"ROOT r = {state} tuple(j, {numbered('y', leaves)})"]
    made = computation("below", f"s = {state} parameter(0)",
                       "i = s32[] get-tuple-element(s), index=0", "n = s32[] constant(100)",
                       "ROOT r = pred[] compare(i, n), direction=LT") + computation("body", *body)
    lines = [
        "zero = s32[] constant(0)", *(f"p{at} = f32[4] parameter({at})" for at in range(leaves)),
        f"t = {state} tuple(zero, {numbered('p', leaves)})",
        f"w = {state} while(t), condition=below, body=body"
    ]
    lines += [f"g{at} = f32[4] get-tuple-element(w), index={at + 1}" for at in range(leaves)]
    return module("leaves",
                  [*lines, f"ROOT r = {shapes('f32[4]', leaves)} tuple({numbered('g', leaves)})"],
                  made)


def fusions(count):
    """Fusions of eight results, each read by the next fusion."""
    inner = [f"p{at} = f32[4] parameter({at})"
             for at in range(8)] + [f"n{at} = f32[4] sine(p{at})" for at in range(8)]
    made, whole = "", shapes("f32[4]", 8)
    lines, last = [f"p{at} = f32[4] parameter({at})" for at in range(8)], numbered("p", 8)
    for at in range(count // 25):
        made += computation(f"f{at}", *inner, f"ROOT r = {whole} tuple({numbered('n', 8)})")
        lines.append(f"t{at} = {whole} fusion({last}), kind=kLoop, calls=f{at}")
        lines += [
            f"g{at}.{index} = f32[4] get-tuple-element(t{at}), index={index}" for index in range(8)
        ]
        last = numbered(f"g{at}.", 8)
    return module("fusions", [*lines, f"ROOT r = {whole} tuple({last})"], made)


def user_functions(count):
    """A chain of calls of functions of the user's, each of another name."""
    lines = ["v0 = f32[4] parameter(0)"]
    lines += [
        f"{'ROOT ' * (at == count)}v{at} = f32[4] custom-call(v{at - 1}), "
        f"custom_call_target=\"f{at}\""
        for at in range(1, count + 1)
    ]
    return module("functions", lines)


def reductions(count):
    """Arrays summed up and broadcast again, each from the one before, each with a reducer of its
    own."""
    made, lines = "", ["v0 = f32[8] parameter(0)", "z = f32[] constant(0)"]
    for at in range(1, count // 6 + 1):
        made += SUM.replace("sum", f"sum{at}")
        lines += [f"r{at} = f32[] reduce(v{at - 1}, z), dimensions={{0}}, to_apply=sum{at}",
                  f"b{at} = f32[8] broadcast(r{at}), dimensions={{}}",
                  f"{'ROOT ' * (at == count // 6)}v{at} = f32[8] subtract(v{at - 1}, b{at})"]
    return module("reductions", lines, made)


def sorts(count):
    """One sort of N arrays by the first."""
    made = computation("below", *(f"p{at} = f32[] parameter({at})" for at in range(2 * count)),
                       "ROOT r = pred[] compare(p0, p1), direction=LT")
    lines = [f"x{at} = f32[8] parameter({at})" for at in range(count)]
    return module("sorts", [
        *lines,
        f"ROOT r = {shapes('f32[8]', count)} sort({numbered('x', count)}), dimensions={{0}}, "
        "to_apply=below"
    ], made)


def scalars(count):
    """Scalar constants added up one by one."""
    lines = ["v0 = f32[] parameter(0)"]
    for at in range(1, count // 2):
        lines += [f"k{at} = f32[] constant({at})", f"v{at} = f32[] add(v{at - 1}, k{at})"]
    return module("scalars", [*lines, f"ROOT r = f32[] sine(v{count // 2 - 1})"])


def large_results(count):
    """Constants and their reversals as results of their own."""
    lines = []
    for at in range(count // 2):
        lines += [f"k{at} = f32[4] constant({{{at}, 1, 2, 3}})", f"n{at} = f32[4] add(k{at}, p)"]
    return module("results", [
        "p = f32[4] parameter(0)", *lines,
        f"ROOT r = {shapes('f32[4]', count // 2)} tuple({numbered('n', count // 2)})"
    ])


def metadata(count):
    """Names of scopes, all different, on a chain of operations."""
    lines = ["v0 = f32[4] parameter(0)"]
    for at in range(1, count + 1):
        where = f'metadata={{op_name="a/b{at}/c{at * 7 % count}/sine" source_file="f{at}.py" source_line={at}}}'
        lines.append(
            f"{'ROOT ' * (at == count)}v{at} = f32[4] {'cosine' if at % 3 else 'sine'}(v{at - 1}), "
            f"{where}"
        )
    return module("metadata", lines)


def fan_out(count):
    """One array read by N sines, which are summed up in pairs."""
    level, lines = [], ["p = f32[4] parameter(0)"]
    for at in range(count // 3):
        lines += [
            f"k{at} = f32[4] constant({{{at}, 2, 3, 4}})", f"s{at} = f32[4] multiply(p, k{at})"
        ]
        level.append(f"s{at}")
    while len(level) > 1:
        rest = level[len(level) & ~1:]
        after = []
        for a, b in zip(level[::2], level[1::2]):
            after.append(f"t{len(lines)}")
            lines.append(f"t{len(lines)} = f32[4] add({a}, {b})")
        level = after + rest
    return module("fan_out", [*lines, f"ROOT r = f32[4] negate({level[0]})"])


def updates(count):
    """One array written element by element."""
    lines = [f"v0 = f32[{count}] parameter(0)", "one = f32[1] constant({1})"]
    for at in range(1, count // 2):
        lines += [f"i{at} = s32[] constant({at})",
                  f"v{at} = f32[{count}] dynamic-update-slice(v{at - 1}, one, i{at})"]
    return module("updates", [*lines, f"ROOT r = f32[{count}] negate(v{count // 2 - 1})"])


def slices(count):
    """One array cut into its elements, which are added up one by one."""
    pieces = count // 3
    lines = [f"p = f32[{pieces}] parameter(0)", "v0 = f32[1] slice(p), slice={[0:1]}"]
    for at in range(1, pieces):
        lines += [
            f"s{at} = f32[1] slice(p), slice={{[{at}:{at + 1}]}}",
            f"v{at} = f32[1] add(v{at - 1}, s{at})"
        ]
    return module("slices", [*lines, f"ROOT r = f32[1] sine(v{pieces - 1})"])


def products(count):
    """A chain of products with matrices of its own."""
    lines = ["v0 = f32[1,4] parameter(0)"]
    for at in range(1, count // 2 + 1):
        rows = joined(*("{" + joined(*(str((at * 7 + row * 3 + col) % 11 - 5)
                                       for col in range(4))) + "}"
                        for row in range(4)))
        lines += [
            f"w{at} = f32[4,4] constant({{{rows}}})",
            f"{'ROOT ' * (at == count // 2)}v{at} = f32[1,4] dot(v{at - 1}, w{at}), "
            f"lhs_contracting_dims={{1}}, "
            "rhs_contracting_dims={0}"
        ]
    return module("products", lines)


def while_chain(count):
    """Loops behind one another."""
    state = "(s32[], f32[4])"
    made = computation("below", f"s = {state} parameter(0)",
                       "i = s32[] get-tuple-element(s), index=0", "n = s32[] constant(300)",
                       "ROOT r = pred[] compare(i, n), direction=LT")
    lines = ["x0 = f32[4] parameter(0)", "zero = s32[] constant(0)"]
    for at in range(1, count // 14 + 1):
        made += computation(f"body{at}", f"s = {state} parameter(0)",
                            "i = s32[] get-tuple-element(s), index=0",
                            "x = f32[4] get-tuple-element(s), index=1", "one = s32[] constant(1)",
                            "j = s32[] add(i, one)", "y = f32[4] sine(x)",
                            f"ROOT r = {state} tuple(j, y)")
        lines += [
            f"t{at} = {state} tuple(zero, x{at - 1})",
            f"w{at} = {state} while(t{at}), condition=below, body=body{at}",
            f"x{at} = f32[4] get-tuple-element(w{at}), index=1"
        ]
    return module("while_chain", [*lines, f"ROOT r = f32[4] negate(x{count // 14})"], made)


FORMS = {
    function.__name__: function
    for function in (pairs, calls, branches, negated, aliased, operands_in_place, bodies_in_place,
                     nested_whiles, counted_whiles, doubled_calls, doubled_fusions, doubled_maps,
                     doubled_conditionals, doubled_tuples, transform, joins, elements, deep_tuples,
                     state_leaves, fusions, user_functions, reductions, sorts, scalars,
                     large_results, metadata, fan_out, updates, slices, products, while_chain)
}
