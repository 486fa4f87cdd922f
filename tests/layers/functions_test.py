"""Proves functions.py: what is a function, how long it is, and what only looks like one."""
import unittest

import functions

BODY = "  work();\n" * 3


class FunctionsTest(unittest.TestCase):
    def found(self, text):
        return [(name, lines) for name, _, lines in functions.functions(text)]

    def test_functions_and_their_lines(self):
        self.assertEqual(self.found(f"int f(int x) {{\n{BODY}}}\n"), [("f", 5)])
        self.assertEqual(self.found(f"A::A(int x)\n    : x_(x),\n      y_(0) {{\n{BODY}}}\n"),
                         [("A::A", 7)])
        self.assertEqual(
            self.found(f"template <typename T>\nauto A::g() const -> T {{\n{BODY}}}\n"),
            [("A::g", 6)])
        self.assertEqual(self.found(f"class A {{\n public:\n  int h() const {{\n{BODY}  }}\n}};\n"),
                         [("h", 5)])

    def test_what_is_inside_belongs_to_the_function(self):
        body = "  if (x) {\n    y();\n  }\n  const auto each = [&](int i) {\n    y(i);\n  };\n"
        self.assertEqual(self.found(f"void f() {{\n{body}}}\n"), [("f", 8)])

    def test_tables_types_and_texts_are_no_functions(self):
        self.assertEqual(self.found("constexpr Row kRows[] = {\n    {f(1), 2},\n};\n"), [])
        self.assertEqual(
            self.found("struct A {\n  int x = f(2);\n};\nnamespace b {\nenum class C { kD };\n}\n"),
            [])
        self.assertEqual(self.found('void f() { g("}{"); }  // }\n'), [("f", 1)])


if __name__ == "__main__":
    unittest.main()
