"""The tests as mutants meet them: each case of each unit test program, cases of the conformance
net, the tests of the whole tool one by one, the index under `verify`, a few seeds of the fuzzer. A
probe is one process that must exit with 0."""
import ast
import dataclasses
import os
import re
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import rooms as houses
import stub

BINARIES = {"e2e": "hlocc", "verify": "hlocc", "conformance": "conformance", "fuzz": "hlo_fuzz"}
STAGES = {"choices": 1.5, "e2e": 1.8, "conformance": 2, "verify": 3, "fuzz": 4}
# Of the tests of the whole tool those that are slow and ask of LLVM or of a browser, not of ours.
NOT_OF_E2E = {"page_test.py", "versions_test.py", "c_flags_test.py"}
MEMORY = 6 << 30


@dataclasses.dataclass
class Probe:
    program: str  # test_PROGRAM, or what stands in STAGES
    name: str
    command: list
    folder: Path
    seconds: float = 0.0
    memory: int = MEMORY  # bytes that it may take
    digest: str = ""  # of its program and of what that reads
    built: str = ""  # the program of the build that it runs, where that is none of the others'

    @property
    def binary(self):
        """The program of the build that it runs."""
        return self.built or BINARIES.get(self.program, f"test_{self.program}")


def is_left_out(program, skip):
    """Whether `skip` leaves out all probes of a program, which then needs no build."""
    return bool(skip) and re.search(skip, f"{program}: ") is not None


def units_of(rooms, skip):
    """The unit tests of these rooms, and what sees whole programs there, but what is left out."""
    return [name for name in houses.programs_of(rooms) if not is_left_out(name, skip)]


def programs_of(rooms, own, skip=None):
    """What has to be built for the probes of mutants in these rooms; `own`: their unit tests, and
    what becomes of whole programs."""
    units = units_of(rooms, skip)
    ways = {"e2e" if way == "e2e" else "verify" for way in houses.cases_of(rooms)}
    cases = ["hlocc"] if own and not all(is_left_out(way, skip) for way in ways) else []
    return [
        *(f"test_{name}" for name in units if name != stub.NAME),
        *(stub.PROGRAMS if stub.NAME in units else []), *cases
    ] + ([] if own else ["conformance", "hlocc", "hlo_fuzz"])


def probes_of(build, root, rooms, own, skip=None):
    """Unit tests case by case, then, if not `own`, what runs the compiler as a whole; but those
    whose names hold the regular expression `skip`."""
    probes = everything(build, root, rooms, own, skip)
    return [probe for probe in probes if not (skip and re.search(skip, probe.name))]


def everything(build, root, rooms, own, skip):
    probes = []
    for name in units_of(rooms, skip):
        if name == stub.NAME:
            probes += [
                Probe(name, f"{name}: {case}", command, root, memory=resource.RLIM_INFINITY,
                      built=built) for built, case, command in stub.probes(build)
            ]
            continue
        program = build / f"test_{name}"
        folder = root / "tests" / houses.FOLDERS.get(name, name)
        listed = subprocess.run([program, "--list-test-names-only"],
                                cwd=folder,
                                capture_output=True,
                                text=True).stdout
        for case in filter(None, map(str.strip, listed.splitlines())):
            # Catch2 reads commas and brackets in names as its own.
            literal = case.replace("\\", "\\\\").replace(",", "\\,").replace("[", "\\[")
            # Nor does it take a name for an option.
            if literal.startswith("-"): literal = "*" + literal.lstrip("-")
            probes.append(Probe(name, f"{name}: {case}", [program, literal, "--abort"], folder))
    probes += [probe for way in houses.cases_of(rooms) for probe in cases(way, build, root)]
    if own: return probes
    if "e2e" not in houses.cases_of(rooms): probes += end_to_end(build, root)
    for data in ("ops", "models", "regressions"):
        folder = root / "tests/data" / data
        for target in ("cortex-m4f", "cortex-a53"):
            probes.append(
                Probe("conformance", f"conformance {data} {target}", [
                    build / "conformance", "--layers", "passes,program,legal,share,plan",
                    "--target", target, "--seconds", "120", "index.json"
                ], folder))
    for data in ("ops", "models", "regressions"):
        index = root / "tests/data" / data / "index.json"
        probes.append(
            Probe("verify", f"verify {data}",
                  [build / "hlocc", "verify", "--index", index, "--backend", "cpu"], root))
    known = root / "tests/fuzz/known_differences.txt"
    probes.append(
        Probe("fuzz", "fuzz 200 seeds",
              [build / "hlo_fuzz", "random", "--seed", "1", "--count", "200", "--known", known],
              root))
    probes.append(
        Probe("fuzz", "fuzz chains", [build / "hlo_fuzz", "chains", "--seed", "1", "--count", "40"],
              root))
    return probes


