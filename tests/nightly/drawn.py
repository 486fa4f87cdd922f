"""drawn.py ROAD --night DATE [--count N] [--minutes M]: drawn modules of a night on one road, and a
line of them in nights.tsv.

ROAD is `jit` (interpreter against the host's JIT), `c-gcc` or `c-clang-19` (the same modules' C by
that compiler, here), or a preset of `hlocc targets`. Modules come in chunks of 250, whose kinds
take turns: as they are drawn, with hostile arguments, of one of the families. What the boards are
given is what interpreter and JIT agree on, made once a night for all of them. A run that was ended
goes on with the chunk that it was at; after M minutes it stops, and its line says how many modules
it came to. Exit status 1 if any module differs that tests/fuzz/known_differences.txt does not name;
cases that differ are kept in build/night/drawn/ROAD."""
import argparse
import concurrent.futures
import dataclasses
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOG = pathlib.Path(__file__).with_name("nights.tsv")
KNOWN = ROOT / "tests" / "fuzz" / "known_differences.txt"
CHUNK = 250
PLAIN, HOSTILE = [], ["--hostile"]
KINDS = [
    PLAIN, HOSTILE, ["--focus", "qdq"], HOSTILE, PLAIN, ["--focus", "narrow"], HOSTILE,
    ["--focus", "requantize"], PLAIN, ["--focus", "window"], HOSTILE, ["--focus", "small_weights"]
]
# Vectors flush subnormals: infinities and NaN may change places, and that is no mistake.
FLUSH = {"cortex-m55", "armv7-linux"}
COMPILERS = {"c-gcc": "gcc", "c-clang-19": "clang-19"}
ROADS = {**{road: ["--backend", "c", "--target", "host"] for road in COMPILERS},
         "avr-mega2560": ["--backend", "c", "--target", "avr-mega2560"]}


@dataclasses.dataclass
class Counts:
    drawn: int = 0  # modules that were made
    agree: int = 0  # of these the road's results are the interpreter's
    # No board has room, a type is lacking, a result hangs on roundings: nothing was compared.
    left_out: int = 0
    known: int = 0  # on the list of known differences
    seconds: float = 0
    differ: list = dataclasses.field(default_factory=list)

    def add(self, other):
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


def first_seed(night, road):
    """Each road but the boards, which share theirs, has seeds of its own."""
    roads = ["jit", "c-gcc", "c-clang-19"]
    return int(night) * 10**7 + 10**6 * (roads.index(road) if road in roads else len(roads))


def told(*command, environment=None):
    ran = subprocess.run([str(word) for word in command],
                         stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT,
                         text=True,
                         check=False,
                         env=environment)
    return ran.stdout.splitlines() or [f"exit status {ran.returncode} and not a word"]


def fuzz(build, seed, count, kind, *flags):
    """What hlo_fuzz says of a chunk."""
    lines = told(build / "hlo_fuzz", "random", "--seed", seed, "--count", count, "--known", KNOWN,
                 *kind, *flags)
    out = Counts(drawn=count)
    for line in lines:
        if match := re.match(r"(DIFFER|FAILED|INVALID) (\w+ \d+): (.*)", line):
            out.differ.append(f"{match[2]}: {match[3]}")
        if match := re.match(r"(\d+) agree, .* (\d+) unsupported", line):
            out.agree, out.left_out = int(match[1]), int(match[2])
        if match := re.match(r"(\d+) are on the list", line):
            out.known = int(match[1])
    if out.agree + out.left_out + out.known + len(out.differ) < count:
        out.differ.append(f"seeds {seed} to {seed + count - 1}: hlo_fuzz ended with: {lines[-1]}")
    return out


def cases_of(build, folder, seed, count, kind):
    """Snapshots of what interpreter and JIT agree on, made once."""
    chunk = folder / "cases" / str(seed)
    if not (chunk / "done").exists():
        shutil.rmtree(chunk, ignore_errors=True)
        fresh = folder / "cases" / f"{seed}.{os.getpid()}"
        fresh.mkdir(parents=True)
        fuzz(build, seed, count, kind, "--save-all", fresh)
        (fresh / "done").touch()
        fresh.replace(chunk)
    return sorted(chunk.glob("*.snapshot.pb"))


def with_compiler(folder, compiler):
    """An environment whose `cc`, which the host's board compiles with, is another one."""
    shims = folder / compiler
    shims.mkdir(exist_ok=True)
    if not (shims / "cc").exists():
        fresh = shims / f"cc.{os.getpid()}.{threading.get_ident()}"
        fresh.symlink_to(shutil.which(compiler))
        fresh.replace(shims / "cc")
    return {**os.environ, "PATH": f"{shims.resolve()}:{os.environ['PATH']}"}


