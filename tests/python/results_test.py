"""Results as notebooks show them, and keyword arguments as words of the command line."""
import html.parser
import types
import unittest

import hlocc
from hlocc import _html, _tool

ROW = {
    "target": "cortex-m4f", "ram_bytes": 100, "arena_bytes": 75, "instance_bytes": 25,
    "flash_bytes": 3000, "weights_bytes": 1000, "code_bytes": 2000, "stack_bytes": None,
    "expected_cycles": 1234567, "ram_cures": ["less <b>"], "flash_cures": [], "layers": [{
        "layer": "dense<1>&", "shape": "f32[1,4]", "expected_cycles": 1234567, "flash_bytes": 3000,
        "alive_bytes": 8, "macs": 16
    }]
}


class Reader(html.parser.HTMLParser):
    """Whether elements close as they open, and the text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.styles = [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.styles += [value for name, value in attrs if name == "style"]
        assert tag not in ("script", "style", "link", "img"), tag

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text.append(data)


class Results(unittest.TestCase):
    def test_analysis(self):
        found = hlocc.Analysis.of(ROW)
        shown = Reader(found._repr_html_())
        text = " ".join(shown.text)
        for words in ("dense<1>&", "less <b>", "1,234,567", "RAM 100 bytes", "arena 75",
                      "Flash 3,000 bytes", "code 2,000"):
            self.assertIn(words, text)
        self.assertTrue(any("width:75.00%" in style for style in shown.styles))
        self.assertTrue(any("width:33.33%" in style for style in shown.styles))
        self.assertIn("flash 3000 (weights 1000)", str(found))

    def test_library(self):
        members = {
            name: ROW[name]
            for name in ROW
            if name.endswith("_bytes") or name in ("target", "expected_cycles")
        }
        library = hlocc.Library(**members, files=(hlocc.File("libk.a", b"0" * 1500),))
        self.assertIn("1,500", " ".join(Reader(library._repr_html_()).text))
        self.assertNotIn("000000", repr(library))

    def test_matrix_and_cases(self):
        cell = {
            "id": "a/t", "model": "a", "target": "t", "status": "failed",
            "error": {"kind": "budget", "message": "too <much>"}, "sizes": {}, "verify": None
        }
        report = hlocc.MatrixReport.of({"cells": [cell], "broken_gates": ["a/t: RAM grew"]})
        self.assertIn("error[budget]: too <much>", " ".join(Reader(report._repr_html_()).text))
        self.assertIn("a/t: RAM grew", " ".join(Reader(report._repr_html_()).text))
        good = {**cell, "status": "known", "error": None, "verify": {"status": "passed"}}
        self.assertTrue(hlocc.MatrixReport.of({"cells": [good], "broken_gates": []}))
        self.assertFalse(hlocc.MatrixReport.of({"cells": [good], "broken_gates": ["x"]}))
        self.assertFalse(
            hlocc.MatrixReport.of(
                {"cells": [{**good, "verify": {"status": "failed"}}], "broken_gates": []}))
        verified = hlocc.Verification.of({
            "cases": [{"name": "c", "status": "skipped", "why": "no <room>", "target": "t"}],
            "exit_code": 1
        })
        self.assertFalse(verified)
        self.assertIn("no <room>", Reader(verified._repr_html_()).text)

    def test_quantized(self):
        layer = hlocc.QuantizedLayer("dense<1>", "product", (1, 10), "int8", "", 0.012345, 4000,
                                     1040)
        kept = hlocc.QuantizedLayer("sort.0", "float", (), "float", "sort is <computed> in floats")
        made = hlocc.Quantized(types.SimpleNamespace(name="net"), (layer, kept), 0.02, 4000, 1040,
                               0.98, 0.975)
        self.assertEqual(
            str(made),
            "net: 2 layers, 1 in floats, weights 4000 to 1040 bytes, error 0.02, score 0.98 to "
            "0.975"
        )
        text = Reader(made._repr_html_()).text
        for words in ("dense<1>", "1x10", "int8", "0.012", "4,000", "1,040",
                      "sort is <computed> in floats", str(made)):
            self.assertIn(words, text)
        self.assertNotIn("score", str(hlocc.Quantized(made.module, (), 0, 0, 0)))

    def test_tables(self):
        self.assertEqual(
            Reader(_html.table(["a", "b"], [[1, None], [2000, "x"]])).text,
            ["a", "b", "1", "2,000", "x"])

    def test_flags(self):
        self.assertEqual(
            _tool.flags_of({
                "level": "s", "ram_budget": "64K", "keep_arguments": True, "fast_math": False,
                "cpu": None, "arg": {0: "x", "s": "t"}, "emit": ["lib", "c"], "rtol": 0
            }), [
                "-Os", "--ram-budget", "64K", "--keep-arguments", "--arg", "0=x", "--arg", "s=t",
                "--emit", "lib", "--emit", "c", "--rtol", "0"
            ])


if __name__ == "__main__":
    unittest.main()
