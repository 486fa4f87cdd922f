"""nightly.sh [CORPUS] [--list] [--only NAME]... [--shard I/N] [--fresh] [--table FILE]: runs the
jobs of jobs.py, one after the other.

A night may be ended at any time: the state file (build/night/state.json) has what is done, and a
second call goes on with the rest of the same night. A night whose jobs are all done, or --fresh,
begins a new one. NAME is a job's, or a pattern (`models/*`); --shard takes each Nth job, for
several machines. A job that takes more than its budget is ended and has failed. What a job printed
lies in build/night/logs. Closes with a line a job and `N passed, N failed, N skipped`; exit status
1 if any failed."""
import argparse
import datetime
import fnmatch
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def read_table(file, corpus):
    spec = importlib.util.spec_from_file_location("jobs", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["jobs"] = module
    spec.loader.exec_module(module)
    return module.table(corpus)


class State:
    """Which jobs of a night are done, and how."""

    def __init__(self, path, fresh):
        self.path = path
        self.night, self.done = datetime.date.today().strftime("%Y%m%d"), {}
        if path.exists() and not fresh:
            told = json.loads(path.read_text(encoding="utf-8"))
            self.night, self.done = told["night"], told["done"]

    def begin_again(self, jobs, whole):
        """Jobs that are all done are asked for again: all of them are another night's."""
        if whole:
            self.night, self.done = datetime.date.today().strftime("%Y%m%d"), {}
        for job in jobs:
            self.done.pop(job.name, None)

    def add(self, job, status, seconds, last):
        self.done[job.name] = {"status": status, "seconds": round(seconds), "last": last}
        # Whole or not at all, whenever it is ended.
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps({"night": self.night, "done": self.done}, indent=1),
                         encoding="utf-8")
        fresh.replace(self.path)


def chosen(table, only, shard):
    jobs = [
        job for job in table
        if not only or any(fnmatch.fnmatchcase(job.name, name) for name in only)
    ]
    index, count = (int(word) for word in shard.split("/"))
    return jobs[index::count]


def run_job(job, environment, log):
    """(status, seconds, the last line that it printed)"""
    begin = time.monotonic()
    # A new file: the job of a night that was killed may still print into the old one.
    log.unlink(missing_ok=True)
    with open(log, "wb") as out:
        # In a group of its own, which ends with it.
        process = subprocess.Popen(["bash", "-c", job.command],
                                   cwd=ROOT,
                                   env=environment,
                                   stdout=out,
                                   stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL,
                                   start_new_session=True)
        try:
            code = process.wait(timeout=60 * job.minutes)
            status = {0: "passed", SKIPPED: "skipped"}.get(code, "failed")
        except subprocess.TimeoutExpired:
            status, code = "failed", None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
    lines = [
        line for line in log.read_text(encoding="utf-8", errors="replace").splitlines()
        if line.strip()
    ]
    last = lines[-1] if lines else ""
    if code is None:
        last = f"more than its {job.minutes} minutes; {last}"
    return status, time.monotonic() - begin, last


def summary(jobs, state):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for job in jobs:
        row = state.done[job.name]
        counts[row["status"]] += 1
        print(f"{row['status']:8}{job.name:32} {row['seconds']:6} s  {row['last']}")
    print(", ".join(f"{count} {status}" for status, count in counts.items()))
    return 1 if counts["failed"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus",
                        nargs="?",
                        help="a folder with models/index.json and ops/index.json, run as well")
    parser.add_argument("--list",
                        action="store_true",
                        help="the jobs, their budgets, and what is done")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--table", default=pathlib.Path(__file__).with_name("jobs.py"))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    wish = parser.parse_args()
    build = wish.build.resolve()
    folder = build / "night"
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    everything = read_table(wish.table, wish.corpus)
    jobs = chosen(everything, wish.only, wish.shard)
    if not jobs:
        sys.exit("nightly: there is no such job; --list shows them")
    state = State(folder / "state.json", wish.fresh)
    if not wish.list and all(job.name in state.done for job in jobs):
        state.begin_again(jobs, len(jobs) == len(everything))
    if wish.list:
        for job in jobs:
            print(
                f"{job.name:32} {job.minutes:4} min  "
                f"{state.done.get(job.name, {}).get('status', ''):8}{job.what}"
            )
        print(f"{len(jobs)} jobs, at most {sum(job.minutes for job in jobs) / 60:.1f} hours")
        return 0
    environment = {
        **os.environ, "ROOT": str(ROOT), "BUILD": str(build), "HLOCC": str(build / "hlocc"),
        "NIGHT": state.night,
        "CORPUS": str(pathlib.Path(wish.corpus).resolve()) if wish.corpus else ""
    }
    for job in jobs:
        if job.name in state.done:
            continue
        print(f"== {job.name}: {job.what}", flush=True)
        status, seconds, last = run_job(job, environment,
                                        folder / "logs" / (job.name.replace("/", "_") + ".txt"))
        state.add(job, status, seconds, last)
        print(f"   {status} after {seconds:.0f} s: {last}", flush=True)
    return summary(jobs, state)


if __name__ == "__main__":
    sys.exit(main())
