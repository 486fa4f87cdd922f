"""What the pages of docs/tutorials and docs/howto tell their readers to do, done: each page in a
folder of its own, block by block.

    snippets_test.py HLOCC ROOT [--nightly NEED]

A comment before a block says what it is: `<!-- run -->` a script for bash, `<!-- file: NAME -->` a
file. A page that begins with `<!-- needs: NEED -->` wants a package of Python's; it runs with
--nightly NEED alone, by an interpreter that has it. $SOURCE is the source tree, and `hlocc` and
`python3` are on the path. A block without a comment is an error: there is none that nothing
runs."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BLOCK = re.compile(
    r"(?:<!-- (?P<what>run|file: (?P<name>\S+)) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.S | re.M)
HLOCC, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
NEED = sys.argv[4] if sys.argv[3:4] == ["--nightly"] else ""


def pages():
    return sorted(page for folder in ("tutorials", "howto")
                  for page in (ROOT / "docs" / folder).glob("*.md"))


def need_of(text):
    found = re.match(r"<!-- needs: (\S+) -->\n", text)
    return found[1] if found else ""


def run_page(test, text, folder):
    """Every block in its order; the shell of each begins in the folder."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "hlocc").symlink_to(HLOCC)
    work = folder / "work"
    work.mkdir()
    environment = {
        **os.environ, "SOURCE": str(ROOT),
        "PATH": f"{tools}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "python"), "HLOCC_TOOL": str(HLOCC), "JAX_PLATFORMS": "cpu",
        "HLOCC_LIBRARY": str(HLOCC.parent / "libhlocc.so")
    }
    for block in BLOCK.finditer(text):
        if block["name"]:
            (work / block["name"]).write_text(block["text"], encoding="utf-8")
            continue
        test.assertEqual((block["what"], block["language"]), ("run", "bash"),
                         f"nothing runs this block:\n{block['text']}")
        ran = subprocess.run(["bash", "-euo", "pipefail", "-c", block["text"]],
                             cwd=work,
                             env=environment,
                             stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT,
                             text=True,
                             check=False)
        test.assertEqual(ran.returncode, 0, f"{block['text']}\n{ran.stdout[-3000:]}")


class Snippets(unittest.TestCase):
    def test_pages(self):
        done = 0
        for page in pages():
            text = page.read_text(encoding="utf-8")
            if need_of(text) != NEED:
                continue
            with self.subTest(page=page.name), tempfile.TemporaryDirectory(
                    prefix="hlocc_docs_") as folder:
                self.assertTrue(list(BLOCK.finditer(text)), "a page without a command")
                run_page(self, text, pathlib.Path(folder))
            done += 1
        self.assertGreater(done, 0)

    def test_every_page_is_in_the_navigation(self):
        navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        for page in pages():
            self.assertIn(f": {page.relative_to(ROOT / 'docs')}\n", navigation)

    def test_links_lead_somewhere(self):
        for page in pages() + [ROOT / "docs" / "index.md"]:
            for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")

    def test_what_fails_is_seen(self):
        for text, word in (("```bash\ntrue\n```\n", "nothing runs this block"),
                           ("<!-- run -->\n```bash\nfalse | true\n```\n", "false")):
            with tempfile.TemporaryDirectory(
                    prefix="hlocc_docs_") as folder, self.assertRaisesRegex(AssertionError, word):
                run_page(self, text, pathlib.Path(folder))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
