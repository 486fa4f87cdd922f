"""examples/ci: the steps of each file run as the CI server runs them, each job in a folder of its
own with what actions, artifacts and caches hand on, curl, sudo and gh replaced by stubs that write
down what they were called with."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import textwrap
import xml.etree.ElementTree

import yaml

from harness import HLOCC, MODELS, ROOT, Test, main

FILES = ROOT / "examples/ci"
CELLS = {
    f"{model}/{target}"
    for model in ("kws", "ekf", "digits")
    for target in ("cortex-m4f", "cortex-m0", "rv32imc")
} - {"kws/cortex-m0"}
STUB = """#!/bin/sh
echo "$(basename "$0") $*" >> {log}
while [ $# -gt 0 ]; do
  case $1 in
    --output) echo package > "$2" ;;
    --body-file) cp "$2" {comment} ;;
    body@*) cp "${{1#body@}}" {comment} ;;
  esac
  shift
done
"""


class Server(Test):
    def setUp(self):
        super().setUp()
        self.log, self.comment, self.store = self.folder / "log", self.folder / "comment.md", self.folder / "store"
        self.store.mkdir()
        self.log.touch()
        stubs = self.folder / "bin"
        stubs.mkdir()
        for name in ("curl", "sudo", "gh"):
            (stubs / name).write_text(STUB.format(log=self.log, comment=self.comment))
        (stubs / "hlocc").write_text(
            f'#!/bin/sh\necho "hlocc $*" >> {self.log}\n'
            f'exec "{pathlib.Path(HLOCC).resolve()}" "$@"\n'
        )
        for stub in stubs.iterdir():
            stub.chmod(0o755)
        self.path = f"{stubs}:{os.environ['PATH']}"
        self.project = self.folder / "project"
        (self.project / "tests/data/models").mkdir(parents=True)
        (self.project / "examples").mkdir()
        shutil.copytree(FILES, self.project / "examples/ci")
        for name in ("kws_dscnn", "ekf", "mlp_digits"):
            shutil.copy(MODELS / f"{name}.snapshot.pb", self.project / "tests/data/models")

    def called(self, word):
        return [line for line in self.log.read_text().splitlines() if line.startswith(word + " ")]

    def checkout(self, name):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.project, folder)
        return folder

    def shell(self, words, script, folder, environment):
        env = {
            "PATH": self.path, "HOME": str(self.folder),
            **{name: str(value)
               for name, value in environment.items()}
        }
        ran = subprocess.run([*words, script],
                             cwd=folder,
                             env=env,
                             capture_output=True,
                             text=True,
                             check=False)
        self.said = ran.stdout + ran.stderr
        return ran.returncode == 0

    def break_a_model(self):
        (self.project / "tests/data/models/ekf.snapshot.pb").write_bytes(b"no model")

    def check_whole(self, folder, report, status):
        """Each cell once in the report, and in the shards' JUnit."""
        cells = {
            cell["id"]: cell["status"]
            for cell in json.loads((folder / report).read_text())["cells"]
        }
        self.assertEqual(set(cells), CELLS)
        self.assertEqual(list(cells.values()), [status] * len(CELLS), self.said)
        cases = [
            case.get("name")
            for path in folder.glob("reports/junit-*.xml")
            for case in xml.etree.ElementTree.parse(path).iter("testcase")
        ]
        self.assertLessEqual(CELLS, set(cases))
        self.assertLessEqual({f"{cell} verify" for cell in CELLS}, set(cases))


