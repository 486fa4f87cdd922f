"""peer.py SYSTEM FILE [THREADS]: one library on one network, in a process of its own.

SYSTEM is xla (FILE an HloSnapshot), litert (.tflite), onnxruntime or openvino (.onnx). Answers each
line "SECONDS" on stdin with the fastest and the median call in that time, as the programs of
host_program/main.c do. One thread (litert and onnxruntime take more if asked to); inputs are in
place before the clock starts, and results stay where the library leaves them.
"""
import json
import os
import sys
import time

# Before any library is loaded, so that none makes a pool of threads.
os.environ.update(OMP_NUM_THREADS="1", JAX_PLATFORMS="cpu", TF_CPP_MIN_LOG_LEVEL="3",
                  XLA_FLAGS="--xla_cpu_multi_thread_eigen=false")
import numpy

import networks
import snapshot

THREADS = int(sys.argv[3]) if len(sys.argv) > 3 else 1


def numpy_type(name):
    if name in ("f16", "bf16"):
        import ml_dtypes
        return {"f16": numpy.float16, "bf16": ml_dtypes.bfloat16}[name]
    letters = {"f": "f", "s": "i", "u": "u"}
    return "?" if name == "pred" else f"{letters[name[0]]}{int(name[1:]) // 8}"


def open_xla(path):
    import jax
    import jaxlib._jax as xla
    jax.config.update("jax_cpu_enable_async_dispatch", False)
    module, arguments = None, []
    with open(path, "rb") as file:
        for number, value in snapshot.fields(file.read()):
            if number == 1:
                module = next(inner for n, inner in snapshot.fields(value) if n == 1)
            elif number == 2:
                arguments += snapshot.leaves(value)
    arrays = [numpy.frombuffer(content, numpy_type(name)).reshape(dimensions)
              for name, dimensions, content in arguments]
    client = jax.devices()[0].client
    begin = time.monotonic()
    program = client.compile_and_load(xla.mlir.hlo_to_stablehlo(module),
                                      xla.DeviceList(tuple(jax.devices()[:1])),
                                      xla.CompileOptions())
    seconds = time.monotonic() - begin
    buffers = [jax.device_put(array) for array in arrays]

    def call():
        program.execute_sharded(buffers).disassemble_into_single_device_arrays()[0][0] \
            .block_until_ready()

    def call_with_new_state():
        # What is donated is gone after the call.
        buffers[:] = [jax.device_put(array) if buffer.is_deleted() else buffer
                      for array, buffer in zip(arrays, buffers)]
        call()
    call()
    return call_with_new_state if any(b.is_deleted() for b in buffers) else call, seconds


def open_litert(path):
    from ai_edge_litert.interpreter import Interpreter
    begin = time.monotonic()
    interpreter = Interpreter(path, num_threads=THREADS)
    interpreter.allocate_tensors()
    seconds = time.monotonic() - begin
    name = os.path.basename(path).split(".")[0]
    for detail, (_, value) in zip(interpreter.get_input_details(), networks.network(name).inputs):
        if detail["dtype"] == numpy.int8:
            value = numpy.clip(value * 100, -128, 127)
        interpreter.set_tensor(detail["index"], value.astype(detail["dtype"]))
    return interpreter.invoke, seconds


def onnx_inputs(path):
    import to_onnx
    return to_onnx.input_values(networks.network(os.path.basename(path).split(".")[0]))


def open_onnxruntime(path):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
    options.log_severity_level = 3
    begin = time.monotonic()
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    seconds = time.monotonic() - begin
    binding = session.io_binding()
    arrays = list(onnx_inputs(path).values())
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in arrays]
    for argument, value in zip(session.get_inputs(), values):
        binding.bind_ortvalue_input(argument.name, value)
    for result in session.get_outputs():
        binding.bind_ortvalue_output(result.name, onnxruntime.OrtValue.ortvalue_from_shape_and_type(
            result.shape, numpy.float32))
    # The wrapper's own checks are not the library's time. The default keeps what is bound alive.
    run, bound = session._sess.run_with_iobinding, binding._iobinding
    return lambda _=(arrays, values): run(bound, None), seconds


def open_openvino(path):
    import openvino
    core = openvino.Core()
    begin = time.monotonic()
    # Machines with bf16 matrix units would otherwise compute in bf16.
    program = core.compile_model(path, "CPU", {
        "INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32"})
    seconds = time.monotonic() - begin
    request = program.create_infer_request()
    for index, value in enumerate(onnx_inputs(path).values()):
        request.set_input_tensor(index, openvino.Tensor(value))
    return lambda: request.infer(share_outputs=True), seconds


OPEN = {"xla": open_xla, "litert": open_litert, "onnxruntime": open_onnxruntime,
        "openvino": open_openvino}


def measure(call, seconds):
    """Short calls are timed several at once, as for hlocc."""
    clock = time.perf_counter_ns
    calls = 1
    while calls < 1 << 20:
        begin = clock()
        for _ in range(calls):
            call()
        if clock() - begin > 20000:
            break
        calls *= 2
    times, stop = [], clock() + int(seconds * 1e9)
    turns = range(calls)
    while clock() < stop or len(times) < 5:
        begin = clock()
        for _ in turns:
            call()
        times.append((clock() - begin) / calls / 1000)
    times.sort()
    return {"n": len(times), "min_us": times[0], "median_us": times[len(times) // 2]}


def main():
    call, seconds = OPEN[sys.argv[1]](sys.argv[2])
    for _ in range(3):
        call()
    print(json.dumps({"ready": True, "load_seconds": round(seconds, 4)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(measure(call, float(line))), flush=True)


if __name__ == "__main__":
    main()
