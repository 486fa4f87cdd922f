"""Writes the models of tests/data/tflite and what tflite-micro makes of them:

    python3 -m venv VENV && VENV/bin/pip install tflite-micro==0.dev20261023182759 \
        ai-edge-litert==2.3.0
    VENV/bin/python tests/tflite/make.py [NAME...]

NAME.tflite is the model; NAME.values has runs one after the other: of each the arguments and then
the results, as bytes. Cases are in cases_*.py: functions `case_NAME(graph, random)`, which put
operators into a graph and may return ranges of the inputs ("before": so many runs of zeros before
the first that counts). State goes from run to run. `litert_NAME` are cases of operators that
tflite-micro lacks, which LiteRT runs with its reference kernels; cases_rounding.py has those of
LiteRT's own roundings."""
import importlib
import pathlib
import sys
import zlib

import numpy
from ai_edge_litert import interpreter as litert
from tflite_micro.python.tflite_micro import runtime

import cases_bad
import cases_bad_signal
import model

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data" / "tflite"
# Of the arguments and the results of one model.
MOST_BYTES, MOST_RUNS = 6000, 16


def cases():
    out = {}
    for path in sorted(HERE.glob("cases_*.py")):
        for name, made in vars(importlib.import_module(path.stem)).items():
            peer, _, case = name.partition("_")
            if peer in PEERS and callable(made):
                case = name if peer in ("reference", "xnnpack") else case
                assert case not in out, name
                out[case] = (made, PEERS[peer])
    return out


class TflmPeer:
    def __init__(self, content):
        self.interpreter = runtime.Interpreter.from_bytes(content, arena_size=1 << 20)

    def details(self, i):
        details = self.interpreter.get_input_details(i)
        return numpy.dtype(details["dtype"]), tuple(details["shape"])

    def run(self, values, results):
        for i, value in enumerate(values):
            self.interpreter.set_input(value, i)
        self.interpreter.invoke()
        return [self.interpreter.get_output(i) for i in range(results)]


class LitertPeer:
    kind = litert.OpResolverType.BUILTIN_REF

    def __init__(self, content):
        self.interpreter = litert.Interpreter(model_content=content,
                                              experimental_op_resolver_type=self.kind)
        self.interpreter.allocate_tensors()

    def details(self, i):
        details = self.interpreter.get_input_details()[i]
        return numpy.dtype(details["dtype"]), tuple(details["shape"])

    def run(self, values, results):
        for details, value in zip(self.interpreter.get_input_details(), values):
            self.interpreter.set_tensor(details["index"], value)
        self.interpreter.invoke()
        return [
            self.interpreter.get_tensor(one["index"])
            for one in self.interpreter.get_output_details()
        ]


class XnnpackPeer(LitertPeer):
    kind = litert.OpResolverType.AUTO


PEERS = {"case": TflmPeer, "litert": LitertPeer, "reference": LitertPeer, "xnnpack": XnnpackPeer}


def arguments(peer, count, random, ranges, run):
    """Random values; the first run has the ends of the types' ranges."""
    made = []
    for i in range(count):
        kind, shape = peer.details(i)
        low, high = ranges.get(i, (-3, 3) if kind.kind == "f" else (0, 1) if kind.kind == "b" else
                               (numpy.iinfo(kind).min,
                                numpy.iinfo(kind).max) if kind.itemsize < 4 else (-100, 100))
        if kind.kind == "f":
            value = random.uniform(low, high, shape).astype(kind)
        elif run == 0 and kind.kind != "b":
            value = random.choice(numpy.array([low, high], kind), shape)
        else:
            value = random.integers(low, high, shape, endpoint=True).astype(kind)
        made.append(numpy.asarray(value, kind).reshape(shape))
    return made


