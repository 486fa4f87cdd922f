"""model_files.py: .tflite and .onnx files through hlocc beside LiteRT and ONNX Runtime, here.

    python3 bench/model_files.py --hlocc build/hlocc --python PYTHON [--packages FOLDER] [FILE...]

PYTHON has numpy, ai-edge-litert and onnxruntime. --packages adds the models inside the packages
that tests/nightly/package_models.py lists (downloaded into FOLDER when they are not there). One
thread each, one core, in turns of short samples, so that what else runs falls on both; the least
time of each counts. `.tflite` files are compiled with --rounding xnnpack, the integers of what
LiteRT runs. A row has both times, hlocc's by the peer's, and how far the results are apart: the
largest difference by the largest number of a result, at least 1 (integers: in steps). A file that
hlocc refuses counts as 2.0 in the geometric mean; one that the peer refuses does not count.
"""
import argparse
import array
import ast
import json
import math
import pathlib
import struct
import sys
import tempfile

import boards
import host_program

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "nightly"))
import package_models

REFUSED = 2.0


def read_npy(path):
    """(kind, numbers' bytes)"""
    content = path.read_bytes()
    length = int.from_bytes(content[8:10], "little")
    head = ast.literal_eval(content[10:10 + length].decode())
    return head["descr"], content[10 + length:]


def numbers(kind, content):
    codes = {"f4": "f", "f8": "d", "i1": "b", "u1": "B", "b1": "B", "i2": "h", "i4": "i", "i8": "q"}
    if kind[1:] == "f2":
        return struct.unpack(f"<{len(content) // 2}e", content)
    return array.array(codes[kind[1:]], content)


def apart(expected, got):
    """The largest difference, of floats by the largest number of a result, at least 1; text."""
    worst, whole = 0.0, True
    for (kind, content), bytes_ in zip(expected, got):
        want, have = numbers(kind, content), numbers(kind, bytes_)
        is_real = kind[1] == "f"
        largest = max([1, *map(abs, want)]) if is_real else 1
        whole = whole and not is_real
        for x, y in zip(want, have):
            if x != y:
                worst = max(worst, abs(x - y) / largest)
    return f"{worst:.0f} steps" if whole else f"{worst:.1e}"


class Pair:
    """One file on both sides."""

    def __init__(self, given, name, path, folder):
        self.given, self.name, self.path, self.folder = given, name, path, folder

    def start_peer(self, sizes):
        (self.folder / "sizes.json").write_text(json.dumps(sizes), encoding="utf-8")
        command = [*self.given.prefix, self.given.python, HERE / "peer_file.py", self.path,
                   self.folder]
        return host_program.Timed(command, self.given.cpu)

    def start_ours(self, flags, told):
        rounding = ["--rounding", "xnnpack"] if self.path.suffix == ".tflite" else []
        build = self.folder / "build"
        program, manifest, _, _ = host_program.compile_and_link(
            self.given.hlocc, self.path, [*flags, *rounding, *self.given.option], build)
        values = [read_npy(self.folder / f"x{i}.npy")[1] for i in range(told["inputs"])]
        # State begins as zeros.
        content = [bytes(leaf["bytes"]) if leaf["donated"] or not values else values.pop(0)
                   for leaf in manifest["arguments"]]
        (build / "in").write_bytes(b"".join(content))
        timed = host_program.Timed([*self.given.prefix, program, build / "in", build / "out"],
                                   self.given.cpu)
        return timed, manifest, build / "out"

    def error(self, told, manifest, out):
        content, got = out.read_bytes(), []
        for leaf in manifest["results"]:
            got.append(content[:leaf["bytes"]])
            content = content[leaf["bytes"]:]
        expected = [read_npy(self.folder / f"y{i}.npy") for i in range(told["results"])]
        return apart(expected, got)

    def measure(self):
        """{ours, peer, error}, or {refused} or {absent}: by whom, and why."""
        flags, why = package_models.flags_of(self.given.hlocc, self.name, self.path, self.folder)
        sizes = {"frozen": package_models.chosen(package_models.FROZEN, self.name),
                 "sizes": dict(word.split("=") for flag, word in zip(flags, flags[1:])
                               if flag == "--dim")}
        try:
            peer = self.start_peer(sizes)
        except boards.Failure as failure:
            return {"absent": str(failure)}
        if why is not None:
            peer.close()
            return {"refused": why}
        try:
            ours, manifest, out = self.start_ours(flags, peer.ready)
        except boards.Failure as failure:
            peer.close()
            return {"refused": str(failure)}
        row = {"ours": math.inf, "peer": math.inf}
        for turn in range(self.given.rounds):
            sides = [("ours", ours), ("peer", peer)]
            for side, timed in sides if turn % 2 == 0 else reversed(sides):
                row[side] = min(row[side], timed.ask(self.given.seconds)["min_us"])
        row["error"] = self.error(peer.ready, manifest, out)
        ours.close()
        peer.close()
        return row


def print_row(name, row):
    if "ours" in row:
        print(f"| {name} | {row['ours']:.2f} | {row['peer']:.2f} | {row['ours'] / row['peer']:.2f} "
              f"| {row['error']} |", flush=True)
    else:
        reason = row.get("refused") or f"the peer: {row['absent']}"
        print(f"| {name} | - | - | {'2.00' if 'refused' in row else '-'} | {reason[:90]} |",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--python", required=True, type=pathlib.Path)
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--only", default="", help="a part of the name")
    parser.add_argument("--option", action="append", default=[], help="for hlocc compile")
    parser.add_argument("--cpu", type=int, default=0, help="the core to run on")
    parser.add_argument("--realtime", action="store_true", help="SCHED_FIFO, needs root")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.1, help="a side and round")
    given = parser.parse_args()
    given.hlocc = given.hlocc.resolve()
    given.prefix = ["chrt", "-f", "1"] if given.realtime else []
    models = {path.name: path.resolve() for path in given.files}
    if given.packages:
        models |= package_models.download(given.packages.resolve())
    print("| file | hlocc, us | peer, us | ratio | apart |\n|---|---:|---:|---:|---:|", flush=True)
    ratios = []
    for name, path in models.items():
        if given.only not in name or path.suffix not in (".tflite", ".onnx"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            row = Pair(given, name, path, pathlib.Path(folder)).measure()
        print_row(name, row)
        if "absent" not in row:
            ratios.append(row["ours"] / row["peer"] if "ours" in row else REFUSED)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"\ngeometric mean of {len(ratios)}: {mean:.3f}, the largest {max(ratios):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
