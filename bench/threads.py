"""threads.py: what two threads (or more) gain on this machine, and what the hook costs on one core.

    python3 bench/threads.py --hlocc build/hlocc [--threads 2] [--rounds 5] MODEL.snapshot.pb... [resnet18]
    python3 bench/threads.py --hlocc build/hlocc --target cortex-m4f MODEL.snapshot.pb...

Here: `hlocc bench` with one thread and with several, in turns, so that what else runs falls on both; the least of each. `resnet18` is
written as text, with weights of short numbers. With --target: instructions of `run` in QEMU, where a --threads library runs all
ranges on one core.
"""
import argparse
import json
import math
import pathlib
import tempfile

import boards
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
        weights, _ = self.add((size, size, x[1][3], out), f"constant({module_texts.constant(size, size, x[1][3], out)})")
        side = (x[1][1] + 2 * pad - size) // stride + 1
        y, shape = self.add((1, side, side, out), f"convolution({x[0]}, {weights}), window={{size={size}x{size} stride={stride}x{stride} "
                            f"pad={pad}_{pad}x{pad}_{pad}}}, dim_labels=b01f_01io->b01f")
        bias, _ = self.add((out,), f"constant({module_texts.constant(out)})")
        wide, _ = self.add(shape, f"broadcast({bias}), dimensions={{3}}")
        return self.add(shape, f"add({y}, {wide})")

    def text(self):
        x = self.relu(self.conv(("x", (1, 224, 224, 3)), 64, 7, 2, 3))
        x = self.add((1, 56, 56, 64), f"reduce-window({x[0]}, zero), window={{size=1x3x3x1 stride=1x2x2x1 pad=0_0x1_1x1_1x0_0}}, to_apply=larger")
        for out, stride in [(64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)]:
            y = self.conv(self.relu(self.conv(x, out, 3, stride, 1)), out, 3, 1, 1)
            shortcut = x if stride == 1 else self.conv(x, out, 1, stride, 0)
            x = self.relu(self.add(y[1], f"add({y[0]}, {shortcut[0]})"))
        mean, _ = self.add((1, 512), f"reduce({x[0]}, zero), dimensions={{1,2}}, to_apply=sum")
        weights, _ = self.add((512, 1000), f"constant({module_texts.constant(512, 1000)})")
        self.add((1, 1000), f"dot({mean}, {weights}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}")
        self.lines[-1] = "ROOT " + self.lines[-1]
        return "HloModule resnet18\n" + REGIONS + "ENTRY e {\n" + "\n".join(self.lines) + "\n}\n"


def seconds(hlocc, model, threads):
    told = json.loads(boards.must("bench", boards.call([hlocc, "bench", model, "--threads", str(threads), "--json"])))
    return told["min_us"] / 1e6


def here(hlocc, model, threads, rounds):
    best = {1: math.inf, threads: math.inf}
    for _ in range(rounds):
        for count in best:
            best[count] = min(best[count], seconds(hlocc, model, count))
    print(f"{model.name.split('.')[0]}: {best[1] * 1e3:.3f} ms on one thread, {best[threads] * 1e3:.3f} on {threads}, "
          f"{best[1] / best[threads]:.2f} times", flush=True)


def on_board(hlocc, model, target, threads, folder):
    plain, dealt = (stub_cost.instructions(hlocc, model, target, ["--threads", str(count)], folder) for count in (1, threads))
    print(f"{model.name.split('.')[0]} on {target}: {plain} instructions, --threads {threads} on one core {dealt - plain:+d} "
          f"({100 * (dealt - plain) / plain:+.3f} %)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--threads", default=2, type=int)
    parser.add_argument("--rounds", default=5, type=int)
    parser.add_argument("--target")
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model in given.models:
            if model.name == "resnet18":
                model = folder / "resnet18.hlo.txt"
                model.write_text(Resnet18().text(), encoding="utf-8")
            if given.target:
                on_board(given.hlocc.resolve(), model, given.target, given.threads, folder)
            else:
                here(given.hlocc.resolve(), model, given.threads, given.rounds)


if __name__ == "__main__":
    main()
