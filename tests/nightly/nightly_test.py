"""The table of a night and who runs it: a night that was killed goes on, budgets end what hangs,
patterns and shards choose, the summary counts; rows name what is there; drawn modules are counted
right whatever hlo_fuzz and hlocc say."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import drawn  # noqa: E402
import jobs  # noqa: E402

TABLE = """import dataclasses
@dataclasses.dataclass
class Job:
    name: str
    what: str
    minutes: float
    command: str
def table(corpus):
    said = "echo $0 >> FOLDER/ran; "
    return [Job("a/one", "passes", 9, "echo one >> FOLDER/ran; echo fine"), Job("a/two", "fails", 9, "echo two >> FOLDER/ran; echo bad; exit 3"),
            Job("b/skips", "skips", 9, "echo skips >> FOLDER/ran; exit 77"),
            Job("b/waits", "waits", 9, "echo waits >> FOLDER/ran; while [ ! -e FOLDER/go ]; do sleep 0.05; done; echo $NIGHT")]
"""


class Nightly(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hlocc_night_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.table = self.folder / "table.py"
        self.table.write_text(TABLE.replace("FOLDER", str(self.folder)))

    def command(self, *flags):
        return [
            "bash", ROOT / "tests/nightly.sh", "--table", self.table, "--build",
            self.folder / "build", *flags
        ]

    def night(self, code, *flags):
        ran = subprocess.run(self.command(*flags), capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout

    def ran(self):
        path = self.folder / "ran"
        return path.read_text().split() if path.exists() else []

    def test_a_killed_night_goes_on(self):
        with subprocess.Popen(self.command(), stdout=subprocess.DEVNULL,
                              start_new_session=True) as killed:
            while "waits" not in self.ran():
                time.sleep(0.01)
            os.killpg(killed.pid, signal.SIGKILL)
        state = json.loads((self.folder / "build/night/state.json").read_text())
        self.assertEqual([row["status"] for row in state["done"].values()],
                         ["passed", "failed", "skipped"])
        state["night"] = "20010203"  # the night that it was, whatever day it is now
        (self.folder / "build/night/state.json").write_text(json.dumps(state))
        (self.folder /
         "go").touch()  # ends both jobs: the one left by the killed night prints as well
        said = self.night(1)
        self.assertEqual(self.ran(), ["one", "two", "skips", "waits", "waits"])
        self.assertIn("20010203", said)
        self.assertTrue(said.endswith("2 passed, 1 failed, 1 skipped\n"), said)
        # All is done: another night begins.
        self.night(1)
        self.assertEqual(self.ran()[5:], ["one", "two", "skips", "waits"])

    def test_choosing(self):
        self.assertTrue(
            self.night(0, "--only", "a/one", "--only",
                       "b/s*").endswith("1 passed, 0 failed, 1 skipped\n"))
        self.assertEqual(self.ran(), ["one", "skips"])
        self.assertIn(
            "no such job",
            subprocess.run(self.command("--only", "c"), capture_output=True, text=True,
                           check=False).stderr)
        (self.folder / "go").touch()
        self.night(1, "--shard", "1/2")
        self.assertEqual(self.ran()[2:], ["two", "waits"])
        listed = self.night(0, "--list")
        self.assertIn("4 jobs", listed)
        self.assertRegex(listed, r"a/one +9 min  passed")

    def test_budgets(self):
        self.table.write_text(self.table.read_text().replace('"waits", 9', '"waits", 0.01'))
        said = self.night(1, "--only", "b/waits")
        self.assertIn("more than its 0.01 minutes", said)


class Table(unittest.TestCase):
    def test_rows(self):
        for table in (jobs.table(), jobs.table("corpus")):
            names = [job.name for job in table]
            self.assertEqual(len(names), len(set(names)))
            for job in table:
                self.assertRegex(job.name, r"^[\w./-]+$")
                self.assertGreater(job.minutes, 0)
                self.assertEqual(
                    subprocess.run(["bash", "-n", "-c", job.command], check=False).returncode, 0,
                    job)
                for path in re.findall(r"(?<![\w$/])(?:tests|docs|examples)/[\w./-]+", job.command):
                    if "$" not in path:
                        self.assertTrue((ROOT / path).exists() or path.endswith("_"),
                                        (job.name, path))

    def test_every_preset_has_its_rows(self):
        presets = {path.stem for path in (ROOT / "toolchains").glob("*.cmake")}
        named = {job.name.split("/")[1] for job in jobs.table() if job.name.startswith("models/")}
        like = {
            path.stem
            for path in (ROOT / "toolchains/boards/presets").glob("*.conf")
            if "like=" in path.read_text()
        }
        self.assertEqual(presets - named - like - {"avr-mega2560", "xtensa-lx106"}, set())


class Drawn(unittest.TestCase):
    """With tools that say what the test wants."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hlocc_drawn_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tool(self, name, text):
        (self.folder / name).write_text("#!/bin/bash\n" + text)
        (self.folder / name).chmod(0o755)

    def road(self, road, *flags):
        ran = subprocess.run([
            sys.executable, HERE / "drawn.py", road, "--night", "20260101", "--build", self.folder,
            "--log", self.folder / "log", "--jobs", "1", *flags
        ],
                             capture_output=True,
                             text=True,
                             check=False)
        return ran.returncode, ran.stdout + ran.stderr

    def test_what_differs_is_told(self):
        self.tool(
            "hlo_fuzz",
            'echo "DIFFER seed $3: number 7"; echo "248 agree, 1 differ, 0 failed, 0 invalid, 1 '
            'unsupported"\n'
        )
        code, said = self.road("jit", "--count", "500")
        self.assertEqual(code, 1, said)
        self.assertIn("500 of 500 drawn, 496 agree, 2 left out, 0 known, 2 differ", said)
        row = (self.folder / "log").read_text().split("\t")
        self.assertEqual(row[1:8], ["jit", "202601010000000", "500", "496", "2", "0", "2"])
        self.assertIn("seed 202601010000250", row[9])

    def test_a_tool_that_dies_is_no_success(self):
        self.tool("hlo_fuzz", "kill -SEGV $$\n")
        code, said = self.road("jit", "--count", "250")
        self.assertEqual(code, 1, said)
        self.tool(
            "hlo_fuzz",
            'mkdir -p "${@: -1}"; touch "${@: -1}/seed_1.snapshot.pb"; echo "250 agree, 0 differ, '
            '0 failed, 0 invalid, 0 unsupported"\n'
        )
        self.tool("hlocc", "exit 3\n")
        code, said = self.road("cortex-m0", "--count", "250")
        self.assertEqual(code, 1, said)
        self.assertIn("hlocc verify ended with: exit status 3 and not a word", said)

    def test_it_goes_on_where_it_was(self):
        self.tool(
            "hlo_fuzz",
            f'echo $3 >> {self.folder}/seeds; echo "250 agree, 0 differ, 0 failed, 0 invalid, 0 '
            f'unsupported"\n'
            f'[ $(wc -l < {self.folder}/seeds) != 2 ] || kill -KILL $PPID\n')
        self.assertNotEqual(self.road("jit", "--count", "750")[0], 0)
        code, said = self.road("jit", "--count", "750")
        self.assertEqual(code, 0, said)
        self.assertIn("750 of 750 drawn, 750 agree", said)
        seeds = [
            int(seed) - 202601010000000 for seed in (self.folder / "seeds").read_text().split()
        ]
        self.assertEqual(seeds, [0, 250, 250, 500])
        self.assertEqual((self.folder / "log").read_text().count("\n"), 1)

    def test_time_is_up(self):
        self.tool("hlo_fuzz", "exit 1\n")
        code, said = self.road("jit", "--count", "750", "--minutes", "0")
        self.assertEqual(code, 0, said)
        self.assertIn("0 of 750 drawn", said)

    def test_boards_share_their_modules(self):
        self.tool(
            "hlo_fuzz",
            f'echo made >> {self.folder}/made; mkdir -p "${{@: -1}}"; touch "${{@: '
            f'-1}}/seed_1.snapshot.pb" "${{@: -1}}/seed_2.snapshot.pb"\n'
            'echo "250 agree, 0 differ, 0 failed, 0 invalid, 0 unsupported"\n')
        self.tool(
            "hlocc",
            'echo "FAILED seed_2: result0 differs"; echo "FAILED seed_3: does not link: section '
            '.bss is not within region data"\n'
            'echo "1 passed, 2 failed, 0 skipped"\n')
        self.assertEqual(self.road("cortex-m0", "--count", "250")[0], 1)
        code, said = self.road("cortex-m55", "--count", "250")
        # Its vectors flush subnormals: told, and no failure.
        self.assertEqual(code, 0, said)
        self.assertIn("250 of 250 drawn, 1 agree, 248 left out, 0 known, 1 differ", said)
        self.assertEqual((self.folder / "made").read_text(), "made\n")
        self.assertTrue((self.folder / "night/drawn/cortex-m0/seed_2.snapshot.pb").exists())

    def test_roads_have_seeds_of_their_own(self):
        seeds = {
            drawn.first_seed("20260101", road)
            for road in ("jit", "c-gcc", "c-clang-19", "cortex-m0")
        }
        self.assertEqual(len(seeds), 4)
        self.assertEqual(drawn.first_seed("20260101", "cortex-m0"),
                         drawn.first_seed("20260101", "rv32imc"))


class Page(unittest.TestCase):
    def test_it_is_what_the_logs_say(self):
        ran = subprocess.run([sys.executable, HERE / "page.py", "--check"],
                             capture_output=True,
                             text=True,
                             check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)


if __name__ == "__main__":
    unittest.main()
