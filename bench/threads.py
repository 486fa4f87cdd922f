"""threads.py: what two threads (or more) gain on this machine, and what the hook costs on one core.

    python3 bench/threads.py --hlocc build/hlocc [--threads 2] [--rounds 5] [--peers PYTHON] \
        MODEL.snapshot.pb... [resnet18]
    python3 bench/threads.py --hlocc build/hlocc --target cortex-m4f MODEL.snapshot.pb...

Here: `hlocc bench` with one thread and with several, in turns, so that what else runs falls on
both; the least of each. `resnet18` is written as text, with weights of short numbers. --peers names
a Python that has ai-edge-litert, flatbuffers, onnx and onnxruntime (bench/host.py installs such a
one): LiteRT and ONNX Runtime run the same networks (bench/networks.py) in turns with ours; who is
not installed is left out. --realtime keeps other processes away from what is timed (root). With
--target: instructions of `run` in QEMU, where a --threads library runs all ranges on one core.
"""
import argparse
import json
import math
import pathlib
import tempfile

import boards
import host_program
import module_texts
import stub_cost

REGIONS = """larger { a = f32[] parameter(0) b = f32[] parameter(1) ROOT m = f32[] maximum(a, b) }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
"""


class Resnet18:
    """bench/networks.py's resnet18_224 as HLO text."""

    def __init__(self):
        self.lines = ["x = f32[1,224,224,3] parameter(0)", "zero = f32[] constant(0)"]

    def add(self, shape, op):
        self.lines.append(f"v{len(self.lines)} = f32[{','.join(map(str, shape))}] {op}")
        return f"v{len(self.lines) - 1}", shape

    def relu(self, x):
        zeros, _ = self.add(x[1], "broadcast(zero), dimensions={}")
        return self.add(x[1], f"maximum({x[0]}, {zeros})")

    def conv(self, x, out, size, stride, pad):
        weights, _ = self.add((size, size, x[1][3], out),
                              f"constant({module_texts.constant(size, size, x[1][3], out)})")
        side = (x[1][1] + 2 * pad - size) // stride + 1
        y, shape = self.add(
            (1, side, side, out),
            f"convolution({x[0]}, {weights}), window={{size={size}x{size} stride={stride}x{stride} "
            f"pad={pad}_{pad}x{pad}_{pad}}}, dim_labels=b01f_01io->b01f")
        bias, _ = self.add((out,), f"constant({module_texts.constant(out)})")
        wide, _ = self.add(shape, f"broadcast({bias}), dimensions={{3}}")
        return self.add(shape, f"add({y}, {wide})")

    def text(self):
        x = self.relu(self.conv(("x", (1, 224, 224, 3)), 64, 7, 2, 3))
        x = self.add((
            1, 56, 56, 64
        ), f"reduce-window({x[0]}, zero), window={{size=1x3x3x1 stride=1x2x2x1 "
           f"pad=0_0x1_1x1_1x0_0}}, to_apply=larger"
                     )
        for out, stride in [(64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2),
                            (512, 1)]:
            y = self.conv(self.relu(self.conv(x, out, 3, stride, 1)), out, 3, 1, 1)
            shortcut = x if stride == 1 else self.conv(x, out, 1, stride, 0)
            x = self.relu(self.add(y[1], f"add({y[0]}, {shortcut[0]})"))
        mean, _ = self.add((1, 512), f"reduce({x[0]}, zero), dimensions={{1,2}}, to_apply=sum")
        weights, _ = self.add((512, 1000), f"constant({module_texts.constant(512, 1000)})")
        self.add((1, 1000),
                 f"dot({mean}, {weights}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}")
        self.lines[-1] = "ROOT " + self.lines[-1]
        return "HloModule resnet18\n" + REGIONS + "ENTRY e {\n" + "\n".join(self.lines) + "\n}\n"


# system -> its file of a network, and the module that has to be there to write it.
PEERS = {
    "litert": (".tflite", "to_tflite", "ai_edge_litert"),
    "onnxruntime": (".onnx", "to_onnx", "onnxruntime")
}
WRITE = """
import sys
sys.path.insert(0, sys.argv[1])
import networks, {writer}, {library}
{writer}.write(networks.network(sys.argv[2]), sys.argv[3])
"""


def seconds(given, model, threads):
    told = json.loads(
        boards.must(
            "bench",
            boards.call(
                [*given.prefix, given.hlocc, "bench", model, "--threads",
                 str(threads), "--json"])))
    return told["min_us"] / 1e6


def start_peers(given, model, folder):
    """(system, threads) -> a running program that answers times."""
    name, running = {"resnet18": "resnet18_224"
                     }.get(model.name.split(".")[0],
                           model.name.split(".")[0]), {}
    for system, (ending, writer, library) in PEERS.items():
        file = folder / (name + ending)
        wrote = boards.call([
            given.peers, "-c",
            WRITE.format(writer=writer, library=library), boards.ROOT / "bench", name, file
        ])
        if wrote.returncode != 0:
            print(f"{system}: left out ({wrote.stderr.strip().splitlines()[-1]})", flush=True)
            continue
        for count in (1, given.threads):
            running[system, count] = host_program.Timed([
                *given.prefix, given.peers, boards.ROOT / "bench" / "peer.py", system, file, count
            ])
    return running


def here(given, model, folder):
    running = start_peers(given, model, folder) if given.peers else {}
    best = {(system, count): math.inf
            for system in ("hlocc", *(system
                                      for system, _ in running))
            for count in (1, given.threads)}
    for _ in range(given.rounds):
        for system, count in best:
            now = seconds(
                given, model,
                count) if system == "hlocc" else running[system, count].ask(0.5)["min_us"] / 1e6
            best[system, count] = min(best[system, count], now)
    for timed in running.values():
        timed.close()
    for system in dict.fromkeys(system for system, _ in best):
        one, several = best[system, 1], best[system, given.threads]
        print(
            f"{model.name.split('.')[0]}, {system}: {one * 1e3:.3f} ms on one thread, "
            f"{several * 1e3:.3f} on {given.threads}, "
            f"{one / several:.2f} times",
            flush=True)


def on_board(hlocc, model, target, threads, folder):
    plain, dealt = (stub_cost.instructions(hlocc, model, target,
                                           ["--threads", str(count)], folder)
                    for count in (1, threads))
    print(
        f"{model.name.split('.')[0]} on {target}: {plain} instructions, --threads {threads} on one "
        f"core {dealt - plain:+d} "
        f"({100 * (dealt - plain) / plain:+.3f} %)",
        flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--threads", default=2, type=int)
    parser.add_argument("--rounds", default=5, type=int)
    parser.add_argument("--peers", help="a Python that has the peers' libraries")
    parser.add_argument("--realtime",
                        action="store_true",
                        help="SCHED_FIFO (needs root), for a busy machine")
    parser.add_argument("--target")
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    given.prefix, given.hlocc = ["chrt", "-f", "1"] if given.realtime else [], given.hlocc.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model in given.models:
            if model.name == "resnet18":
                model = folder / "resnet18.hlo.txt"
                model.write_text(Resnet18().text(), encoding="utf-8")
            if given.target:
                on_board(given.hlocc, model, given.target, given.threads, folder)
            else:
                here(given, model, folder)


if __name__ == "__main__":
    main()
