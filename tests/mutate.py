#!/usr/bin/env python3
"""mutate.py [FILE|FOLDER of src/]... [--sample N] [--seed S] [--work DIR] [--jobs N] [--report
FILE]: how many one-line faults the tests see.

Makes mutants of the files (all of src/, if none is named) as mutation/mutants.py says, builds them
all into one scratch build behind a switch, notes for every test of their rooms (mutation/rooms.py)
which mutants it could see (where original and mutant answer differently), and runs a sample: for
each mutant the tests that could see it, its own room's first, until one fails. Prints who killed it
and, at the end, survivors with file and line and the figures by room. What was run is kept in DIR:
a second call goes on where the first one stopped. `--unseen` lists, without running any mutant,
those that no test could see: the worklist. Exit code 1 if fewer than --goal percent were killed.

A mutant that changes no behaviour is no fault: mutation/equivalent.txt lists those, with the
reason."""
import argparse
import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/mutation"))
import mutants as making  # noqa: E402
import probes as probing  # noqa: E402
import rooms as houses  # noqa: E402
import slips  # noqa: E402
import stub  # noqa: E402

SOURCES = {".cpp", ".h"}
# What tests that run in the root of the tree read.
READ_FROM_ROOT = ("tests/data", "tests/e2e", "tests/fuzz", "tests/runtime_stub")


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="files or folders below src/")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants are run (0: all)")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--mutants",
                        type=Path,
                        help="a file with the names of those that are run instead")
    parser.add_argument("--work",
                        type=Path,
                        default=ROOT / "build/mutants",
                        help="scratch copy, build and results")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds",
                        type=float,
                        default=600,
                        help="how long one test may take while it is traced")
    parser.add_argument("--own",
                        action="store_true",
                        help="only the rooms' own unit tests: a small build, quick answers")
    parser.add_argument("--values",
                        action="store_true",
                        help="mutants of what is computed (mutation/slips.py), not of conditions")
    parser.add_argument("--longest", type=float, help="leave out tests that take more seconds")
    parser.add_argument("--skip", help="leave out tests whose names hold this regular expression, "
                        "and programs of which none is left")
    parser.add_argument("--goal", type=float, default=0, help="percent that must be killed")
    parser.add_argument("--report", type=Path, help="the figures as JSON")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    parser.add_argument("--unseen",
                        action="store_true",
                        help="only list the mutants that no test could see")
    parser.add_argument("--pick",
                        type=float,
                        metavar="SECONDS",
                        help="look for programs that show what no picked one shows")
    return parser.parse_args()


def sources_of(names):
    for name in names:
        path = ROOT / houses.source_of(name)
        if not path.exists(): sys.exit(f"no such file or folder: {path.relative_to(ROOT)}")
        yield from sorted(file for file in path.rglob("*")
                          if file.suffix in SOURCES) if path.is_dir() else [path]


def find_mutants(arguments):
    found, scan = [], slips.scan if arguments.values else making.scan
    names = arguments.files or (houses.PICKED
                                if arguments.pick else [room.name for room in houses.ROOMS])
    for path in dict.fromkeys(sources_of(names)):
        found += scan(str(path.relative_to(ROOT)).removeprefix("src/"), path.read_text())
    return found


def equivalent_keys(found):
    """Mutants of mutation/equivalent.txt: lines `FILE | KIND | CLAUSE | MUTATED`, the reason above
    them as a comment."""
    listed = set()
    for line in (ROOT / "tests/mutation/equivalent.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            listed.add(tuple(part.strip() for part in line.split(" | ")))
    for line in sorted(listed - {(m.path, m.kind, m.text, m.mutated) for m in found}):
        if any(m.path == line[0] for m in found):
            print(f"equivalent.txt: no such mutant any more: {' | '.join(line)}")
    return {m.key for m in found if (m.path, m.kind, m.text, m.mutated) in listed}


def put(path, text):
    """Writes only what changed, so that ninja builds only that."""
    if path.exists() and path.read_bytes() == text: return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)


