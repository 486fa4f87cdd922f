"""What mutants are made of small pieces of C++, and that the rewritten text keeps its lines."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import mutants  # noqa: E402
import probes  # noqa: E402
import rooms  # noqa: E402
import slips  # noqa: E402


def made(source):
    return sorted((m.kind, m.text, m.mutated) for m in mutants.scan("room/file.cpp", source))


def slipped(source):
    return sorted((m.kind, m.text, m.mutated) for m in slips.scan("room/file.cpp", source))


def switched(source):
    found = slips.scan("room/file.cpp", source)
    return mutants.rewritten(source, found, {m.key: n
                                             for n, m in enumerate(found)}).split("#line 1\n")[1]


class Slips(unittest.TestCase):
    def test_statements(self):
        self.assertEqual(
            slipped("void f() {\n  x.y = z;\n  g(y);\n  const int z = h(x);\n  return;\n}"),
            [("statement", "g(y)", ""), ("statement", "x.y = z", "")])
        # What an else belongs to, and what is part of a list.
        self.assertEqual(slipped("void f() {\n  if (a)\n    x = y;\n  else\n    x = z;\n}"),
                         [("statement", "x = z", "")])
        self.assertEqual(slipped("const T t = {\n  a(x),\n  b(y)};"), [])
        self.assertEqual(switched("void f() {\n  x = y;\n}"),
                         "void f() {\n  if (hlocc_mutant(0, true, false)) x = y;\n}")

    def test_steps(self):
        self.assertEqual(slipped("int f() { return n - 1 + m[i + 1] + 1.5 + 10; }"),
                         [("step", "1", "0")] * 2)
        self.assertEqual(slipped("constexpr int n = m + 1;"), [])

    def test_extremes_and_arguments(self):
        self.assertEqual(slipped("int f() { return std::min<int>(a, b + c); }"),
                         [("extreme", "std::min<int>(a, b + c)", "std::max<int>(a, b + c)")])
        self.assertEqual(
            slipped("int f() { return x.g(a, b) + h(a, 1); }\nint g(int a, int b);\nT t(a, b);"),
            [("arguments", "x.g(a, b)", "x.g(b, a)")])
        self.assertEqual(switched("int f() { return g(a, b); }"),
                         "int f() { return (hlocc_mutant(0, true, false) ? g(a, b) : g(b, a)); }")


class Made(unittest.TestCase):
    def test_clauses(self):
        self.assertEqual(made("void f() { if (a && !b) g(); }"),
                         [("clause", "!b", "true"), ("clause", "a", "true")])
        self.assertEqual(made("bool f() { return a || (b && c); }"),
                         [("clause", "(b && c)", "false"), ("clause", "a", "false"),
                          ("clause", "b", "true"), ("clause", "c", "true")])

    def test_quotes(self):
        self.assertEqual(made('bool f() { return name == "a && b" || name == "c"; }'),
                         [("clause", 'name == "a && b"', "false"),
                          ("clause", 'name == "c"', "false")])
        # Nor are texts of several lines.
        text = 'const char* t = R"(  if (code > 3) {\n    "x" return a && b;\n)";\n'
        self.assertEqual(made(text + "bool f() { return a || b; }"),
                         [("clause", "a", "false"), ("clause", "b", "false")])

    def test_refusals(self):
        self.assertEqual(made("int f() { if (odd(x)) return kNone; }"),
                         [("refusal", "odd(x)", "false")])
        self.assertEqual(made("int f() { if (odd(x)) continue; }"),
                         [("refusal", "odd(x)", "false")])
        self.assertEqual(made("int f() { if (odd(x)) return x; }"), [])

    def test_checks(self):
        made = lambda source: sorted(
            (m.kind, m.text, m.mutated) for m in mutants.scan("ops/file.cpp", source))
        self.assertEqual(made("Status f() { return check(a && n <= 2, kShape, x); }"),
                         [("bound", "n <= 2", "n <= 3"), ("clause", "a", "true"),
                          ("clause", "n <= 2", "true"), ("comparison", "n <= 2", "n < 2")])
        self.assertEqual(made("void f() { TRY(check(odd(x), kType, y)); }"),
                         [("refusal", "odd(x)", "true")])
        self.assertEqual(
            made("Status check(bool is_right, Kind kind);\nvoid f() { x.check(a, b); }"), [])

    def test_comparisons(self):
        self.assertEqual(made("bool f() { return n < m; }"), [("comparison", "n < m", "n <= m")])
        self.assertEqual(made("bool f() { return n > 4; }"), [("bound", "n > 4", "n > 5"),
                                                              ("comparison", "n > 4", "n >= 4")])
        self.assertEqual(made("int f() { return n == 2 ? 1 : 0; }"),
                         [("comparison", "n == 2", "n >= 2")])
        self.assertEqual(made("void f() { const bool x = n != 2; }"),
                         [("comparison", "n != 2", "n > 2")])

    def test_instructions_are_no_truth_values(self):
        self.assertEqual(made("inline Where operator<(Real x, double y) { return x < y; }"), [])
        self.assertEqual(made("inline bool operator<(Real x, double y) { return x < y; }"),
                         [("comparison", "x < y", "x <= y")])

    def test_what_types_promise(self):
        self.assertEqual(made("bool f() { return hlo::type_bits(t) >= 32; }"),
                         [("comparison", "hlo::type_bits(t) >= 32", "hlo::type_bits(t) > 32")])
        self.assertEqual(made("bool f() { return hlo::type_bits(t) > 1; }"),
                         [("bound", "hlo::type_bits(t) > 1", "hlo::type_bits(t) > 2"),
                          ("comparison", "hlo::type_bits(t) > 1", "hlo::type_bits(t) >= 1")])
        self.assertEqual(made("bool f() { return target.vector_bits > 0; }"),
                         [("comparison", "target.vector_bits > 0", "target.vector_bits >= 0")])
        self.assertEqual(made("bool f() { return w.stride != 1; }"), [])
        self.assertEqual(made("bool f() { return w.stride == 1; }"),
                         [("comparison", "w.stride == 1", "w.stride >= 1")])
        self.assertEqual(made("bool f() { return a.batch_group_count != 1; }"), [])
        self.assertEqual(made("bool f() { return side == 1; }"), [])
        self.assertEqual(made("bool f() { return users_[operand].size() != 1; }"), [])
        self.assertEqual(made("bool f() { return w.padding != 1; }"),
                         [("comparison", "w.padding != 1", "w.padding > 1")])

    def test_broken_lines(self):
        self.assertEqual(
            made("void f() {\n  const bool x =\n      a &&\n      b;\n  all &=\n      c || d;\n}"),
            [("clause", "a", "true"), ("clause", "b", "true"), ("clause", "c", "false"),
             ("clause", "d", "false")])
        self.assertEqual(
            made("void f() {\n  const int x =\n      a && b ? 1\n      : c || d ? 2 : 3;\n}"),
            [("clause", "a", "true"), ("clause", "b", "true"), ("clause", "c", "false"),
             ("clause", "d", "false")])
        self.assertEqual(made("int f() {\n  return\n      n == 2 ? 1 : 0;\n}"),
                         [("comparison", "n == 2", "n >= 2")])

    def test_first_turn(self):
        self.assertEqual(made("void f() { for (int i = first + 1; i < n; ++i) g(); }"),
                         [("bound", "1", "0")])

    def test_what_is_no_condition(self):
        self.assertEqual(
            made("std::vector<int> f(std::map<int, int>&& x) { return std::get<0>(x); }"), [])
        self.assertEqual(made("// if (a && b)\nconst char* s = \"if (a && b)\";"), [])
        self.assertEqual(made("constexpr bool f(int a) { return a > 1 && a < 3; }"), [])
        self.assertEqual(made("void f() { if (auto* x = g(a)) h(x); }"), [])
        self.assertEqual(made("void f() { if constexpr (a && b) h(); }"), [])

    def test_effects_happen_once(self):
        self.assertEqual(made("bool f() { return set.insert(x).second == 1; }"), [])
        self.assertEqual(made("bool f() { return (sum += x) > 7; }"), [])
        self.assertEqual(made("bool f() { if (std::rename(a, b) == 0) g(); }"), [])
        self.assertEqual(made("bool f() { if (::open(a, b) < 0) g(); }"), [])
        self.assertEqual(made("bool f() { if (vk->CreateFence(a, b) == 0) g(); }"), [])

    def test_declarations_before_a_condition(self):
        self.assertEqual(made("int f() { if (const auto x = g(); !x) return {}; }"),
                         [("refusal", "!x", "false")])


class Rewritten(unittest.TestCase):
    def test_nested(self):
        source = "bool f() {\n  return a < 2 &&\n         b;\n}\n"
        found = mutants.scan("room/file.cpp", source)
        text = mutants.rewritten(source, found, {m.key: n for n, m in enumerate(found)})
        self.assertEqual(text.count("hlocc_mutant("), 1 + 4)
        self.assertEqual(text.split("#line 1\n")[1].count("\n"), source.count("\n"))

    def test_keys_do_not_hang_on_lines(self):
        source = "bool f() { return a < 2 && b; }\n"
        keys = [m.key for m in mutants.scan("room/file.cpp", source)]
        self.assertEqual(keys, [m.key for m in mutants.scan("room/file.cpp", "\n\n" + source)])
        self.assertEqual(len(set(keys)), len(keys))

    def test_headers_in_c(self):
        source = "/* if (a && b) */\n#define F(x) \\\n  if (x && y) g()\nstatic int f(int* a, int n) { return a && n > 1; }\n"
        found = mutants.scan("runtime_stub/file.h", source)
        self.assertEqual([(m.kind, m.text) for m in found], [("clause", "a"), ("bound", "n > 1"),
                                                             ("clause", "n > 1"),
                                                             ("comparison", "n > 1")])
        head, text = mutants.rewritten_c(source, found[:1], {found[0].key: 7}).split("#line 1\n")
        # C++ includes some of them, and calls the same functions.
        self.assertIn('#ifdef __cplusplus\nextern "C" {\n#endif\nint hlocc_mutant_c(', head)
        self.assertEqual(text, source.replace("return a &&",
                                              "return hlocc_mutant_c(7, !!(a), 1) &&"))


class Rooms(unittest.TestCase):
    ROOT = Path(__file__).resolve().parent.parent.parent

    def test_every_file_has_a_room(self):
        for path in [
                *self.ROOT.glob("src/**/*.cpp"), *self.ROOT.glob("src/**/*.h"),
                *self.ROOT.glob("runtime_stub/*.h")
        ]:
            room = rooms.room_of(str(path.relative_to(self.ROOT)).removeprefix("src/"))
            self.assertTrue((self.ROOT / rooms.source_of(room.name)).is_dir(), path)

    def test_every_room_has_tests(self):
        for name in rooms.programs_of(rooms.ROOMS):
            self.assertTrue(
                (self.ROOT / "tests" / rooms.FOLDERS.get(name, name) / "CMakeLists.txt").exists(),
                name)
        self.assertEqual(rooms.room_of("kernel/share/relations.cpp").name, "kernel/share")
        self.assertEqual(rooms.room_of("kernel/kernel.h").name, "kernel")

    def test_what_is_left_out_is_not_built(self):
        kernel, common, driver = (rooms.BY_NAME[name]
                                    for name in ("kernel", "backends/common", "driver"))
        build = probes.programs_of
        self.assertEqual(build([kernel], True), ["test_kernel", "test_choices"])
        self.assertEqual(build([kernel], True, "^(choices|e2e|verify)"), ["test_kernel"])
        self.assertEqual(build([kernel], True, "kernel: one case"), ["test_kernel", "test_choices"])
        self.assertEqual(build([driver], True), ["test_driver", "hlocc"])
        self.assertEqual(build([driver], True, "^e2e"), ["test_driver", "hlocc"])
        self.assertEqual(build([driver], True, "^(e2e|verify)"), ["test_driver"])
        self.assertEqual(build([common], True, "^e2e"),
                         ["test_backends_common", "test_choices", "hlocc"])
        self.assertEqual(build([kernel], False, "^choices"),
                         ["test_kernel", "conformance", "hlocc", "hlo_fuzz"])


unittest.main()
