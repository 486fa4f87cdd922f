"""host.py: hlocc beside XLA, LiteRT (XNNPACK), ONNX Runtime and OpenVINO on this machine.

Every system runs in a process of its own on one pinned core with one thread, in rounds that take
turns and begin with another system each time; what counts is the fastest call, and ratios within
one run. hlocc's row is the library that a user links, XLA's the same module through its JIT; the
others get the same architecture from networks.py, where it has one: in floats, and in int8 for
LiteRT. The libraries are installed
into a virtual environment of the bench's own, from PyPI.

    python3 bench/host.py --hlocc build/hlocc --cpu 1 MODELS/*.snapshot.pb
"""
import argparse
import json
import math
import pathlib
import sys
import tempfile

import boards
import host_program

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ["numpy", "jax==0.10.2", "jaxlib==0.10.2", "onnx==1.23.2", "onnxruntime==1.31.1",
            "openvino==2026.4.1", "ai-edge-litert==2.3.0", "flatbuffers"]
PEERS = {"xla": ".snapshot.pb", "litert": ".tflite", "onnxruntime": ".onnx", "openvino": ".onnx"}

WRITE_NETWORKS = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import networks, to_onnx, to_tflite
folder = pathlib.Path(sys.argv[2])
for name in sys.argv[3:]:
    if not networks.has(name):
        continue
    # Quantised networks are TFLite's form; the others would run what they make of it.
    if not networks.network(name).is_int8:
        to_onnx.write(networks.network(name), str(folder / f"{name}.onnx"))
    to_tflite.write(networks.network(name), str(folder / f"{name}.tflite"))
"""


def ensure_environment(folder):
    """The environment's Python, installed when it is not there yet."""
    python = folder / "bin" / "python"
    marker, wanted = folder / "installed", "\n".join(PACKAGES)
    if not marker.exists() or marker.read_text(encoding="utf-8") != wanted:
        print(f"installing {len(PACKAGES)} packages into {folder}", file=sys.stderr, flush=True)
        boards.must("venv", boards.call([sys.executable, "-m", "venv", folder]))
        boards.must("pip", boards.call([python, "-m", "pip", "install", "-q", *PACKAGES]))
        marker.write_text(wanted, encoding="utf-8")
    return python


def write_networks(python, folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in names
               if not (folder / f"{name}.tflite").exists()]
    if missing:
        boards.must("networks", boards.call([python, "-c", WRITE_NETWORKS, HERE, folder, *missing]))