class Github(Server):
    def run_workflow(self, event):
        """By job, whether it succeeded; caches and artifacts in self.store."""
        self.event = event
        file = yaml.safe_load((FILES / "github-actions.yml").read_text())
        self.assertIn(event, file[True])  # YAML's `on`
        outcome = {}
        for old in self.store.glob("artifact-*"):
            shutil.rmtree(old)
        for name, job in file["jobs"].items():
            rows = [{"matrix.shard": shard}
                    for shard in job["strategy"]["matrix"]["shard"]] if "strategy" in job else [{}]
            outcome[name] = [
                self.run_job(f"{name}{i}", job, file["env"], row) for i, row in enumerate(rows)
            ]
        return outcome

    def value(self, text, row):
        known = {
            "vars.HLOCC_PACKAGE": "https://example.invalid/hlocc.deb", "github.sha": "0123abcd",
            "github.token": "t", "github.repository": "o/r", "github.event.number": "7",
            "github.event_name == 'pull_request' && '1' || '0'": "1"
            if self.event == "pull_request" else "0", **row
        }
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: str(known[found.group(1)]), str(text))

    def runs(self, step, good):
        condition = step.get("if", "")
        asks = re.findall(r"github\.event_name == '(\w+)'", condition)
        self.assertEqual(re.sub(r"always\(\)|github\.event_name == '\w+'|&&| ", "", condition), "")
        return (good or "always()" in condition) and all(ask == self.event for ask in asks)

    def run_job(self, name, job, env, row):
        folder, good = self.folder / name, True
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for step in job["steps"]:
            if not self.runs(step, good):
                continue
            if "run" in step:
                environment = {
                    key: self.value(text, row)
                    for key, text in {**env, **job.get("env", {}), **step.get("env", {})}.items()
                }
                good = self.shell(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"],
                                  step["run"], folder, environment) and good
                continue
            action, given = step["uses"].split("@")[0], {
                key: self.value(text, row)
                for key, text in step.get("with", {}).items()
            }
            if action == "actions/checkout":
                shutil.copytree(self.project, folder, dirs_exist_ok=True)
            elif action == "actions/cache/restore":
                stored = sorted(self.store.glob(f"kept-{given['restore-keys'].strip()}*"))
                if stored:
                    shutil.copytree(stored[-1], folder / given["path"])
            elif action == "actions/cache/save":
                self.assertFalse((self.store / f"kept-{given['key']}").exists())
                shutil.copytree(folder / given["path"], self.store / f"kept-{given['key']}")
            elif action == "actions/upload-artifact":
                target = self.store / f"artifact-{given['name']}"
                target.mkdir()
                for path in map(folder.joinpath, given["path"].split()):
                    shutil.copy(path, target) if path.is_file() else shutil.copytree(
                        path, target, dirs_exist_ok=True)
            else:
                self.assertEqual((action, given["merge-multiple"]),
                                 ("actions/download-artifact", "True"))
                for artifact in self.store.glob(f"artifact-{given['pattern']}"):
                    shutil.copytree(artifact, folder / given["path"], dirs_exist_ok=True)
        return good

    def test_pushes_and_pull_requests(self):
        self.assertEqual(self.run_workflow("push"), {"shard": [True, True], "report": [True]},
                         self.log.read_text())
        self.check_whole(self.folder / "report0", "baseline/matrix.json", "compiled")
        self.assertEqual(self.called("gh"), [])
        self.assertEqual(len(self.called("sudo")), 5)
        self.log.write_text("")
        # Nothing changed: all is known, and the comment says so.
        self.assertEqual(self.run_workflow("pull_request"),
                         {"shard": [True, True], "report": [True]}, self.said)
        self.check_whole(self.folder / "report0", "baseline/matrix.json", "known")
        self.assertIn("0 compiled, 8 known, 0 failed, 0 left out; verified: 8 passed",
                      self.comment.read_text())
        self.assertTrue(
            all("--baseline baseline/matrix.json" in line
                for line in self.called("hlocc")
                if "--shard" in line))
        self.assertEqual(self.called("gh"),
                         ["gh pr comment 7 --edit-last --create-if-none --body-file matrix.md"])
        # A pull request stores nothing, and one that breaks a model is told so.
        self.break_a_model()
        outcome = self.run_workflow("pull_request")
        self.assertFalse(all(outcome["shard"]))
        self.assertEqual(outcome["report"], [False])
        self.assertIn("3 failed", self.comment.read_text())
        self.assertEqual(self.comment.read_text().count("**failed**"), 3)


class Gitlab(Server):
    def run_pipeline(self):
        file = yaml.safe_load((FILES / "gitlab-ci.yml").read_text())
        names = {
            "CI_API_V4_URL": "https://gitlab.example/api/v4", "CI_PROJECT_ID": "3",
            "CI_MERGE_REQUEST_IID": "5", "HLOCC_TOKEN": "t", **file["variables"]
        }
        outcome = []
        shutil.rmtree(self.store / "reports", ignore_errors=True)
        for index in range(1, file["models"]["parallel"] + 1):
            folder = self.checkout(f"models{index}")
            outcome.append(
                self.shell(
                    ["bash", "-eo", "pipefail", "-c"], "\n".join(file["models"]["script"]), folder,
                    {**names, "CI_NODE_INDEX": index, "CI_NODE_TOTAL": file["models"]["parallel"]}))
            self.assertTrue(list(folder.glob(file["models"]["artifacts"]["reports"]["junit"])))
            shutil.copytree(folder / "reports", self.store / "reports", dirs_exist_ok=True)
        folder = self.checkout("report")
        shutil.copytree(self.store / "reports", folder / "reports")
        outcome.append(
            self.shell(["bash", "-eo", "pipefail", "-c"], "\n".join(file["report"]["script"]),
                       folder, names))
        return outcome

    def test_pipelines(self):
        self.assertEqual(self.run_pipeline(), [True, True, True], self.said)
        self.check_whole(self.folder / "report", "matrix.json", "compiled")
        self.assertIn("https://gitlab.example/api/v4/projects/3/merge_requests/5/notes",
                      self.called("curl")[0])
        self.assertIn("8 passed", self.comment.read_text())
        self.break_a_model()
        outcome = self.run_pipeline()
        self.assertFalse(all(outcome[:2]))
        self.assertFalse(outcome[2])
        self.assertEqual(self.comment.read_text().count("**failed**"), 3)


class Jenkins(Server):
    def test_steps(self):
        text = (FILES / "Jenkinsfile").read_text()
        shard, report = (textwrap.dedent(step)
                         for step in re.findall(r"sh '''\n(.*?)'''", text, re.S))
        environment = {"MATRIX": re.search(r"MATRIX = '(.*)'", text).group(1)}
        last = self.checkout("report")
        for index in re.search(r"values '(\d)', '(\d)'", text).groups():
            folder = self.checkout(f"shard{index}")
            self.assertTrue(
                self.shell(["sh", "-xec"], shard, folder, {**environment, "SHARD": index}),
                self.said)
            self.assertTrue((folder / f"reports/junit-{index}.xml").exists())
            shutil.copytree(folder / "reports", last / "reports", dirs_exist_ok=True)
            self.assertIn(f"unstash 'reports-{index}'", text)
        self.assertTrue(self.shell(["sh", "-xec"], report, last, environment), self.said)
        self.check_whole(last, "matrix.json", "compiled")
        self.assertTrue((last / "matrix.html").exists())


if __name__ == "__main__":
    main()
