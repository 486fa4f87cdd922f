"""The report's page in a browser without a screen: what it shows, that its table sorts, that
nothing runs out of 1280 or 400 pixels of width, and that its letters can be read in light and in
dark. Without chromium only what needs none is tested."""
import json

from browser import BROWSER, VIEWS, fits, seen
from harness import Test, main, snapshot

# Sorts the layers by their cycles, down and up, then by their names.
SORTED = """
  out.before = numbers(12);
  press(12); out.down = numbers(12); press(12); out.up = numbers(12);
  press(1); out.names = texts(1);
  out.bars = [...page.querySelectorAll(".flash .track b")].map(e => e.getBoundingClientRect()).map(r => r.width * r.height);
"""


class Page(Test):
    def page(self, *flags):
        path = self.folder / "report.html"
        self.done("analyze", snapshot("kws_dscnn"), "--html", path, *flags)
        return path.read_text()

    def test_a_page_of_its_own(self):
        page = self.page("--target", "cortex-m4f", "--target", "rv32imc", "--clock", "80MHz")
        self.assertNotRegex(page.replace('href="#', ''), r"(src|href)=|https?://|@import|url\(")
        self.assertEqual(
            page, self.page("--target", "cortex-m4f", "--target", "rv32imc", "--clock", "80MHz"))
        for text in ("KwsDscnn", "Targets side by side", "The arena over time", "Flash by section",
                     "cortex-m4f", "rv32imc", " ms"):
            self.assertIn(text, page)
        self.assertNotIn("Targets side by side", self.page("--target", "cortex-m4f"))

    def test_names_are_no_markup(self):
        model = self.folder / "odd.hlo"
        model.write_text(
            'HloModule m\n\nENTRY e {\n  x = f32[8] parameter(0)\n'
            '  ROOT y = f32[8] add(x, x), metadata={op_name="a"}\n}\n'
        )
        self.done("analyze", model, "--html", self.folder / "odd.html", "--target", "cortex-m4f",
                  "--name", "acme::Odd")
        self.assertIn("<title>acme::Odd</title>", (self.folder / "odd.html").read_text())

    def test_emitted_by_compile(self):
        self.done("compile", snapshot("kws_dscnn"), "--target", "cortex-m4f", "--emit",
                  "lib,header,report", "-o", self.folder, "-q")
        self.assertEqual(self.files(),
                         ["kws_dscnn.h", "kws_dscnn.html", "kws_dscnn.json", "libkws_dscnn.a"])
        self.assertEqual((self.folder / "kws_dscnn.html").read_text(),
                         self.page("--target", "cortex-m4f"))

    def test_in_a_browser(self):
        if not BROWSER:
            self.skipTest("chromium is not installed")
        page = self.page("--target", "cortex-m4f", "--target", "rv32imc", "--clock", "80MHz")
        told = json.loads(
            self.done("analyze", snapshot("kws_dscnn"), "--target", "cortex-m4f",
                      "--json"))["targets"][0]
        for width, dark in VIEWS:
            with self.subTest(width=width, dark=dark):
                found = seen(self, page, width, dark, SORTED)
                fits(self, found, width, dark)
                self.assertEqual(found["before"],
                                 [layer["expected_cycles"] for layer in told["layers"]])
                self.assertEqual(found["down"], sorted(found["before"], reverse=True))
                self.assertEqual(found["up"], sorted(found["before"]))
                self.assertEqual(found["names"], sorted(found["names"]))
                self.assertNotEqual(found["before"], found["up"])
                self.assertGreater(found["boxes"], 10)
                # .text and the weights, as large as they are.
                code, weights = found["bars"][:2]
                self.assertAlmostEqual(code / weights,
                                       told["code_bytes"] / told["weights_bytes"],
                                       delta=0.01)
                self.assertGreater(weights, 500)
                for text in ("Alive at the peak", "conv_general_dilated.10",
                             "What would lower them", ".rodata.kws_dscnn_weights"):
                    self.assertIn(text, found["text"])


if __name__ == "__main__":
    main()