def verify(build, road, cases, drawn, keep):
    """What `hlocc verify` says of a chunk's cases."""
    environment = with_compiler(keep.parent, COMPILERS[road]) if road in COMPILERS else None
    lines = told(build / "hlocc",
                 "verify",
                 *cases,
                 *ROADS.get(road, ["--target", road]),
                 environment=environment)
    out = Counts(drawn=drawn)
    names = {
        re.match(r"(\w+?)_(\d+)", line)[0]
        for line in KNOWN.read_text(encoding="utf-8").replace(" ", "_").splitlines()
        if re.match(r"\w+_\d+:", line)
    }
    for line in lines[:-1]:
        # A board that says no size of its RAM has no room when the linker says so.
        if " is not within region " in line or " will not fit in region " in line:
            continue
        if match := re.match(r"FAILED ([\w.]+): (.*)", line):
            if match[1] in names:
                out.known += 1
                continue
            out.differ.append(f"{match[1].replace('_', ' ')}: {match[2]}")
            keep.mkdir(parents=True, exist_ok=True)
            for file in cases[0].parent.glob(f"{match[1]}.*"):
                shutil.copy(file, keep)
    if match := re.match(r"(\d+) passed, (\d+) failed, (\d+) skipped", lines[-1]):
        out.agree = int(match[1])
        out.left_out = drawn - out.agree - out.known - len(out.differ)
    else:
        out.differ.append(f"{cases[0].name} and on: hlocc verify ended with: {lines[-1]}")
    return out


def run_chunk(wish, folder, number):
    begin = time.monotonic()
    count = min(CHUNK, wish.count - number * CHUNK)
    seed, kind = first_seed(wish.night, wish.road) + number * CHUNK, KINDS[number % len(KINDS)]
    keep = folder / wish.road
    if wish.road == "jit":
        out = fuzz(wish.build, seed, count, kind, "--save", keep)
    else:
        cases = cases_of(wish.build, folder, seed, count, kind)
        out = verify(wish.build, wish.road, cases, count, keep) if cases else Counts(drawn=count,
                                                                                     left_out=count)
    out.seconds = time.monotonic() - begin
    return out


def go_on(wish, folder, sums):
    """Chunk after chunk, as many at once as there are cores, in their order: what is written down
    is always a beginning."""
    progress = folder / f"{wish.road}.json"
    deadline = time.monotonic() + 60 * wish.minutes
    chunks = -(-wish.count // CHUNK)
    number = -(-sums.drawn // CHUNK)
    with concurrent.futures.ThreadPoolExecutor(wish.jobs) as pool:
        while number < chunks and time.monotonic() < deadline:
            group = range(number, min(chunks, number + wish.jobs))
            for out in pool.map(lambda chunk: run_chunk(wish, folder, chunk), group):
                sums.add(out)
                for line in out.differ:
                    print(f"{wish.road}: {line}", flush=True)
            number += len(group)
            progress.write_text(json.dumps({"night": wish.night, **dataclasses.asdict(sums)}),
                                encoding="utf-8")


def write_line(wish, sums):
    seed = first_seed(wish.night, wish.road)
    names = "; ".join(line.split(":")[0] for line in sums.differ) or "none"
    row = [
        datetime.date.today().isoformat(), wish.road, seed, sums.drawn, sums.agree, sums.left_out,
        sums.known,
        len(sums.differ),
        round(sums.seconds / 60), names
    ]
    with open(wish.log, "a", encoding="utf-8") as log:
        log.write("\t".join(map(str, row)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("road")
    parser.add_argument("--night", default=datetime.date.today().strftime("%Y%m%d"))
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--log", type=pathlib.Path, default=LOG)
    wish = parser.parse_args()
    folder = wish.build / "night" / "drawn"
    folder.mkdir(parents=True, exist_ok=True)
    sums, progress = Counts(), folder / f"{wish.road}.json"
    if progress.exists():
        before = json.loads(progress.read_text(encoding="utf-8"))
        if before.pop("night") == wish.night:
            sums = Counts(**before)
    go_on(wish, folder, sums)
    write_line(wish, sums)
    progress.unlink(missing_ok=True)
    print(
        f"{wish.road}: {sums.drawn} of {wish.count} drawn, {sums.agree} agree, {sums.left_out} "
        f"left out, {sums.known} known, "
        f"{len(sums.differ)} differ")
    return 1 if sums.differ and wish.road not in FLUSH else 0


if __name__ == "__main__":
    sys.exit(main())