NUMBERS = 1 << 20


def numbers_of(found):
    """What the switch calls each mutant: a number of its own name, so that a change of one file
    leaves the others as they are."""
    numbers, taken = {}, set()
    for key in sorted(m.key for m in found):
        number = int(key[:5], 16)
        while number in taken: number = (number + 1) % NUMBERS
        taken.add(number)
        numbers[key] = number
    return numbers


class Build:
    """The scratch copy of the sources with all mutants, and its programs."""

    def __init__(self, work, jobs):
        self.source, self.log, self.jobs = work / "source", work / "build.log", jobs
        self.uncompiled = work / "uncompiled"  # keys of mutants that were left out before
        # In the source tree, where worktrees have it: a compiler cache then knows the files that
        # have no mutants.
        self.build = self.source / "build"

    def make(self, found, programs):
        """Builds the copy; mutants that don't compile are left out. Gives those that stand."""
        self.copy_tree()
        known = set(self.uncompiled.read_text().split()) if self.uncompiled.exists() else set()
        found = [m for m in found if m.key not in known]
        self.write_sources(found)
        if not (self.build / "build.ninja").exists():
            subprocess.run(
                [
                    "cmake",
                    "-S",
                    self.source,
                    "-B",
                    self.build,
                    "-G",
                    "Ninja",
                    "-DCMAKE_BUILD_TYPE=Release",
                    "-DHLOCC_UNITY=ON",
                    # As the preset `asan` has them: what a guard keeps from being read is
                    # not there.
                    "-DCMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS"
                ],
                check=True,
                stdout=subprocess.DEVNULL)
        for _ in range(5):
            if self.build_once(programs): return found
            broken = {(m[1], int(m[2]))
                      for m in re.finditer(
                          r"(?:src/|(?=runtime_stub/))([\w/]+\.(?:cpp|h)):(\d+):\d+: error",
                          self.log.read_text())}
            kept = [
                m for m in found
                if not any(m.path == path and abs(m.line - line) <= 3 for path, line in broken)
            ]
            if len(kept) == len(found): break
            print(f"{len(found) - len(kept)} mutants do not compile and are left out", flush=True)
            known |= {m.key for m in found} - {m.key for m in kept}
            self.uncompiled.write_text("".join(f"{key}\n" for key in sorted(known)))
            found = kept
            self.write_sources(found)
        sys.exit(f"the mutants do not build: see {self.log}")

    def build_once(self, programs):
        """Whether all programs were built."""
        of_ninja = [name for name in programs if name not in stub.PROGRAMS]
        with open(self.log, "w") as log:
            built = not of_ninja or subprocess.run(
                ["ninja", "-C", self.build, "-k", "0", f"-j{self.jobs}", *of_ninja],
                stdout=log,
                stderr=subprocess.STDOUT).returncode == 0
            return (len(of_ninja) == len(programs)
                    or stub.make(self.source, self.build, log)) and built

    def copy_tree(self):
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"],
                                check=True,
                                capture_output=True,
                                text=True).stdout.splitlines()
        files = {name for name in listed if (ROOT / name).is_file()}
        self.texts, self.data = {}, {}
        for name in sorted(files):
            if Path(name).suffix in SOURCES and name.startswith(("src/", "runtime_stub/")):
                self.texts[name] = (ROOT / name).read_text()
            else:
                content = (ROOT / name).read_bytes()
                put(self.source / name, content)
                if os.access(ROOT / name, os.X_OK): (self.source / name).chmod(0o755)
                if Path(name).suffix not in SOURCES: self.data[name] = digest(content)
        for old in [*self.source.glob("src/**/*.cpp"), *self.source.glob("tests/**/*.cpp")]:
            name = str(old.relative_to(self.source))
            if name not in files and name != "src/support/mutation_switch.cpp": old.unlink()

    def data_below(self, folders):
        """Of the files below folders that are compiled into no program."""
        below = tuple(f"{folder}/" for folder in folders)
        return digest("".join(f"{name} {text}\n" for name, text in self.data.items()
                              if name.startswith(below)).encode())

    def write_sources(self, found):
        numbers = numbers_of(found)
        by_path = collections.defaultdict(list)
        for m in found: by_path[m.path].append(m)
        for name, text in self.texts.items():
            here, rewritten = by_path[name.removeprefix(
                "src/")], making.rewritten_c if name.startswith(stub.NAME) else making.rewritten
            put(self.source / name, (rewritten(text, here, numbers) if here else text).encode())
        put(self.source / "src/support/mutation_switch.cpp",
            (ROOT / "tests/mutation/switch.cpp").read_bytes())


