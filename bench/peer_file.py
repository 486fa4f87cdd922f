"""peer_file.py FILE FOLDER: LiteRT (XNNPACK) or ONNX Runtime on a .tflite or .onnx file.

Draws arguments, runs the file once with one thread and writes both sides as .npy files into FOLDER
(x0.npy, ..., y0.npy, ...). FOLDER/sizes.json has "sizes" of dimensions that the file leaves open,
by NAME, ARGUMENT:DIMENSION or number as `hlocc --dim` has them, and "frozen" numbers of arguments.
Then answers lines of seconds with times, as peer.py does.
"""
import json
import pathlib
import sys
import zlib

import numpy

import peer

KINDS = {"tensor(float)": "f4", "tensor(int64)": "i8", "tensor(float16)": "f2",
         "tensor(bool)": "?", "tensor(int32)": "i4"}


def drawn(random, kind, shape):
    kind = numpy.dtype(kind)
    if kind.kind == "f":
        return random.uniform(-1, 1, shape).astype(kind)
    low, high = ((numpy.iinfo(kind).min, numpy.iinfo(kind).max)
                 if kind.kind in "iu" and kind.itemsize < 4 else (0, 1))
    return random.integers(low, high, shape, endpoint=True).astype(kind)


def open_litert(path, random, asked):
    """(call, arguments, results)"""
    from ai_edge_litert.interpreter import Interpreter
    model = Interpreter(str(path), num_threads=1)
    sizes = asked["sizes"]
    for one in model.get_input_details():
        shape = [int(sizes.get(str(d), size)) if is_open == -1 else int(size)
                 for d, (size, is_open) in enumerate(zip(one["shape"], one["shape_signature"]))]
        if shape != list(one["shape"]):
            model.resize_tensor_input(one["index"], shape)
    model.allocate_tensors()
    values = []
    for one in model.get_input_details():
        values.append(drawn(random, one["dtype"], one["shape"]))
        model.set_tensor(one["index"], values[-1])
    model.invoke()
    results = [model.get_tensor(one["index"]) for one in model.get_output_details()]
    return model.invoke, values, results


def open_onnxruntime(path, random, asked):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    binding, values, kept = session.io_binding(), [], []
    for one in session.get_inputs():
        if one.name in asked["frozen"]:
            value = numpy.array(asked["frozen"][one.name], KINDS[one.type])
        else:
            shape = [size if isinstance(size, int) and size >= 0 else
                     int(asked["sizes"].get(str(size), asked["sizes"].get(f"{one.name}:{d}", 1)))
                     for d, size in enumerate(one.shape)]
            value = drawn(random, KINDS[one.type], shape)
            values.append(value)
        kept.append(onnxruntime.OrtValue.ortvalue_from_numpy(value))
        binding.bind_ortvalue_input(one.name, kept[-1])
    for one in session.get_outputs():
        binding.bind_output(one.name)
    session.run_with_iobinding(binding)
    results = binding.copy_outputs_to_cpu()
    # The wrapper's own checks are not the library's time.
    run, bound = session._sess.run_with_iobinding, binding._iobinding
    return lambda _=kept: run(bound, None), values, results


def main():
    path, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    random = numpy.random.default_rng(zlib.crc32(path.name.encode()))
    opener = open_onnxruntime if path.suffix == ".onnx" else open_litert
    call, values, results = opener(path, random, json.loads((folder / "sizes.json").read_text()))
    for letter, arrays in ("x", values), ("y", results):
        for i, array in enumerate(arrays):
            numpy.save(folder / f"{letter}{i}.npy", array)
    print(json.dumps({"inputs": len(values), "results": len(results)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(peer.measure(call, float(line))), flush=True)


if __name__ == "__main__":
    main()
