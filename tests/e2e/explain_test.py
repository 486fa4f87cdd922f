"""hlocc explain: every kind of diagnostic, an example that ends with it, and docs/diagnostics.md,
which is made of the same (HLOCC_REGENERATE=1)."""
import json
import os
import pathlib
import re
import subprocess

from harness import HLOCC, ROOT, Test, main

HEAD = """# Diagnostics

What each kind of `error[kind]` means, an example that ends with it, and what cures it; `hlocc explain KIND` says the same. Exit codes: `exit_codes.md`.
This page is made from `src/driver/cli/explanations.def` by `HLOCC_REGENERATE=1 python3 tests/e2e/explain_test.py build/hlocc .`
"""


def section(row):
    out = f"\n## {row['kind']}\n\n{row['cause']} Exit code {row['exit_code']}.\n"
    if row["command"]:
        model = row["model"].rstrip("\n").split("\n") if row["model"] else []
        lines = ["$ cat model.hlo.txt", *model] if model else []
        out += "\n" + "\n".join("    " + line for line in [*lines, f"$ {row['command']}"]) + "\n"
    return out + f"\n{row['cure']}\n"


class Explain(Test):
    def test_every_example(self):
        kinds = re.findall(r"^HLOCC_DIAGNOSTIC\(\w+, \"([\w-]+)\"",
                           (ROOT / "src/support/diagnostic_kinds.def").read_text(), re.M)
        rows = json.loads(self.done("explain", "--json"))["kinds"]
        self.assertEqual([row["kind"] for row in rows], kinds)
        for row in rows:
            if not row["command"]:
                self.assertEqual(row["kind"], "internal")
                continue
            with self.subTest(kind=row["kind"]):
                (self.folder / "model.hlo.txt").write_text(row["model"])
                path = f"{pathlib.Path(HLOCC).resolve().parent}:{os.environ['PATH']}"
                ran = subprocess.run(["sh", "-c", row["command"]],
                                     cwd=self.folder,
                                     capture_output=True,
                                     env={**os.environ, "PATH": path},
                                     check=False)
                self.assertIn(f"error[{row['kind']}]", ran.stderr.decode())
                self.assertEqual(ran.returncode, row["exit_code"])

    def test_words(self):
        told = self.done("explain", "shape")
        self.assertTrue(told.startswith("error[shape], exit code 1\n"), told)
        self.assertIn("cure: ", told)
        self.assertEqual(
            self.done("explain").count("cure: "),
            len(json.loads(self.done("explain", "--json"))["kinds"]))
        self.assertIn("did you mean `shape`", self.refused(2, "usage", "explain", "shap"))

    def test_page(self):
        page = ROOT / "docs/diagnostics.md"
        text = HEAD + "".join(map(section, json.loads(self.done("explain", "--json"))["kinds"]))
        if os.environ.get("HLOCC_REGENERATE"):
            page.write_text(text)
        self.assertEqual(page.read_text(), text)


if __name__ == "__main__":
    main()
