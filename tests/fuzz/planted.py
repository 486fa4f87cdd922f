#!/usr/bin/env python3
"""planted.py [--seconds 60] [TARGET...]: does each target of libFuzzer find a fault in what it
reads?

For each row of FAULTS a copy of the tree gets that one fault (a length off by one, a limit left
out, a check dropped), its targets are built in the copy, and the row's target runs, from the same
seeds as always, until it finds something or its time is over. With --together all faults are built
at once, which takes a tenth of the time; what was found tells then whether it was the row's. Prints
a table: target, fault, seconds until found, what ended it and where. Exits with 1 if a fault was
not found, 2 if a row no longer fits the source."""

import argparse
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# target, what is wrong, file, text, its stand-in
FAULTS = [
    ("text", "a row of a literal may be one element too long", "src/import/text/literal.cpp",
     "if (counts_[open - 1] < sizes_[open - 1]) {", "if (counts_[open - 1] <= sizes_[open - 1]) {"),
    ("proto", "the number of a parameter is not held against their count",
     "src/import/structure.cpp", "if (number < 0 || number >= count)", "if (number < 0)"),
    ("snapshot", "raw elements need not be as many as the shape has",
     "src/import/proto/literal.cpp",
     "row.encoding == kRaw ? present == wanted : present >= wanted / width",
     "row.encoding == kRaw ? present >= wanted : present >= wanted / width"),
    ("stablehlo", "a broadcast may place a dimension one behind the last",
     "src/import/stablehlo/ops_movement.cpp", "given[i] < static_cast<int64_t>(to.size());",
     "given[i] <= static_cast<int64_t>(to.size());"),
    ("tflite", "the operands of an operator are not held against the tensors",
     "src/import/tflite/model.cpp",
     "if (index >= static_cast<int64_t>(count) || index < (optional ? -1 : 0)) {",
     "if (index < (optional ? -1 : 0)) {"),
    ("onnx", "a tensor may have more bytes than its shape", "src/import/onnx/tensors.cpp",
     "if (raw.size() != (is_packed", "if (raw.size() < (is_packed"),
    ("zip", "a member may reach into the directory, and beyond the archive", "src/import/zip.cpp",
     "if (!holds(member.data, member.packed_size, directory_))",
     "if (member.data > bytes_.size())"),
    ("npy", "the elements may be one short", "src/import/npy.cpp",
     "if (static_cast<int64_t>(bytes.size()) < product(header.dimensions) * width)",
     "if (static_cast<int64_t>(bytes.size()) + 1 < product(header.dimensions) * width)"),
    ("config", "a config is read one byte beyond its end", "src/driver/cli/config.cpp",
     "LineCounter(text.data() + text.size(), nullptr)",
     "LineCounter(text.data() + text.size() + 1, nullptr)"),
    ("profile", "a step may have the number of steps as its number",
     "src/driver/analyze/profile.cpp", "if (*number >= steps.size())",
     "if (*number > steps.size())"),
    ("elf", "the last halfword of a section may begin a word", "src/driver/doctor/code_scan.cpp",
     "const bool is_wide = first >= 0xE800 && at + 4 <= section.content.size();",
     "const bool is_wide = first >= 0xE800;"),
    ("facts", "a word of a header may end one character behind the text",
     "src/driver/doctor/files.cpp",
     "while (end < text.size() && is_part_of_word(text[end])) ++end;",
     "while (end <= text.size() && is_part_of_word(text[end])) ++end;"),
    ("device", "an answer may be longer than what was asked for",
     "src/devices/remote/remote_device.cpp",
     "if (in.failed() || bytes.size() != to.size()) return damaged_answer();",
     "if (in.failed()) return damaged_answer();"),
    ("module", "a slice at run time may start one element late",
     "src/lowering/ops/data_movement.cpp", "start = b.min(start, b.constant_int(type, limit));",
     "start = b.min(start, b.constant_int(type, limit + 1));"),
]


def copy_tree(to: Path) -> None:
    """What differs is copied, so that the build goes on; its date is new, also where a fault is
    taken back."""
    files = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                           cwd=ROOT,
                           capture_output=True,
                           text=True,
                           check=True).stdout.split("\n")
    for name in files:
        source, copy = ROOT / name, to / name
        if not name or not source.is_file() or (copy.is_file()
                                                and copy.read_bytes() == source.read_bytes()):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)


def plant(tree: Path, row: tuple) -> bool:
    _, _, name, old, new = row
    path = tree / name
    text = path.read_text()
    if text.count(old) != 1:
        print(f"{name} has not one '{old}'", file=sys.stderr)
        return False
    path.write_text(text.replace(old, new))
    return True


def build(tree: Path) -> None:
    quiet = {"stdout": subprocess.DEVNULL, "check": True, "cwd": tree}
    if not (tree / "build/fuzz/build.ninja").exists():
        subprocess.run(["cmake", "--preset", "fuzz"], **quiet)
    subprocess.run(["cmake", "--build", "--preset", "fuzz"], **quiet)


def run(tree: Path, target: str, seconds: int) -> str:
    """Seconds until found, what was said and the first place of ours, as the end of a row."""
    shutil.rmtree(tree / "build/fuzz/corpus", ignore_errors=True)
    began = time.monotonic()
    done = subprocess.run(["tests/fuzz/libfuzz.sh", "build/fuzz", str(seconds), target], cwd=tree,
                          capture_output=True, text=True)
    took = time.monotonic() - began
    if done.returncode == 0:
        return ""
    log = (tree / f"build/fuzz/findings/{target}.log").read_text(errors="replace")
    said = re.search(
        r"a rule is broken: .*|.*error\[internal\].*|heap-buffer-overflow|Assertion '.*"
        r"|SUMMARY: .*",
        log)
    where = re.search(r"#\d+ .* in .*/(src/[a-z_/]+\.(?:cpp|h):\d+)", log)
    return f"{took:.0f} s | {said.group(0)[:90].strip() if said else '?'}{f', {where.group(1)}' if where else ''}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--work", type=Path, default=ROOT / "build/planted")
    parser.add_argument("--together", action="store_true")
    parser.add_argument("targets", nargs="*")
    arguments = parser.parse_args()
    tree = arguments.work / "tree"
    rows = [row for row in FAULTS if not arguments.targets or row[0] in arguments.targets]
    failed = 0
    print("| target | fault | found after | by |\n|---|---|---|---|", flush=True)
    for group in [rows] if arguments.together else [[row] for row in rows]:
        copy_tree(tree)
        if not all(plant(tree, row) for row in group):
            return 2
        build(tree)
        for row in group:
            found = run(tree, row[0], arguments.seconds)
            failed |= not found
            print(f"| {row[0]} | {row[1]} | {found or 'not found |'} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