def cases(way, build, root):
    """`verify` of the cases of tests/data in one way, an index in parts; or the tests of the whole
    tool."""
    if way == "e2e":
        yield from end_to_end(build, root)
        return
    flags, parts = houses.CASES[way]
    for index in houses.INDEXES:
        for part in range(parts):
            command = [
                build / "hlocc", "verify", "--index", root / "tests/data" / index, *flags.split(),
                "--shard", f"{part}/{parts}", "--allow-skips"
            ]
            yield Probe("verify", f"verify {way} {index} {part}/{parts}", command, root)


def end_to_end(build, root):
    """The tests of the whole tool one by one."""
    for path in sorted((root / "tests/e2e").glob("*_test.py")):
        if path.name in NOT_OF_E2E: continue
        for test in tests_of(path):
            yield Probe("e2e", f"e2e {path.stem} {test}",
                        ["env", f"HLOCC_TEST={test}", "python3", path, build / "hlocc", root], root)


def tests_of(path):
    """Class.method of each test of a file of unittest's."""
    classes = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)]
    return [f"{one.name}.{method.name}" for one in classes for method in one.body
            if isinstance(method, ast.FunctionDef) and method.name.startswith("test")]


def alone():
    """The command in front of a probe that gives it processes of its own: a mutant that kills
    process -1 kills all that it sees. None where the system refuses."""
    for user in ([], ["--user", "--map-root-user"]):
        words = ["unshare", *user, "--pid", "--fork", "--kill-child", "--"]
        if subprocess.run([*words, "true"], capture_output=True).returncode == 0:
            # The first process of a namespace takes signals in its own way: that is a shell.
            return [*words, "sh", "-c", '"$@"; exit $?', "sh"]
    return None


ALONE = alone()


def run(probe, variables, seconds):
    """The exit code (None past the time), and how long it took. A mutant may eat memory: that is
    limited; it may end processes: it sees none but its own; and others work on this machine: tests
    wait for them."""
    def limit():
        os.nice(10)
        resource.setrlimit(resource.RLIMIT_DATA, (probe.memory, probe.memory))

    start = time.monotonic()
    process = subprocess.Popen([*ALONE, *(str(word) for word in probe.command)],
                               cwd=probe.folder,
                               env={**os.environ, "HLOCC_FIRST_DIFFERENCE": "1", **variables},
                               stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               preexec_fn=limit,
                               start_new_session=True)
    try:
        code = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        code = None
    return code, time.monotonic() - start


def trace(probe, count, seconds):
    """Which mutants would have answered otherwise somewhere in this probe; None if it fails without
    any."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(count))
        file.flush()
        code, probe.seconds = run(probe, {"HLOCC_MUTANTS_SEEN": file.name}, seconds)
        with open(file.name, "rb") as seen:
            bits = seen.read()
    return None if code != 0 else [m.start() for m in re.finditer(rb"\x01", bits)]


def killer(number, own, probes, seen):
    """The first probe that fails with the mutant, those of its `own` room's programs first, quick
    ones before slow ones; those that passed."""
    able = [p for p, numbers in zip(probes, seen) if numbers is not None and number in numbers]
    able.sort(key=lambda p: (0 if p.program in own else STAGES.get(p.program, 1), p.seconds))
    for n, probe in enumerate(able):
        code, _ = run(probe, {"HLOCC_MUTANT": str(number)}, 20 + 8 * probe.seconds)
        if code != 0: return probe, able[:n]
    return None, able