class Journal:
    """What is known: which test sees which mutants, who killed whom, and which tests a survivor
    passed. A kill stays true while the mutant's file does; what a test saw and let pass stays while
    its program and what that reads do."""

    def __init__(self, path, build):
        self.path, self.saved = path, 0.0
        self.facts = {"build": build, "seen": {}, "killed": {}, "passed": {}}
        if not path.exists(): return
        old = json.loads(path.read_text())
        # What is known of files that are no part of this run stays.
        build["files"] = {**old["build"]["files"], **build["files"]}
        same = {
            name
            for name, digest in build["files"].items()
            if old["build"]["files"].get(name) == digest
        }
        self.facts["killed"] = {
            key: fact
            for key, fact in old["killed"].items()
            if fact[0] and fact[2] in same
        }
        self.facts["seen"], self.facts["passed"] = old["seen"], old["passed"]

    def save(self, every=0):
        """Writes what is known, if it was not in the last `every` seconds: it is large where many
        tests see much."""
        if time.monotonic() - self.saved < every: return
        self.saved = time.monotonic()
        temporary = self.path.with_suffix(".new")
        temporary.write_text(json.dumps(self.facts))
        os.replace(temporary, self.path)

    def seen_by(self, probe):
        """[seconds, the mutants that the probe could see], or None where it has to be traced: one
        that failed may pass now."""
        known = self.facts["seen"].get(probe.name)
        return known[:2] if known and known[1] is not None and known[2] == probe.digest else None

    def passes(self, key, probe):
        return self.facts["passed"].get(key, {}).get(probe.name) == probe.digest


def digest(text):
    return hashlib.sha1(text).hexdigest()


def fingerprint(build, found):
    """Of each file that has mutants."""
    return {
        "files": {
            path: digest(build.texts[houses.source_of(path)].encode())
            for path in sorted({m.path
                                for m in found})
        }
    }


def name_programs(probes, build):
    """Gives each probe the digest of its program and of what that reads."""
    binaries, data = {}, {}
    for probe in probes:
        folder = str(probe.folder.relative_to(build.source))
        if probe.binary not in binaries:
            binaries[probe.binary] = digest((build.build / probe.binary).read_bytes())
        if folder not in data:
            data[folder] = build.data_below(READ_FROM_ROOT if folder == "." else (folder, ))
        probe.digest = digest(f"{binaries[probe.binary]} {data[folder]}".encode())


def trace(probes, journal, arguments):
    """seen[i]: the mutants that probe i could see; kept in the journal."""
    todo = [p for p in probes if journal.seen_by(p) is None]
    if todo: print(f"tracing {len(todo)} tests", flush=True)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for probe, numbers in zip(
                todo, pool.map(lambda p: probing.trace(p, NUMBERS, arguments.seconds), todo)):
            journal.facts["seen"][probe.name] = [probe.seconds, numbers, probe.digest]
            journal.save(every=60)
            if numbers is None:
                print(f"fails without any mutant and is left out: {probe.name}", flush=True)
    journal.save()
    known = [journal.facts["seen"][p.name] for p in probes]
    for probe, fact in zip(probes, known): probe.seconds = fact[0]
    return [None if fact[1] is None else set(fact[1]) for fact in known]