class Runner:
    """Starts the systems of one model, and asks each in turn."""

    def __init__(self, arguments, python, networks):
        self.arguments, self.python, self.networks = arguments, python, networks
        self.prefix = ["chrt", "-f", "1"] if arguments.realtime else []

    def file_of(self, system, model):
        name = model.name.split(".")[0]
        return model if system == "xla" else self.networks / (name + PEERS[system])

    def start_peer(self, system, model):
        return host_program.Timed([*self.prefix, self.python, HERE / "peer.py", system,
                                   self.file_of(system, model)], self.arguments.cpu)

    def start_ours(self, model, level, folder):
        program, row = host_program.build(self.arguments.hlocc.resolve(), model,
                                          [level, *self.arguments.option], folder)
        return host_program.Timed([*self.prefix, program, folder / "in", folder / "out"],
                                  self.arguments.cpu), row

    def measure(self, model):
        """system -> {min_us, median_us, ...} or {failed}"""
        rows, running = {}, {}
        with tempfile.TemporaryDirectory() as name:
            for level in self.arguments.level:
                try:
                    timed, row = self.start_ours(model, level, pathlib.Path(name) / level)
                    rows[f"hlocc {level}"], running[f"hlocc {level}"] = row, timed
                except boards.Failure as failure:
                    rows[f"hlocc {level}"] = {"failed": str(failure)}
            for system in self.arguments.system:
                if not self.file_of(system, model).exists():
                    rows[system] = {"absent": "no such network in networks.py"}
                    continue
                try:
                    timed = self.start_peer(system, model)
                    rows[system], running[system] = dict(timed.ready), timed
                except boards.Failure as failure:
                    rows[system] = {"failed": str(failure)}
            self.ask_in_turns(running, rows)
            for timed in running.values():
                timed.close()
        return rows

    def ask_in_turns(self, running, rows):
        systems = list(running)
        medians = {system: [] for system in systems}
        for turn in range(self.arguments.rounds):
            first = turn % len(systems)
            for system in systems[first:] + systems[:first]:
                got = running[system].ask(self.arguments.seconds)
                row = rows[system]
                row["min_us"] = min(row.get("min_us", math.inf), got["min_us"])
                medians[system].append(got["median_us"])
        for system in systems:
            rows[system]["median_us"] = sorted(medians[system])[len(medians[system]) // 2]


def best_peer(rows):
    peers = [(row["min_us"], system) for system, row in rows.items()
             if not system.startswith("hlocc") and "min_us" in row]
    return min(peers) if peers else (None, "-")


def short(value):
    return "-" if value is None else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def print_header(arguments):
    ours = [f"hlocc {level}" for level in arguments.level]
    cells = [f"{system:>17}" for system in [*ours, *arguments.system]]
    print(f"{'model (us: min/median)':<22}" + "".join(cells)
          + f" {'best peer':<12}{'ratio':>6} {'of xla':>6} {'compile':>8} {'MB':>4}  result",
          flush=True)


def print_row(name, rows, arguments):
    cells = []
    for system in [*(f"hlocc {level}" for level in arguments.level), *arguments.system]:
        row = rows[system]
        text = "-" if "absent" in row else "failed"
        if "min_us" in row:
            text = f"{short(row['min_us'])}/{short(row['median_us'])}"
        cells.append(f"{text:>17}")
    mine, (best, system) = rows[f"hlocc {arguments.level[0]}"], best_peer(rows)
    if "failed" in mine:
        print(f"{name:<22}" + "".join(cells) + f" {mine['failed']}", flush=True)
        return
    ratio = f"{mine['min_us'] / best:.3f}" if best else "-"
    xla = rows.get("xla", {}).get("min_us")
    of_xla = f"{mine['min_us'] / xla:.3f}" if xla else "-"
    verdict = "right" if mine["right"] else f"WRONG, off by {mine['error']:.3g}"
    print(f"{name:<22}" + "".join(cells) + f" {system:<12}{ratio:>6} {of_xla:>6}"
          f" {mine['compile_seconds']:>7.2f}s {mine['compile_memory_bytes'] >> 20:>4}  {verdict}",
          flush=True)


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def print_means(table, arguments):
    for level in arguments.level:
        pairs = [(rows[f"hlocc {level}"].get("min_us"), rows) for rows in table.values()]
        pairs = [(mine, rows) for mine, rows in pairs if mine]
        best = geometric_mean(mine / best_peer(rows)[0] for mine, rows in pairs
                              if best_peer(rows)[0])
        print(f"geometric mean, hlocc {level}: {best:.3f} of the best peer", end="")
        for system in arguments.system:
            if not any("min_us" in rows[system] for _, rows in pairs):
                continue
            mean = geometric_mean(mine / rows[system]["min_us"] for mine, rows in pairs
                                  if "min_us" in rows[system])
            print(f", {mean:.3f} of {system}", end="")
        print(flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path,
                        help="NAME.snapshot.pb; NAMEs that networks.py lacks run beside XLA alone")
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--level", action="append", help="repeatable (-O2); the first one counts")
    parser.add_argument("--option", action="append", default=[], help="for hlocc")
    parser.add_argument("--system", action="append", choices=PEERS, help="repeatable (all)")
    parser.add_argument("--environment", default=HERE / ".venv", type=pathlib.Path,
                        help="folder for the libraries")
    parser.add_argument("--cpu", type=int, default=0, help="the core to run on")
    parser.add_argument("--realtime", action="store_true",
                        help="SCHED_FIFO for what is timed (needs root), for a busy machine")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="a system and round")
    parser.add_argument("--json", type=pathlib.Path, help="also write the rows here")
    arguments = parser.parse_args()
    arguments.level = arguments.level or ["-O2"]
    arguments.system = arguments.system or list(PEERS)
    return arguments


def main():
    arguments = parse_arguments()
    python = ensure_environment(arguments.environment.resolve())
    networks = arguments.environment.resolve() / "networks"
    write_networks(python, networks, [model.name.split(".")[0] for model in arguments.models])
    runner, table, wrong = Runner(arguments, python, networks), {}, 0
    print_header(arguments)
    for model in arguments.models:
        name = model.name.split(".")[0]
        table[name] = runner.measure(model.resolve())
        print_row(name, table[name], arguments)
        mine = table[name][f"hlocc {arguments.level[0]}"]
        wrong += not mine.get("right", False)
    print_means(table, arguments)
    if arguments.json:
        arguments.json.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
