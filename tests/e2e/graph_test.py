"""The picture of a model's layers: what stands in it, which row reads what whom made, how clusters
are made of names, loops and branches, and, in a browser without a screen, that it folds, that
nothing runs out of 400 or 1280 pixels and that its letters can be read in light and in dark.
Without chromium only what needs none is tested."""
import json
import re
import xml.etree.ElementTree as ElementTree

from browser import BROWSER, GRAPH, VIEWS, fits, measured, seen
from harness import ROOT, Test, hlocc, main, snapshot

SVG = "{http://www.w3.org/2000/svg}"
# b reads what a made, c both of it; the names of b and c have a part in common.
DIAMOND = """HloModule diamond
ENTRY e {
  x = f32[1,64] parameter(0)
  w = f32[64,64] constant({...})
  a = f32[1,64] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/in/a"}
  b = f32[1,64] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/mid/<b>&"}
  m = f32[64,1] reshape(a)
  c = f32[1,1] dot(b, m), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/mid/c"}
  ROOT t = (f32[1,1], f32[1,64]) tuple(c, b)
}
"""


def chain(layers, metadata):
    """So many products one after the other; `metadata` makes the name of each."""
    text = "HloModule chain\nENTRY e {\n  x = f32[1,8] parameter(0)\n  w = f32[8,8] constant({...})\n"
    for i in range(layers):
        text += (
            f"  d{i} = f32[1,8] dot({f'd{i - 1}' if i else 'x'}, w), lhs_contracting_dims={{1}}, "
            f"rhs_contracting_dims={{0}}"
            f"{metadata(i)}\n")
    return text + f"  ROOT r = f32[1,8] negate(d{layers - 1})\n}}\n"


def named(i):
    return f', metadata={{op_name="jit(f)/stage_{i // 1000}/block_{i // 20}/dot_{i}"}}'


class Row:
    def __init__(self, element):
        words = element.get("class").split()
        self.kind, self.is_open = words[1], "open" in words
        self.parent, self.end = int(element.get("data-in")), int(element.get("data-end"))
        self.is_shown = element.get("style") is None
        self.name = element.find(f"{SVG}text").text
        self.hint = element.find(f"{SVG}title").text
        self.shades = [rect.get("class").split()[1] for rect in element.findall(f"{SVG}rect")]