def place(m):
    return f"{m.key} {houses.source_of(m.path)}:{m.line}: {m.kind}: {m.text}  ->  {m.mutated}"


def room_of(m):
    return houses.room_of(m.path).name


def own_tests(m):
    return houses.room_of(m.path).tests


def run_sample(found, sample, probes, seen, journal, arguments):
    """killed[key]: [program of the probe, its name, the mutant's file] or [None, how many could see
    it, the file]."""
    numbers = numbers_of(found)
    killed = journal.facts["killed"]
    able_of = lambda m: sum(numbers[m.key] in which for which in seen if which)
    todo = [m for m in sample if m.key not in killed]

    def one(m):
        fresh = [None if journal.passes(m.key, p) else which for p, which in zip(probes, seen)]
        probe, ran = probing.killer(numbers[m.key], own_tests(m), probes, fresh)
        able = able_of(m)
        verdict = f"killed by {probe.name}" if probe else f"SURVIVES {able} tests that could see it"
        with lock:
            killed[m.key] = [probe.program, probe.name, m.path] if probe else [None, able, m.path]
            journal.facts["passed"].setdefault(m.key, {}).update({p.name: p.digest for p in ran})
            journal.save(every=20)
            print(f"{place(m)}\n    {verdict}", flush=True)

    lock = Lock()
    with ThreadPoolExecutor(arguments.jobs) as pool: list(pool.map(one, todo))
    journal.save()
    return killed


def killed_before(build, arguments):
    """Mutants that a test killed when the sample was last run, and whose file is as it was: no row
    need show them."""
    path = arguments.work / "journal.json"
    if not path.exists(): return set()
    old = json.loads(path.read_text())
    same = {
        name
        for name, was in old["build"]["files"].items()
        if digest(build.texts.get(houses.source_of(name), "").encode()) == was
    }
    return {key for key, fact in old["killed"].items() if fact[0] and fact[2] in same}


def pick(build, found, arguments):
    """Lets tests/picked/pick.cpp look for rows and appends them to the rooms' picked.txt."""
    numbers = numbers_of(found)
    killed = killed_before(build, arguments)
    known = arguments.work / "pick_known"
    known.write_text("".join(f"{numbers[m.key]}\n" for m in found if m.key in killed))

    # Each process has its part of the mutants.
    def part(n):
        mutants, rows, left = (arguments.work / f"pick_{name}_{n}"
                               for name in ("mutants", "rows", "left"))
        mutants.write_text("".join(f"{numbers[m.key]} {room_of(m)}\n" for m in found
                                   if numbers[m.key] % arguments.jobs == n))
        rows.write_text("")
        environment = {
            **os.environ, "HLOCC_PICK_MUTANTS": str(mutants), "HLOCC_PICK_ROWS": str(rows),
            "HLOCC_PICK_LEFT": str(left), "HLOCC_PICK_KNOWN": str(known),
            "HLOCC_PICK_SEED": str(arguments.seed * arguments.jobs + n),
            "HLOCC_PICK_SECONDS": str(arguments.pick)
        }
        left.write_text("")
        done = subprocess.run([build.build / "pick_programs"],
                              cwd=ROOT / "tests/picked",
                              env=environment)
        if done.returncode != 0:
            print(
                f"without any mutant the compiler ends with {done.returncode} on\n"
                f"    {Path(f'{rows}.now').read_text()}"
            )
        return rows.read_text().splitlines(), left.read_text().splitlines()

    with ThreadPoolExecutor(arguments.jobs) as pool:
        parts = list(pool.map(part, range(arguments.jobs)))
    rows, left = ([line for part in parts for line in part[k]] for k in (0, 1))
    for line in rows:
        room, row = line.split(": ", 1)
        with open(ROOT / "tests" / room / "picked.txt", "a") as file: file.write(row + "\n")
    shown = {int(number): (tries, nearness) for number, _, tries, nearness in map(str.split, left)}
    for m in found:
        if numbers[m.key] in shown:
            print(
                f"{place(m)}  (tried by {shown[numbers[m.key]][0]} programs; "
                f"{shown[numbers[m.key]][1]})"
            )
    print(
        f"{len(rows)} rows; {len(shown)} of {len(found)} mutants are shown by no picked program, "
        f"and were killed by no test"
    )


