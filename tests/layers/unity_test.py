"""Proves unity.py: what clashes is found, what only looks like it is not."""
import pathlib
import tempfile
import unittest

import unity


class UnityTest(unittest.TestCase):
    def errors(self, *contents, folders=("src/room", "src/room")):
        """The errors in a house of files with these contents inside an anonymous namespace."""
        with tempfile.TemporaryDirectory() as folder:
            for i, (content, place) in enumerate(zip(contents, folders)):
                path = pathlib.Path(folder) / place / f"{i}.cpp"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(
                    f"namespace hlocc {{\nnamespace {{\n\n{content}\n}}  // namespace\n"
                    f"}}  // namespace hlocc\n"
                )
            return "\n".join(unity.check(pathlib.Path(folder)))

    def test_clashes(self):
        for one in ("struct Row {\n  int x;\n};", "constexpr Row rows[] = {",
                    "bool is_zero(int x) { return !x; }", "const int kMost = 3;",
                    "template <typename T>\nT require(Result<T> result) {", "class Search {"):
            self.assertIn("stands in 0.cpp too", self.errors(one, one), one)

    def test_other_types_of_one_name_clash(self):
        self.assertIn("Row",
                      self.errors("struct Row {\n  int x;\n};", "struct Row {\n  float y;\n};"))

    def test_aliases_of_two_things_clash(self):
        self.assertIn("Fields", self.errors("using Fields = A;", "using Fields = B;"))

    def test_a_function_clashes_with_a_table(self):
        self.assertIn("holds", self.errors("bool holds(int x) {", "constexpr Holds holds[] = {"))
        self.assertIn("kMost",
                      self.errors("constexpr int kFew = 1, kMost = 2;", "constexpr int kMost = 3;"))

    def test_overloads_aliases_and_other_rooms_do_not(self):
        self.assertEqual("", self.errors("int put(int x) {", "int put(float x) {"))
        self.assertEqual(
            "",
            self.errors("const A& row(A a) { return t[a]; }", "const B& row(B b) { return t[b]; }"))
        self.assertEqual(
            "", self.errors("using Bytes = std::vector<char>;", "using Bytes = std::vector<char>;"))
        self.assertEqual(
            "", self.errors("namespace fs = std::filesystem;", "namespace fs = std::filesystem;"))
        self.assertEqual(
            "", self.errors("struct Row {", "struct Row {", folders=("src/room", "src/other")))
        self.assertEqual("", self.errors('TEST_CASE("a") {', 'TEST_CASE("b") {'))

    def test_names_of_the_rooms_headers_are_hidden(self):
        for header in ("inline int put(int x) {", "inline constexpr int put = 3;"):
            with tempfile.TemporaryDirectory() as folder:
                room = pathlib.Path(folder) / "src/room"
                room.mkdir(parents=True)
                (room / "a.h").write_text(f"namespace hlocc {{\n{header}\n}}  // namespace hlocc\n")
                (room / "b.cpp").write_text(
                    "namespace hlocc {\nnamespace {\nint put(float x) {\n}\n}  // namespace\n}\n")
                self.assertIn("put stands in a.h too", "\n".join(unity.check(pathlib.Path(folder))))

    def test_a_room_is_compiled_across_its_folders(self):
        for folders in (("src/room", "src/room/inner"), ("src/backends/c", "src/backends/c/inner")):
            self.assertIn("Row", self.errors("struct Row {", "struct Row {", folders=folders))
        self.assertEqual(
            "",
            self.errors("struct Row {",
                        "struct Row {",
                        folders=("src/backends/c", "src/backends/cpu")))

    def test_names_of_the_room_are_not_meant(self):
        self.assertEqual(
            "", self.errors("}  // namespace\nint f(int x) {", "}  // namespace\nint f(int x);"))


if __name__ == "__main__":
    unittest.main()