def make(name, build, kind):
    random = numpy.random.default_rng(zlib.crc32(name.encode()))
    made = model.Model()
    graph = made.graph()
    ranges = build(graph, random) or {}
    content = made.bytes()
    (DATA / f"{name}.tflite").write_bytes(content)
    peer = kind(content)
    for _ in range(ranges.pop("before", 0)):
        details = [peer.details(i) for i in range(len(graph.graph.inputs))]
        peer.run([numpy.zeros(shape, kind) for kind, shape in details], 0)
    runs = b""
    for run in range(MOST_RUNS):
        values = arguments(peer, len(graph.graph.inputs), random, ranges, run)
        values += peer.run(values, len(graph.graph.outputs))
        one = b"".join(numpy.ascontiguousarray(value).tobytes() for value in values)
        runs += one
        if len(runs) + len(one) > MOST_BYTES:
            break
    (DATA / f"{name}.values").write_bytes(runs)


def make_bad():
    """bad/NAME.tflite, and in bad/errors.txt a line each: the name and a part of the diagnostic."""
    (DATA / "bad").mkdir(parents=True, exist_ok=True)
    lines = []
    for name, change in sorted((vars(cases_bad) | vars(cases_bad_signal)).items()):
        if not name.startswith("bad_"):
            continue
        made = model.Model()
        graph = made.graph()
        inputs = [
            graph.input("s8", (1, 4, 4, 2), 0.1, 3, name="x"),
            graph.constant("s8", numpy.arange(6).reshape(3, 1, 1, 2), [0.1, 0.2, 0.3], name="w"),
            graph.constant("s32", [1, 2, 3], [0.01, 0.02, 0.03], name="b")
        ]
        y = graph.tensor("s8", (1, 4, 4, 3), 0.2, 0, name="y")
        graph.op("CONV_2D",
                 inputs,
                 y,
                 padding=1,
                 strideW=1,
                 strideH=1,
                 dilationWFactor=1,
                 dilationHFactor=1)
        graph.output(y)
        lines.append(f"{name[4:]} {change(made, graph)}")
        (DATA / "bad" / f"{name[4:]}.tflite").write_bytes(made.bytes())
    (DATA / "bad" / "errors.txt").write_text("\n".join(lines) + "\n")


def make_open():
    """open/NAME.tflite: models that leave something to those who compile them."""
    (DATA / "open").mkdir(parents=True, exist_ok=True)
    made = model.Model()
    for name, op in (("add", "ADD"), ("subtract", "SUB")):
        graph = made.graph(name)
        inputs = [graph.input("f32", (2, 3), name=f"{name}_{one}:0") for one in "ab"]
        graph.output(graph.op(op, inputs, ("f32", (2, 3))))
        made.signature(name,
                       len(made.graphs) - 1, {"a": inputs[0], "b": inputs[1]},
                       {"y": graph.graph.outputs[0]})
    (DATA / "open" / "signatures.tflite").write_bytes(made.bytes())
    made = model.Model()
    graph = made.graph()
    x = graph.input("f32", (1, 4), name="x")
    graph.graph.tensors[x].shapeSignature = [-1, -1]
    y = graph.op("RESHAPE", [x, graph.constant("s32", numpy.array([-1, 2, 2], numpy.int32))],
                 ("f32", (1, 2, 2)))
    y = graph.op("MEAN", [y, graph.constant("s32", numpy.array([2], numpy.int32))], ("f32", (1, 2)))
    scalar = graph.op("RESHAPE", [
        graph.op("SUM", [y, graph.constant("s32", numpy.array([0, 1], numpy.int32))],
                 ("f32", (1, ))),
        graph.tensor("s32", (0, ))
    ], ("f32", ()))
    graph.output(y, scalar)
    (DATA / "open" / "sizes.tflite").write_bytes(made.bytes())


def main():
    make_bad()
    make_open()
    wanted = sys.argv[1:]
    known = cases()
    if not wanted:
        for path in DATA.glob("*.*"):
            path.unlink()
    failed = 0
    for name, (build, kind) in known.items():
        if wanted and name not in wanted:
            continue
        try:
            make(name, build, kind)
        except (RuntimeError, AssertionError, AttributeError, ValueError, TypeError) as why:
            failed += 1
            print(f"{name}: {why!r}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