def figures(sample, killed):
    rows = {}
    for m in sample:
        row = rows.setdefault(room_of(m), {"made": 0, "killed": 0, "own": 0})
        row["made"] += 1
        row["killed"] += killed[m.key][0] is not None
        row["own"] += killed[m.key][0] in own_tests(m)
    total = {name: sum(row[name] for row in rows.values()) for name in ("made", "killed", "own")}
    return {**dict(sorted(rows.items())), "all": total}


def sample_of(found, arguments):
    """Drawn by name, so that a mutant stays in the sample while others come and go."""
    if arguments.mutants:
        wanted = set(arguments.mutants.read_text().split())
        return [m for m in found if m.key in wanted]
    order = sorted(found, key=lambda m: digest(f"{arguments.seed} {m.key}".encode()))
    return order[:arguments.sample or len(found)]


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "-"


def main():
    arguments = parse()
    found = find_mutants(arguments)
    dead = set() if arguments.values else equivalent_keys(found)
    found = [m for m in found if m.key not in dead]
    if arguments.list:
        for m in found: print(place(m))
        print(f"{len(found)} mutants, {len(dead)} more change nothing")
        return 0
    if probing.ALONE is None:
        sys.exit("a mutant may end processes that are not its own: `unshare --pid` is needed here")
    rooms = [houses.BY_NAME[name] for name in sorted({room_of(m) for m in found})]
    programs = probing.programs_of(rooms, arguments.own, arguments.skip)
    arguments.work = arguments.work.resolve()
    build = Build(arguments.work, arguments.jobs)
    if arguments.pick:
        pick(build, build.make(found, ["pick_programs"]), arguments)
        return 0
    found = build.make(found, programs)
    journal = Journal(arguments.work / "journal.json", fingerprint(build, found))
    probes = probing.probes_of(build.build, build.source, rooms, arguments.own, arguments.skip)
    name_programs(probes, build)
    seen = trace(probes, journal, arguments)
    if arguments.longest:
        kept = [i for i, probe in enumerate(probes) if probe.seconds <= arguments.longest]
        probes, seen = [probes[i] for i in kept], [seen[i] for i in kept]
    if arguments.unseen:
        everything = set().union(*(numbers for numbers in seen if numbers))
        numbers = numbers_of(found)
        blind = [m for m in found if numbers[m.key] not in everything]
        for m in blind: print(place(m))
        print(f"{len(found)} mutants, {len(blind)} that no test could see")
        return 0
    sample = sample_of(found, arguments)
    killed = run_sample(found, sample, probes, seen, journal, arguments)
    print("\nsurvivors:")
    for m in sorted(sample, key=lambda m: (m.path, m.line)):
        if killed[m.key][0] is None: print(f"{place(m)}  ({killed[m.key][1]} tests could see it)")
    table = figures(sample, killed)
    print(f"\n{'room':18}{'made':>6}{'killed':>8}{'':>7}{'by its own':>12}")
    for room, row in table.items():
        print(f"{room:18}{row['made']:6}{row['killed']:8}{percent(row['killed'], row['made']):>7}"
              f"{percent(row['own'], row['killed']):>12}")
    if arguments.report: arguments.report.write_text(json.dumps(table, indent=1) + "\n")
    total = table["all"]
    print(
        f"{total['killed']} of {total['made']} mutants killed, "
        f"{percent(total['own'], total['killed'])} of them by their own room"
    )
    return 0 if 100 * total["killed"] >= arguments.goal * total["made"] else 1


if __name__ == "__main__":
    sys.exit(main())
