"""docs/targets_table.md, which is made of what `hlocc targets --json` has (HLOCC_REGENERATE=1), and
the pages written by hand, docs/targets.md and docs/chips.md, which name every preset and chip."""
import json
import os
import re

from harness import ROOT, Test, main

HEAD = """# Targets and chips, by name

Every preset and chip that `--target` takes, and every GPU that `--device` takes; `hlocc targets` and `hlocc targets NAME` say the same and more. `targets.md` says what presets are for, `chips.md` where the
figures of chips are from. This page is made from the tables of `src/target` by `HLOCC_REGENERATE=1 python3 tests/e2e/targets_test.py build/hlocc .`
"""


def size(count):
    return "" if count == 0 else f"{count >> 10} K" if count % 1024 == 0 else str(count)


def units(row):
    return " ".join(bits for bits in ("f32", "f64") if row[f"{bits}_unit"]) or "soft"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n" + "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def page_of(told):
    presets = [row for row in told["targets"] if "core" not in row and row["name"] != "host"]
    chips = [row for row in told["targets"] if "core" in row]
    return HEAD + "\n## Presets\n" + table(
        ["preset", "triple", "processor", "bits of vectors", "float units", "board"],
        [[f"`{row['name']}`", row["triple"], row["cpu"], row["vector_bits"] or "", units(row),
          row["board"]] for row in presets]) + "\n## Chips and boards\n" + table(
              ["chip", "family", "preset", "RAM", "flash", "also"],
              [[f"`{row['name']}`", row["family"], f"`{row['core']}`", size(row["ram_bytes"]),
                size(row["flash_bytes"]), " ".join(f"`{name}`" for name in row["also"])]
               for row in chips]) + "\n## GPUs\n" + table(
                   ["device", "what", "group", "shared", "subnormal f32"],
                   [[f"`{row['name']}`", row["what"], row["group"], size(row["shared_bytes"]),
                     "kept" if row["f32_controls"]["denormals"] else "may be 0"]
                    for row in told["devices"]])


class Targets(Test):
    def told(self):
        return json.loads(self.done("targets", "--json"))

    def test_table(self):
        page = ROOT / "docs/targets_table.md"
        text = page_of(self.told())
        if os.environ.get("HLOCC_REGENERATE"):
            page.write_text(text)
        self.assertEqual(page.read_text(), text)

    def test_pages_written_by_hand_name_all(self):
        told = self.told()
        for page, rows in (("targets", [row for row in told["targets"] if "core" not in row]),
                           ("chips", [row for row in told["targets"] if "core" in row])):
            names = set(re.findall(r"`([^`\s]+)`", (ROOT / f"docs/{page}.md").read_text()))
            self.assertGreater(len(rows), 40)
            self.assertEqual([row["name"] for row in rows if row["name"] not in names], [])


if __name__ == "__main__":
    main()
