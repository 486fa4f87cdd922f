"""Proves throws.py: which calls throw, and which only look like those that do."""
import unittest

import throws


class ThrowsTest(unittest.TestCase):
    def found(self, text):
        return [name for _, name in throws.throwing(text)]

    def test_calls_without_an_error_code(self):
        self.assertEqual(self.found("bool b = fs::is_directory(path);"), ["is_directory"])
        self.assertEqual(self.found("x = std::filesystem::absolute(f(a, b)).string();"),
                         ["absolute"])
        self.assertEqual(self.found("std::error_code e;\nfs::create_directories(folder(e));"),
                         ["create_directories"])
        self.assertEqual(self.found("fs::temp_directory_path() / name"), ["temp_directory_path"])
        self.assertEqual(self.found("fs::directory_iterator all(folder);"), ["directory_iterator"])

    def test_calls_with_one(self):
        self.assertEqual(
            self.found("std::error_code none;\nif (fs::exists(fs::path(a) / \"x\", none)) {}"), [])
        self.assertEqual(
            self.found("void f(std::error_code& e) { fs::directory_iterator all(folder, e); }"), [])

    def test_loops_throw_even_with_one(self):
        text = "std::error_code none;\nfor (const auto& entry : fs::directory_iterator(folder, none))\n  f(entry);\n"
        self.assertEqual(self.found(text), ["a loop over directory_iterator"])
        text = "std::error_code e;\nfs::directory_iterator i(p, e);\nfor (; !e && i != fs::directory_iterator(); i.increment(e)) f();\n"
        self.assertEqual(self.found(text), [])

    def test_numbers(self):
        self.assertEqual(self.found("int x = std::stoi(text);"), ["std::stoi"])
        self.assertEqual(self.found("// std::stoi(text)\nf(\"fs::exists(path)\");"), [])


if __name__ == "__main__":
    unittest.main()
