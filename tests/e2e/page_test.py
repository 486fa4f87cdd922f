"""The report's page in a browser without a screen: what it shows, that its table sorts, that nothing runs out of 1280 or 400
pixels of width, and that its letters can be read in light and in dark. Without chromium only what needs none is tested."""
import json
import re
import shutil
import subprocess

from harness import Test, main, snapshot

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")

# Runs in a page that holds the report in a frame of the wanted width, and leaves what it finds in the document.
MEASURE = """
const frame = document.getElementById("frame");
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow, out = {};
  const root = page.documentElement;
  out.width = view.innerWidth;
  out.overflow = root.scrollWidth - root.clientWidth;
  out.outside = [...page.body.querySelectorAll("*")].filter(e => !e.closest(".scroll table") && !e.closest(".map div") &&
    e.getBoundingClientRect().right > root.clientWidth + 0.5).map(e => e.outerHTML.slice(0, 80));
  out.text = page.body.innerText;
  const numbers = () => [...page.querySelectorAll("table.layers tbody")[0].rows].map(r => Number(r.cells[9].dataset.n));
  const press = i => page.querySelectorAll("table.layers")[0].querySelectorAll("th button")[i].click();
  out.before = numbers();
  press(9); out.down = numbers(); press(9); out.up = numbers();
  press(1); out.names = [...page.querySelectorAll("table.layers tbody")[0].rows].map(r => r.cells[1].textContent);
  out.bars = [...page.querySelectorAll(".flash .track b")].map(e => e.getBoundingClientRect()).map(r => r.width * r.height);
  out.boxes = page.querySelectorAll(".map div").length;
  const map = page.querySelector(".map").getBoundingClientRect();
  out.box_outside = [...page.querySelectorAll(".map")[0].querySelectorAll("div")].filter(e => {
    const r = e.getBoundingClientRect();
    return r.right > map.right + 1 || r.left < map.left - 1 || r.top < map.top - 1 || r.bottom > map.bottom + 1; }).length;
  const light = c => { const [r, g, b] = c.match(/[0-9.]+/g).map(Number).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = view.getComputedStyle(e).backgroundColor; if (!/, 0\\)|transparent/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  out.contrast = Math.min(...[...page.body.querySelectorAll("p, td, th, li, h1, h2, h3, .map div, .axis span, .bars span")].map(e => {
    const a = light(view.getComputedStyle(e).color), b = light(behind(e));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }));
  out.paper = light(view.getComputedStyle(page.body).backgroundColor);
  document.body.dataset.found = JSON.stringify(out);
});
"""


class Page(Test):
    def page(self, *flags):
        path = self.folder / "report.html"
        self.done("analyze", snapshot("kws_dscnn"), "--html", path, *flags)
        return path.read_text()

    def seen(self, page, width, dark):
        """What the browser finds at this width."""
        text = page.replace("&", "&amp;").replace('"', "&quot;")
        holder = self.folder / "holder.html"
        holder.write_text(f'<!DOCTYPE html><body style="margin:0"><iframe id="frame" style="border:0;width:{width}px;height:900px"></iframe>'
                          f'<script>{MEASURE}</script><template id="t" data-page="{text}"></template>'
                          '<script>frame.srcdoc = document.getElementById("t").dataset.page;</script></body>')
        ran = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=5000",
                              f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--window-size=1400,1000",
                              f"--user-data-dir={self.folder / 'profile'}", "--dump-dom", holder.as_uri()],
                             capture_output=True, text=True, timeout=120, check=False)
        found = re.search(r'data-found="([^"]*)"', ran.stdout)
        self.assertTrue(found, ran.stderr[-2000:])
        return json.loads(found[1].replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))

    def test_a_page_of_its_own(self):
        page = self.page("--target", "cortex-m4f", "--target", "rv32imc", "--clock", "80MHz")
        self.assertNotRegex(page, r"(src|href)=|https?://|@import|url\(")
        self.assertEqual(page, self.page("--target", "cortex-m4f", "--target", "rv32imc", "--clock", "80MHz"))
        for text in ("KwsDscnn", "Targets side by side", "The arena over time", "Flash by section", "cortex-m4f", "rv32imc", " ms"):
            self.assertIn(text, page)
        self.assertNotIn("Targets side by side", self.page("--target", "cortex-m4f"))

    def test_names_are_no_markup(self):
        model = self.folder / "odd.hlo"
        model.write_text('HloModule m\n\nENTRY e {\n  x = f32[8] parameter(0)\n  ROOT y = f32[8] add(x, x), metadata={op_name="a"}\n}\n')
        self.done("analyze", model, "--html", self.folder / "odd.html", "--target", "cortex-m4f", "--name", "acme::Odd")
        self.assertIn("<title>acme::Odd</title>", (self.folder / "odd.html").read_text())

    def test_emitted_by_compile(self):
        self.done("compile", snapshot("kws_dscnn"), "--target", "cortex-m4f", "--emit", "lib,header,report", "-o", self.folder, "-q")
        self.assertEqual(self.files(), ["kws_dscnn.h", "kws_dscnn.html", "kws_dscnn.json", "libkws_dscnn.a"])
        self.assertEqual((self.folder / "kws_dscnn.html").read_text(), self.page("--target", "cortex-m4f"))

    def test_in_a_browser(self):
        if not BROWSER:
            self.skipTest("chromium is not installed")
        page = self.page("--target", "cortex-m4f", "--target", "rv32imc", "--clock", "80MHz")
        told = json.loads(self.done("analyze", snapshot("kws_dscnn"), "--target", "cortex-m4f", "--json"))["targets"][0]
        for width, dark in ((1280, False), (400, True)):
            with self.subTest(width=width, dark=dark):
                found = self.seen(page, width, dark)
                self.assertEqual((found["width"], found["overflow"], found["outside"]), (width, 0, []))
                self.assertEqual(found["before"], [layer["expected_cycles"] for layer in told["layers"]])
                self.assertEqual(found["down"], sorted(found["before"], reverse=True))
                self.assertEqual(found["up"], sorted(found["before"]))
                self.assertEqual(found["names"], sorted(found["names"]))
                self.assertNotEqual(found["before"], found["up"])
                self.assertEqual(found["box_outside"], 0)
                self.assertGreater(found["boxes"], 10)
                # .text and the weights, as large as they are.
                code, weights = found["bars"][:2]
                self.assertAlmostEqual(code / weights, told["code_bytes"] / told["weights_bytes"], delta=0.01)
                self.assertGreater(weights, 500)
                self.assertGreater(found["contrast"], 4.5)
                self.assertEqual(found["paper"] < 0.1, dark)
                for text in ("Alive at the peak", "max.10", "What would lower them", ".rodata.kws_dscnn_weights"):
                    self.assertIn(text, found["text"])


if __name__ == "__main__":
    main()
