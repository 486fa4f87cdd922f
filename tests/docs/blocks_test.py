"""Every block of the reference pages (docs/*.md, README.md, CONTRIBUTING.md) is executed, or it is
said what executes it or why nothing does: a row of blocks.tsv each. Pages of docs/tutorials and
docs/howto are snippets_test.py's, whose blocks all run.

    blocks_test.py HLOCC ROOT [--nightly]

A row has the page, how the block begins (nothing: all of the page), and one of
- `run`, here, in a folder with models of the names that the pages use; flags in brackets are taken,
  WORDS replaced. `night`: the same with --nightly alone.
- `file NAME`: it is what the page's commands find under that name.
- `by PLACE`, a test of the tree that does what the block says; `by night JOB`.
- `output`: what something prints, or a drawing.
- `not run: REASON`.
A block without a row is an error, and so is a row without a block."""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HLOCC, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
NIGHTLY = "--nightly" in sys.argv[3:]
sys.path[:0] = [str(ROOT / "tests/nightly"), str(ROOT / "python")]
os.environ.update(HLOCC_TOOL=str(HLOCC), HLOCC_LIBRARY=str(HLOCC.parent / "libhlocc.so"))

import jobs  # noqa: E402
import numpy as np  # noqa: E402

import hlocc  # noqa: E402

FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
INDENTED = re.compile(r"(?:^|\n\n)((?: {4}.*(?:\n|$)|\n(?= {4}))+)")
WORDS = {"MODEL": "kws.pb", "FILE": "page.html", "SYMBOL": "arena", "| less": "| cat",
         "CELLS": "cells"}
# What the pages call their files.
MODELS = {"kws.pb": "models/kws_dscnn.snapshot.pb", "kws.snapshot.pb": "models/kws_dscnn.snapshot.pb",
          "model.pb": "models/mlp_digits.snapshot.pb", "kws.tflite": "tflite/conv_same.tflite",
          "net.onnx": "onnx/open/batch.onnx", "models/kws.tflite": "tflite/conv_same.tflite",
          "models/vww.pb": "models/cnn_digits.snapshot.pb",
          "models/vww.snapshot.pb": "models/cnn_digits.snapshot.pb"}
MAIN = """#include "kws.h"
unsigned char arena[KWS_ARENA_BYTES] __attribute__((aligned(KWS_ARENA_ALIGN)));
static kws_t kws;
int main(void) { return kws_init(&kws, arena) || kws_run(&kws); }
"""


def blocks_of(page):
    """Fences and indented blocks, without what makes them blocks."""
    text = page.read_text(encoding="utf-8")
    for fence in FENCE.findall(text):
        yield "\n".join(fence.splitlines()[1:-1])
    for block in INDENTED.findall(FENCE.sub("", text)):
        yield re.sub("^ {4}", "", block.strip("\n"), flags=re.M)


def pages():
    return [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def rows():
    for line in (ROOT / "tests/docs/blocks.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield tuple(line.split("\t"))


def command_of(block):
    """As it is typed: with flags that may be left away, and names of files that are there."""
    text = re.sub(r"\[(--?[^\]]*)\]", r"\1", block)
    for word, value in WORDS.items():
        text = text.replace(word, value)
    return text


def prepare(folder):
    """Models, a firmware, and the tree's folders."""
    for name in ("bench", "src", "include", "tests", "toolchains", "examples"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("build", "models", "tools"):
        (folder / name).mkdir()
    for place in ("build", "tools"):
        (folder / place / "hlocc").symlink_to(HLOCC)
    for name, source in MODELS.items():
        (folder / name).write_bytes((ROOT / "tests/data" / source).read_bytes())
    (folder / "main.c").write_text(MAIN, encoding="utf-8")
    for command in ([HLOCC, "compile", "kws.pb", "--target", "cortex-m4f", "--name", "Kws", "-q"],
                    ["toolchains/boards/link_firmware.sh", "cortex-m4f", "firmware.elf", "main.c",
                     "-I.", "libkws.a"]):
        subprocess.run(command, cwd=folder, check=True)


def write_values(folder, block):
    """x.npy and y.npy: an argument of ones for the block's model, and the result."""
    model = re.search(r"hlocc \w+ (\S+) .*\bx\.npy", block)
    if model:
        dims = dict(re.findall(r"--dim (\w+)=(\d+)", block))
        module = hlocc.export(folder / model[1], dims=dims)
        leaf, = module.arguments
        x = np.ones(leaf.shape, {"f32": "f4", "s8": "i1"}[leaf.type])
        np.save(folder / "x.npy", x)
        np.save(folder / "y.npy", module.run(x))


class Blocks(unittest.TestCase):
    def setUp(self):
        self.found = collections.defaultdict(list)  # row -> blocks
        for page in pages():
            name = str(page.relative_to(ROOT))
            own = [row for row in rows() if row[0] == name]
            for block in blocks_of(page):
                fitting = [row for row in own if block.strip().startswith(row[1])]
                self.assertEqual(len(fitting), 1, f"{name}: rows of tests/docs/blocks.tsv for\n{block}")
                self.found[fitting[0]].append(block)

    def test_each_row_has_a_block_and_a_meaning(self):
        nights = {job.name for job in jobs.table()}
        for row in rows():
            self.assertIn(row, self.found)
            how = row[2]
            if how.startswith("by night "):
                self.assertIn(how.removeprefix("by night "), nights, row)
            elif how.startswith("by "):
                self.assertTrue((ROOT / how.removeprefix("by ")).exists(), row)
            else:
                self.assertRegex(how, r"^(run|night|output|file \S+|not run: .{10,})$")

    def test_blocks(self):
        """Prints how many there are of each kind."""
        counts = collections.Counter()
        for (page, _, how), blocks in self.found.items():
            counts[how.split(":")[0].split(" ")[0]] += len(blocks)
            if how != ("night" if NIGHTLY else "run"):
                continue
            for block in blocks:
                with self.subTest(page=page, block=block), \
                        tempfile.TemporaryDirectory(prefix="hlocc_docs_") as name:
                    self.run_block(pathlib.Path(name), page, block)
        print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))

    def run_block(self, folder, page, block):
        prepare(folder)
        for (other, _, how), files in self.found.items():
            if other == page and how.startswith("file "):
                (folder / how.removeprefix("file ")).write_text(files[0], encoding="utf-8")
        write_values(folder, block)
        path = f"{folder}/tools:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        ran = subprocess.run(["bash", "-euo", "pipefail", "-c", command_of(block)], cwd=folder,
                             env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout[-3000:])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