class Graph(Test):
    def model(self, text):
        path = self.folder / "model.hlo.txt"
        path.write_text(text)
        return path

    def picture(self, model, *flags):
        return self.done("inspect", model, "--target", "cortex-m4f", "--graph", "svg", *flags)

    def rows(self, picture):
        """Each row, and which name reads of which."""
        root = ElementTree.fromstring(picture)
        rows = [Row(element) for element in root.iter(f"{SVG}g")]
        numbers = [int(text) for text in (root.get("data-edges") or "").split()]
        return rows, [(rows[a].name, rows[b].name) for a, b in zip(numbers[::2], numbers[1::2])]

    def test_rows_are_the_layers_that_analyze_has(self):
        for name in ("kws_dscnn", "lstm_scan", "tiny_gpt_decode", "cnn_digits_int8"):
            rows, _ = self.rows(self.picture(snapshot(name)))
            told, = json.loads(
                self.done("analyze", snapshot(name), "--target", "cortex-m4f", "--json"))["targets"]
            layers = [row for row in rows if row.kind == "layer"]
            self.assertEqual(len(layers), len(told["layers"]))
            costs = [layer["expected_cycles"] * (layer["runs"] or 1)
                     for layer in told["layers"]]  # of a run, in which loops count
            for row, layer in zip(layers, told["layers"]):
                self.assertTrue(row.hint.startswith(layer["layer"]), (row.hint, layer))
                self.assertIn(layer["kernel"], row.hint)
                self.assertIn(f"{layer['alive_bytes']:,} B alive".replace(",", " "), row.hint)
            cycles = sum(costs)
            most = max(layer["alive_bytes"] for layer in told["layers"])
            for row, layer, cost in zip(layers, told["layers"], costs):
                said = int(re.search(r"; ([\d ]+) cycles", row.hint)[1].replace(" ", ""))
                self.assertLessEqual(abs(said - cost), layer["runs"]
                                     or 1)  # each run is rounded in JSON
                heat = sum(cost >= share * cycles for share in (0.01, 0.03, 0.1, 0.3))
                full = sum(layer["alive_bytes"] >= share * most for share in (0.2, 0.4, 0.6, 0.8))
                self.assertEqual(row.shades, [f"c{heat}", f"b{full}"], row.hint)

    def test_edges_and_clusters(self):
        rows, edges = self.rows(self.picture(self.model(DIAMOND)))
        self.assertEqual([row.name.split(":")[0] for row in rows],
                         ["argument 0 x", "in/a", "mid", "<b>&", "c", "result 0", "result 1"])
        plain = {(a.split(":")[0], b.split(":")[0]) for a, b in edges}
        self.assertEqual(
            plain, {("argument 0 x", "in/a"), ("in/a", "<b>&"), ("in/a", "c"), ("<b>&", "c"),
                    ("c", "result 0"), ("<b>&", "result 1")})
        mid = rows[2]
        self.assertEqual((mid.kind, mid.is_open, mid.end), ("cluster", True, 5))
        self.assertEqual([row.parent for row in rows], [-1, -1, -1, 2, 2, -1, -1])

    def test_loops_and_branches_are_clusters(self):
        rows, edges = self.rows(self.picture(snapshot("lstm_scan")))
        loop, = [row for row in rows if row.name.startswith("loop ")]
        inside = rows[rows.index(loop) + 1:loop.end]
        self.assertTrue(any("gates" in row.hint for row in inside))
        # What the loop made is read behind it.
        behind = {row.name for row in rows[loop.end:] if row.kind == "layer"}
        self.assertTrue(any(a in {row.name
                                  for row in inside} and b in behind
                            for a, b in edges), edges)
        rows, _ = self.rows(self.picture(ROOT / "tests/data/ops/cond_true.snapshot.pb"))
        self.assertEqual([row.name.split(" of ")[0] for row in rows if row.kind == "cluster"],
                         ["branch 0", "branch 1"])

    def test_many_layers(self):
        """10,000: each list of rows is short, and at first so many are open as a reader can look
        at."""
        for metadata in (named, lambda i: ""):
            with self.subTest(named=metadata is named):
                rows, edges = self.rows(self.picture(self.model(chain(10000, metadata))))
                layers = [row for row in rows if row.kind == "layer"]
                self.assertGreaterEqual(len(layers), 10000)
                self.assertEqual(len(edges), len(layers) + 1)
                lists = {}
                for row in rows:
                    lists[row.parent] = lists.get(row.parent, 0) + 1
                self.assertLessEqual(max(lists.values()), 64)
                self.assertLessEqual(sum(row.is_shown for row in rows), 150)
                self.assertGreater(sum(row.is_shown for row in rows), 60)
        self.assertTrue(any(row.name == "d63 to d126" for row in rows))
        # A hundred are all open.
        rows, _ = self.rows(self.picture(self.model(chain(100, named))))
        self.assertTrue(all(row.is_shown for row in rows))

    def test_what_is_written_where(self):
        model = self.model(DIAMOND)
        picture = self.picture(model)
        self.assertEqual(picture, self.picture(model))
        self.assertNotRegex(picture.replace('xmlns="http://www.w3.org/2000/svg"', ""),
                            r"(src|href)=|https?://|@import|url\(")
        path = self.folder / "layers.svg"
        told = self.picture(model, "-o", path)
        self.assertEqual(path.read_text(), picture)
        self.assertIn("plan     cortex-m4f", told)
        path.unlink()
        self.assertIn("plan", json.loads(self.picture(model, "-o", path, "--json")))
        self.assertEqual(path.read_text(), picture)
        self.assertIn(b"two things", hlocc("inspect", model, "--graph", "svg", "--json").stderr)
        self.assertIn("--graph", self.refused(2, "usage", "inspect", model, "-o", path))
        self.refused(2, "usage", "inspect", model, "--graph", "png")
        self.refused(4, "environment", "inspect", model, "--graph", "svg", "-o", model / "f.svg")

    def test_a_model_that_cannot_be_planned(self):
        model = self.model(
            "HloModule m\nENTRY e { t = token[] after-all()\n i = (s32[], token[]) infeed(t)\n"
            " ROOT c = s32[] get-tuple-element(i), index=0 }\n")
        self.assertIn("infeed", self.refused(1, "unsupported", "inspect", model, "--graph", "svg"))

    def test_in_a_browser(self):
        if not BROWSER:
            self.skipTest("chromium is not installed")
        for name in ("image_resize_nms", "lstm_scan"):
            page = f'<!DOCTYPE html><body style="margin:0">{self.picture(snapshot(name))}</body>'
            for width, dark in VIEWS if name == "image_resize_nms" else VIEWS[:1]:
                with self.subTest(name=name, width=width, dark=dark):
                    self.looks_right(measured(self, page, width, dark, GRAPH), width, dark)

    def looks_right(self, found, width, dark):
        self.assertEqual(
            (found["width"], found["overflow"], found["graph_outside"], found["overlaps"]),
            (width, 0, 0, 0))
        self.assertGreater(found["graph_contrast"], 4.5)
        self.assertEqual(found["graph_paper"] < 0.1, dark)
        self.assertEqual(found["shades"], [5, 5])
        # The script places rows and lines as the compiler did.
        self.assertTrue(found["same_again"])
        self.assertEqual(found["opened"], found["names"])
        self.assertLess(len(found["folded"]), len(found["opened"]))
        self.assertGreater(found["lines"].count("M"), len(found["opened"]))

    def test_ten_thousand_in_a_browser(self):
        if not BROWSER:
            self.skipTest("chromium is not installed")
        page = f'<!DOCTYPE html><body style="margin:0">{self.picture(self.model(chain(10000, named)))}</body>'
        found = measured(self, page, 1280, False, GRAPH)
        self.assertTrue(found["same_again"])
        self.assertLessEqual(len(found["folded"]), 64)
        self.assertGreater(len(found["opened"]), 10000)
        self.assertGreater(found["height"], 10000 * 42)

    def test_the_report_links_to_it(self):
        path = self.folder / "report.html"
        self.done("analyze", snapshot("image_resize_nms"), "--html", path, "--target", "cortex-m4f",
                  "--target", "rv32imc")
        page = path.read_text()
        for target in ("cortex-m4f", "rv32imc"):
            self.assertEqual(
                (page.count(f'href="#graph-{target}"'), page.count(f'id="graph-{target}"')), (1, 1))
        if not BROWSER:
            self.skipTest("chromium is not installed")
        opened = "page.querySelectorAll('details').forEach(part => { part.open = true; });"
        for width, dark in VIEWS:
            with self.subTest(width=width, dark=dark):
                found = seen(self, page, width, dark, opened + GRAPH)
                fits(self, found, width, dark)
                self.looks_right(found, width, dark)


if __name__ == "__main__":
    main()
