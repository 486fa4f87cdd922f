"""A page in a browser without a screen: what it shows at a width, in light or in dark, and what runs out of it."""
import json
import re
import shutil
import subprocess

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
# Both widths, light and dark.
VIEWS = [(width, dark) for width in (1280, 400) for dark in (False, True)]

# Runs in a page that holds the report in a frame of the wanted width, and leaves what it finds in the document. MORE adds to `out`.
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
  const column = (i, how) => [...page.querySelectorAll("table.layers tbody")[0].rows].map(r => how(r.cells[i]));
  const numbers = i => column(i, cell => Number(cell.dataset.n)), texts = i => column(i, cell => cell.textContent);
  const press = i => page.querySelectorAll("table.layers")[0].querySelectorAll("th button")[i].click();
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
  MORE
  document.body.dataset.found = JSON.stringify(out);
});
"""


def seen(test, page, width, dark, more):
    """What the browser finds at this width; `more` is script that adds to it."""
    text = page.replace("&", "&amp;").replace('"', "&quot;")
    holder = test.folder / "holder.html"
    holder.write_text(f'<!DOCTYPE html><body style="margin:0"><iframe id="frame" style="border:0;width:{width}px;height:900px"></iframe>'
                      f'<script>{MEASURE.replace("MORE", more)}</script><template id="t" data-page="{text}"></template>'
                      '<script>frame.srcdoc = document.getElementById("t").dataset.page;</script></body>')
    ran = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=5000",
                          f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--window-size=1400,1000",
                          f"--user-data-dir={test.folder / 'profile'}", "--dump-dom", holder.as_uri()],
                         capture_output=True, text=True, timeout=3600, check=False)
    found = re.search(r'data-found="([^"]*)"', ran.stdout)
    test.assertTrue(found, ran.stderr[-2000:])
    return json.loads(found[1].replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def fits(test, found, width, dark):
    """Nothing runs out of the page, every letter can be read, and it is as light or dark as the reader's other pages."""
    test.assertEqual((found["width"], found["overflow"], found["outside"], found["box_outside"]), (width, 0, [], 0))
    test.assertGreater(found["contrast"], 4.5)
    test.assertEqual(found["paper"] < 0.1, dark)
