"""A page in a browser without a screen: what it shows at a width, in light or in dark, and what
runs out of it."""
import json
import re
import shutil
import subprocess

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
# Both widths, light and dark.
VIEWS = [(width, dark) for width in (1280, 400) for dark in (False, True)]

# Runs in a page that holds the one that is looked at in a frame of the wanted width, and leaves
# what it finds in the document; the script that is asked for stands at MORE and adds to `out`.
FRAME = """
const frame = document.getElementById("frame");
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow, out = {};
  const root = page.documentElement;
  out.width = view.innerWidth;
  out.overflow = root.scrollWidth - root.clientWidth;
  const light = c => { const [r, g, b] = c.match(/[0-9.]+/g).map(Number).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  MORE
  document.body.dataset.found = JSON.stringify(out);
});
"""
# What every report's page has; the texts of pictures are looked at by GRAPH.
MEASURE = """
  out.outside = [...page.body.querySelectorAll("*")].filter(e => !e.closest(".scroll table") && !e.closest(".map div") && !e.closest("svg") &&
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
  const behind = e => { for (; e; e = e.parentElement) { const c = view.getComputedStyle(e).backgroundColor; if (!/, 0\\)|transparent/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  out.contrast = Math.min(...[...page.body.querySelectorAll("p, td, th, li, h1, h2, h3, .map div, .axis span, .bars span")].map(e => {
    return contrast(light(view.getComputedStyle(e).color), light(behind(e))); }));
  out.paper = light(view.getComputedStyle(page.body).backgroundColor);
"""
# Of a picture of layers (src/driver/analyze/graph_picture.h): what stands where, before and after
# clusters were pressed.
GRAPH = """ {
  const picture = page.querySelector(".layers-graph"), rows = [...picture.querySelectorAll("g.row")];
  const isShown = row => row.style.display !== "none";
  const names = () => rows.filter(isShown).map(row => row.querySelector(".name").textContent);
  const state = () => rows.map(row => [row.getAttribute("transform"), isShown(row), ...[...row.querySelectorAll("rect")].map(r => r.getAttribute("height"))])
    .filter(row => row[1]).concat([...picture.querySelectorAll(".line")].map(line => line.getAttribute("d")), picture.getAttribute("height"));
  const words = [...picture.querySelectorAll(".all")], press = element => element.dispatchEvent(new view.MouseEvent("click"));
  out.graph_outside = rows.filter(isShown).map(row => row.querySelector(".box").getBoundingClientRect())
    .filter(box => box.right > root.clientWidth + 0.5 || box.width < 200 || box.height < 20).length;
  out.graph_contrast = Math.min(...[...picture.querySelectorAll("text")].filter(text => !text.closest("g") || isShown(text.closest("g"))).map(text => {
    const box = text.closest("g") ? text.closest("g").querySelector(".box") : picture.querySelector(".paper");
    return contrast(light(view.getComputedStyle(text).fill), light(view.getComputedStyle(box).fill)); }));
  out.graph_paper = light(view.getComputedStyle(picture.querySelector(".paper")).fill);
  const shades = family => new Set([...picture.querySelectorAll(".swatch")].filter(s => s.classList[1][0] === family).map(s => view.getComputedStyle(s).fill)).size;
  out.shades = [shades("c"), shades("b")];
  // Rows and lines that cross what they should not: each shown box is above the next, unless it holds it.
  out.overlaps = rows.filter(isShown).filter((row, i, all) => i && !all[i - 1].classList.contains("open") &&
    all[i - 1].querySelector(".box").getBoundingClientRect().bottom > row.querySelector(".box").getBoundingClientRect().top).length;
  const first = state();
  out.names = names();
  const clusters = rows.filter(row => row.classList.contains("cluster"));
  if (clusters.length) { press(clusters[0]); press(clusters[0]); }
  out.same_again = JSON.stringify(state()) === JSON.stringify(first);
  press(words[1]); out.folded = names();
  press(words[0]); out.opened = names(); out.lines = [...picture.querySelectorAll(".line")].map(line => line.getAttribute("d")).join("");
  out.height = Number(picture.getAttribute("height"));
} """


def measured(test, page, width, dark, script):
    """What the script finds in the page at this width."""
    text = page.replace("&", "&amp;").replace('"', "&quot;")
    holder = test.folder / "holder.html"
    holder.write_text(
        f'<!DOCTYPE html><body style="margin:0"><iframe id="frame" '
        f'style="border:0;width:{width}px;height:900px"></iframe>'
        f'<script>{FRAME.replace("MORE", script)}</script><template id="t" '
        f'data-page="{text}"></template>'
        '<script>frame.srcdoc = document.getElementById("t").dataset.page;</script></body>')
    ran = subprocess.run([
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--virtual-time-budget=5000", f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        "--window-size=1400,1000", f"--user-data-dir={test.folder / 'profile'}", "--dump-dom",
        holder.as_uri()
    ],
                         capture_output=True,
                         text=True,
                         timeout=3600,
                         check=False)
    found = re.search(r'data-found="([^"]*)"', ran.stdout)
    test.assertTrue(found, ran.stderr[-2000:])
    return json.loads(found[1].replace("&quot;",
                                       '"').replace("&lt;", "<").replace("&gt;",
                                                                         ">").replace("&amp;", "&"))


def seen(test, page, width, dark, more):
    """What the browser finds in a report's page at this width; `more` is script that adds to it."""
    return measured(test, page, width, dark, MEASURE + more)


def fits(test, found, width, dark):
    """Nothing runs out of the page, every letter can be read, and it is as light or dark as the
    reader's other pages."""
    test.assertEqual((found["width"], found["overflow"], found["outside"], found["box_outside"]),
                     (width, 0, [], 0))
    test.assertGreater(found["contrast"], 4.5)
    test.assertEqual(found["paper"] < 0.1, dark)
