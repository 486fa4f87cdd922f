"""What a night runs: a row a job with its name, what it does, the minutes that it may take, and its
command.

A command is a line for bash, run in the root of the tree with $ROOT, $BUILD (build/), $HLOCC
(build/hlocc), $NIGHT (the date on which the night began, a seed) and, where one was named, $CORPUS.
Exit status 0 is passed, 77 is skipped, anything else has failed. Jobs run in this order: what later
ones need is made by those before them. A new job is a row here and nothing else."""
import dataclasses

BARE_METAL = (
    "cortex-m0 cortex-m0plus cortex-m3 cortex-m4 cortex-m4f cortex-m7 cortex-m7sp cortex-m33 "
    "cortex-m33-nofp cortex-m55 cortex-m85 rv32imc rv32imac rv32imafc rv64gc").split()
LINUX = (
    "cortex-a53 armv7-linux cortex-a7-linux riscv64-linux riscv64v-linux s390x-linux "
    "cortex-a76-linux x86_64-linux "
    "i686-linux ppc64le-linux loongarch64-linux mips-linux mipsel-linux arm1176-linux wasm32 "
    "hexagon-v67 hexagon-v67-hvx"
).split()
# Those that stand for their kind.
ALL_OPS = (
    "cortex-m0 cortex-m4f cortex-m55 rv32imc cortex-a53 armv7-linux riscv64v-linux s390x-linux "
    "cortex-a76-linux i686-linux "
    "ppc64le-linux loongarch64-linux mips-linux wasm32 hexagon-v67 hexagon-v67-hvx").split()
BY_COMPILER = ["xtensa-lx106"]  # served by their own compilers alone
EXAMPLES = (
    "keyword_spotting keyword_dma camera_lines audio_frames external_weights streaming_gru "
    "kalman_filter").split()
# Boards of the drawn modules.
DRAWN = [
    "cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc", "riscv64v-linux", "cortex-a53",
    "s390x-linux", "avr-mega2560"
]
GAPS = "tests/conformance/known_gaps"


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    what: str
    minutes: int
    command: str


def builds():
    """The suite, and the builds that it does not make."""
    yield Job("install", "what nights need of Debian", 15,
              "tests/install_packages.sh --for nightly")
    yield Job("suite", "tests/run.sh", 60, "tests/run.sh")
    yield Job(
        "files", "every file on its own: each includes what it uses", 60,
        "cmake -S . -B $BUILD/files -G Ninja -DCMAKE_BUILD_TYPE=Release -DHLOCC_UNITY=OFF && cmake "
        "--build $BUILD/files"
    )
    yield Job("tidy",
              "clang-tidy, by .clang-tidy; files compiled together take a quarter of the time", 60,
              "run-clang-tidy -quiet -p $BUILD \"$BUILD/src/.*Unity.*cxx\"")
    yield Job(
        "no-llvm",
        "interpreter, passes, lowering, planning, evaluator and the C backend without LLVM", 60,
        "cmake --preset no-llvm && cmake --build --preset no-llvm && ctest --preset no-llvm -j2")
    yield Job("asan", "the whole suite under the address and undefined-behaviour sanitizers", 180,
              "tests/nightly/sanitizer.sh asan")
    yield Job("tsan", "devices and threads under the thread sanitizer", 60,
              "tests/nightly/sanitizer.sh tsan")
    yield Job(
        "budget",
        "files that ask for too much: 30 s and 1 GB a megabyte in compile, inspect and analyze",
        120, "python3 tests/budget/measure.py $HLOCC -v compile -v host -v inspect -v analyze")
    yield Job(
        "streams", "10,000 random schedules of streams, events and copies on every platform", 30,
        "cd tests/devices && HLOCC_SCHEDULES=10000 $BUILD/test_devices 'every platform passes the "
        "suite of streams'"
    )
    yield Job(
        "faults", "every call to the system fails once in every verb, and 200 mallocs of each", 60,
        "python3 tests/faults/faults_test.py $HLOCC . $BUILD/tests/faults/hlocc_fault_shim.so --all"
    )
    yield Job("package", "the tarball and the Debian package, made and tried", 60,
              "tests/install/package_test.sh $BUILD/package")
    yield Job("wheel",
              "Python's wheel, made, looked at by auditwheel and tried in a clean environment", 60,
              "python3 tests/nightly/wheel.py $BUILD")
    yield Job(
        "dockerfile",
        "the RUN lines of examples/ci/Dockerfile in a chroot of Debian 12, and its matrix there",
        60, "python3 tests/nightly/dockerfile.py $BUILD/package $BUILD/dockerfile")
    yield Job(
        "ci-schemas", "the files of examples/ci for GitHub and GitLab, by their schemas", 10,
        "python3 -m venv $BUILD/ci && { $BUILD/ci/bin/pip install --quiet check-jsonschema==0.39.0 "
        "|| exit 77; } && "
        "$BUILD/ci/bin/check-jsonschema --builtin-schema github-workflows "
        "examples/ci/github-actions.yml && "
        "$BUILD/ci/bin/check-jsonschema --builtin-schema gitlab-ci examples/ci/gitlab-ci.yml")
    yield Job(
        "guide",
        "docs/adding_a_target.md and docs/adding_a_backend.md followed in a copy of the tree", 60,
        "python3 tests/guide/guide_test.py . $BUILD")
    yield Job("roads", "the commands that hlocc prints for other formats, run as they stand", 30,
              "python3 tests/nightly/roads.py $HLOCC $BUILD/roads")
    yield Job(
        "packages", "packages of every format, by their ecosystems' tools", 60,
        "python3 -m venv $BUILD/packages_night && { $BUILD/packages_night/bin/pip install --quiet "
        "conan==2.34.0 platformio==6.2.0 "
        "idf-component-manager==3.1.2 kconfiglib==14.1.0 pyyaml || exit 77; } && "
        "PATH=$BUILD/packages_night/bin:$PATH python3 tests/packages/packages_test.py $HLOCC . "
        "--nightly --table"
    )
    yield Job("site", "the documentation as a site, which refers to nothing outside", 15,
              "python3 tests/nightly/site.py $BUILD/site_night")
    yield Job(
        "docs-blocks", "the commands of reference pages that measure in QEMU", 60,
        "python3 tests/docs/blocks_test.py $HLOCC . --nightly")
    for need, wanted in (("jax", "jax==0.10.2 scikit-learn==1.7.2"),
                         ("torch", "torch==2.15.0 onnx onnxscript")):
        yield Job(
            f"docs-{need}", f"the commands of the pages that need {need}", 30,
            f"python3 -m venv $BUILD/docs_{need} && {{ $BUILD/docs_{need}/bin/pip install --quiet "
            f"{wanted} || exit 77; }} && "
            f"$BUILD/docs_{need}/bin/python tests/docs/snippets_test.py $HLOCC . --nightly {need}")
    yield Job(
        "cache",
        "10,000 compiles by eight writers that share a cache, some of them killed; nginx over HTTP "
        "and HTTPS",
        60, "python3 tests/nightly/cache.py $HLOCC $BUILD/cache_night")
    yield Job("bazel",
              "hlocc_library in a project of its own, by Debian's bazel with the network off", 15,
              "python3 tests/nightly/bazel.py $HLOCC $BUILD/bazel_night")
    yield Job(
        "stablehlo",
        "the programs of JAX's own test harnesses as StableHLO text, beside the HLO that JAX makes "
        "of them",
        90,
        "python3 -m venv $BUILD/jax && { $BUILD/jax/bin/pip install --quiet jax==0.10.2 absl-py || "
        "exit 77; } && "
        "JAX_PLATFORMS=cpu $BUILD/jax/bin/python tests/stablehlo/harnesses.py $BUILD/harnesses && "
        "cd tests && "
        "HLOCC_STABLEHLO=$BUILD/harnesses $BUILD/test_stablehlo 'programs as JAX prints them*'")
    yield Job(
        "python-jax", "JAX functions as modules of Python's: names, parameters, state, on boards",
        30,
        "python3 -m venv $BUILD/jax && { $BUILD/jax/bin/pip install --quiet jax==0.10.2 absl-py || "
        "exit 77; } && JAX_PLATFORMS=cpu PYTHONPATH=python "
        "HLOCC_TOOL=$HLOCC HLOCC_LIBRARY=$BUILD/libhlocc.so $BUILD/jax/bin/python "
        "tests/python/jax_test.py"
    )
    yield Job(
        "python-types", "the Python module by mypy, and a program that uses it", 15,
        "python3 -m venv $BUILD/jax && { $BUILD/jax/bin/pip install --quiet jax==0.10.2 absl-py "
        "mypy==2.4.1 || exit 77; } && $BUILD/jax/bin/python tests/python/types_test.py")
    yield Job(
        "quantize",
        "networks that are trained, quantised and run on boards: accuracy, bytes, what stays in "
        "floats",
        30,
        "python3 -m venv $BUILD/jax && { $BUILD/jax/bin/pip install --quiet jax==0.10.2 absl-py "
        "scikit-learn==1.9.1 || exit 77; } && JAX_PLATFORMS=cpu "
        "PYTHONPATH=python HLOCC_TOOL=$HLOCC HLOCC_LIBRARY=$BUILD/libhlocc.so "
        "$BUILD/jax/bin/python tests/python/quantize_test.py"
    )
    for name, packages in (("torch", "torch==2.15.0 onnx onnxscript"),
                           ("keras", "jax==0.10.2 keras==3.15.1")):
        yield Job(
            f"python-{name}", f"models of {name} as modules, here and on boards", 60,
            f"python3 -m venv $BUILD/{name} && {{ $BUILD/{name}/bin/pip install --quiet {packages} "
            f"|| exit 77; }} && JAX_PLATFORMS=cpu PYTHONPATH=python "
            f"HLOCC_TOOL=$HLOCC HLOCC_LIBRARY=$BUILD/libhlocc.so $BUILD/{name}/bin/python "
            f"tests/python/frameworks_test.py {name}"
        )
    yield Job(
        "python-runtimes",
        "files beside ONNX Runtime, LiteRT and TensorFlow Lite Micro, as verify compares them; the "
        "matrix on Dask's local cluster",
        60,
        "python3 -m venv $BUILD/runtimes && { $BUILD/runtimes/bin/pip install --quiet numpy "
        "onnxruntime==1.32.0 ai-edge-litert==2.3.0 "
        "tflite-micro==0.dev20261023182759 distributed==2026.8.0 || exit 77; } && export "
        "PYTHONPATH=python HLOCC_TOOL=$HLOCC HLOCC_LIBRARY=$BUILD/libhlocc.so && "
        "$BUILD/runtimes/bin/python tests/python/runtimes_test.py && $BUILD/runtimes/bin/python "
        "tests/python/dask_test.py"
    )
    yield Job(
        "solver",
        "200 drawn programs and 200 packing problems: a solver of integer programs finds none better "
        "that planning calls optimal", 60,
        "python3 -m venv $BUILD/solver && { $BUILD/solver/bin/pip install --quiet "
        "ortools==9.15.6755 || exit 77; } && "
        "$BUILD/solver/bin/python tests/nightly/solver.py $BUILD/test_planning $BUILD/solver")
    for kind, what in (("harnesses", "cases of JAX's own test harnesses"),
                       ("lax", "records of JAX's lax_test_util"),
                       ("public", "drawn calls of JAX's public functions")):
        yield Job(
            f"jax-{kind}", f"all {what} by hlocc.jit: none is wrong, none crashes", 120,
            "python3 -m venv $BUILD/jax && { $BUILD/jax/bin/pip install --quiet jax==0.10.2 "
            "absl-py || exit 77; } && JAX_PLATFORMS=cpu PYTHONPATH=python "
            f"HLOCC_TOOL=$HLOCC HLOCC_LIBRARY=$BUILD/libhlocc.so $BUILD/jax/bin/python "
            f"tests/python/jax_cases.py --set {kind}"
        )
    yield Job(
        "onnx-nodes", "the node tests of the onnx package: at least 85 % agree, none is wrong", 60,
        "python3 -m venv $BUILD/onnx && { $BUILD/onnx/bin/pip install --quiet onnx==1.18.0 || exit "
        "77; } && "
        "$BUILD/onnx/bin/python tests/onnx/node_tests.py $HLOCC")
    yield Job(
        "package-models",
        "the models inside six packages of others, beside the runtimes that they were made for", 60,
        "python3 tests/nightly/package_models.py $HLOCC $BUILD/package_models")
    yield Job(
        "gpu-rows",
        "every op case and regression by the shaders of each row of GPUs, through the validator",
        60,
        "for row in generic v3d mali adreno powervr radv nvidia; do for data in ops regressions; "
        "do "
        "MESA_SHADER_CACHE_DISABLE=1 tests/backends_spirv/valid_shaders.sh $BUILD/gpu_bits "
        "--device vulkan-$row "
        "tests/data/$data/index.json || exit 1; done; done")
    yield Job(
        "gpu-layers",
        "commands of every op case, regression and model under Khronos' validation layers, "
        "synchronisation among them", 60,
        "for data in ops regressions models; do tests/backends_spirv/silent_layers.sh "
        "$BUILD/gpu_bits tests/data/$data/index.json || exit $?; done")
    yield Job(
        "gpu-radv", "the shaders of every op case, regression and model through AMD's compiler "
        "without its GPU: registers, spills, what is kept", 30,
        "for data in ops regressions models; do python3 tests/backends_spirv/radv.py "
        "$BUILD/gpu_compile tests/data/$data/index.json || exit $?; done")
    yield Job(
        "plugins",
        "the plug-ins of examples/, built as vendors build them, and 10,000 schedules on each", 30,
        "cmake --install $BUILD --prefix $BUILD/prefix && for p in minimal full; do "
        "cmake -S examples/plugin_$p -B $BUILD/plugin_$p -G Ninja -DCMAKE_BUILD_TYPE=Release "
        "-DCMAKE_PREFIX_PATH=$BUILD/prefix && "
        "cmake --build $BUILD/plugin_$p && $HLOCC verify --streams 10000 --plugin "
        "$BUILD/plugin_$p/plugin_$p.so || exit 1; done"
    )


def sweep(cases, index, targets, gaps, own=""):
    """The cases of an index on all ways that this machine has, and ahead of time on targets.
    `gaps`: cases of it that must not pass; `own`: more of them in the interpreter alone."""
    known = f" --known-gaps {gaps}" if gaps else ""

    def row(way, what, flags, of_gaps=known):
        return Job(f"{cases}/{way}", f"{index} {what}", 30,
                   f"$HLOCC verify --index {index} {flags}{of_gaps}")
    if own:
        yield Job(
            f"{cases}/interpreter", f"{index} in the interpreter", 30,
            f"cat {gaps} {own} > $BUILD/own_gaps && $HLOCC verify --index {index} --backend "
            f"interpreter --known-gaps $BUILD/own_gaps"
        )
    else:
        yield row("interpreter", "in the interpreter", "--backend interpreter")
    for backend in ("cpu", "c", "remote-sim", "vulkan"):
        yield row(backend, f"by {backend}", f"--backend {backend}")
    for backend in ("cpu", "c"):
        yield row(f"{backend}-threads", f"by {backend} in three threads",
                  f"--backend {backend} --threads 3")
        yield row(f"{backend}-guard", f"by {backend} between guard pages",
                  f"--backend {backend} --guard")
    yield row("host", "ahead of time here", "--target host")
    yield row("host-guard", "ahead of time here between guard pages", "--target host --guard")
    for plugin in ("minimal", "full"):
        yield row(f"plugin-{plugin}", f"on plugin_{plugin}",
                  f"--plugin $BUILD/plugin_{plugin}/plugin_{plugin}.so")
    for target in ("cortex-m4f", "rv32imc", "s390x-linux", "cortex-a53"):
        yield row(f"c-{target}", f"in C for {target}", f"--backend c --target {target}", "")
    for target in ("cortex-m4f", "rv32imc", "s390x-linux"):
        yield row(f"{target}-guard", f"between guards on {target}", f"--target {target} --guard",
                  "")
    for target in targets:
        yield row(target, f"on {target}", f"--target {target}", "")


def cases(corpus):
    """Every model on every preset, every op case on those that stand for their kind."""
    models, ops, regressions = (f"tests/data/{name}.json" for name in ("models/nightly",
                                                                       "ops/index",
                                                                       "regressions/index"))
    yield from sweep("models", models, BARE_METAL + LINUX, "")
    for target in sorted(
            set(BARE_METAL + LINUX + BY_COMPILER) -
        {"cortex-m4f", "rv32imc", "s390x-linux", "cortex-a53"}):
        yield Job(f"models/c-{target}", f"the C of every model by the compiler of {target}", 30,
                  f"$HLOCC verify --index {models} --backend c --target {target}")
    for name, index in (("ops", ops), ("regressions", regressions)):
        yield from sweep(name, index, ALL_OPS, "")
        yield Job(
            f"{name}/avr-mega2560", f"{index} on avr-mega2560", 60,
            f"$HLOCC verify --index {index} --target avr-mega2560 --known-gaps "
            f"{GAPS}/avr-mega2560.txt"
        )
        for target in BY_COMPILER:
            yield Job(f"{name}/{target}", f"{index} on {target}", 30,
                      f"$HLOCC verify --index {index} --target {target}")
    if corpus:
        yield from sweep("corpus-models", "$CORPUS/models/index.json", BARE_METAL + LINUX, "")
        yield from sweep("corpus-ops", "$CORPUS/ops/index.json", ALL_OPS, f"{GAPS}/corpus.txt",
                         f"{GAPS}/corpus_interpreter.txt")
        yield Job("corpus-pushed", "MLPerf Tiny's models, whose rows are pushed, on boards", 60,
                  "CORPUS=$CORPUS HLOCC_TEST=Stream.test_verify_on_boards "
                  "python3 tests/e2e/stream_test.py $HLOCC .")
    lapack = "python3 tests/lapack/lapack_test.py $HLOCC"
    yield Job("lapack/cpu",
              "eigenvalues, Schur forms and pivoted QR of 2,000 drawn matrices a type", 120,
              f"{lapack} cpu --count 2000 --seed $NIGHT")
    yield Job("lapack/here", "the same of 52 by the interpreter and in C", 60,
              f"{lapack} interpreter c --count 52 --seed $NIGHT")
    for board in ("cortex-m4f", "rv32imc", "cortex-a53", "s390x-linux"):
        yield Job(f"lapack/{board}", f"the same of 50 on {board}", 60,
                  f"{lapack} {board} --count 50 --seed $NIGHT")
    yield Job("steps", "twenty steps of every model with state on every preset", 60,
              "python3 tests/state/steps_test.py $HLOCC . host " + " ".join(BARE_METAL + LINUX))
    for board in BARE_METAL:
        yield Job(
            f"examples/{board}", f"the examples on {board}", 15,
            f"for e in {' '.join(EXAMPLES)}; do tests/examples/run_example.sh $e {board} $HLOCC "
            f"$BUILD/night/{board} || exit 1; done"
        )


def drawn():
    """Modules that nobody has seen before; docs/nights.md says what they found."""
    run = "python3 tests/nightly/drawn.py --night $NIGHT"
    yield Job("drawn/jit", "100,000 drawn modules, interpreter against JIT", 360,
              f"{run} jit --count 100000 --minutes 350")
    for compiler in ("gcc", "clang-19"):
        yield Job(f"drawn/c-{compiler}",
                  f"10,000 drawn modules, interpreter against C by {compiler}", 240,
                  f"{run} c-{compiler} --count 10000 --minutes 230")
    for board in DRAWN:
        yield Job(f"drawn/{board}", f"2,000 drawn modules on {board}", 60,
                  f"{run} {board} --count 2000 --minutes 55")
    yield Job(
        "drawn/windows",
        "500 drawn chains of windows with less RAM; 100 of them pushed row by row, here and on a "
        "board", 60,
        "$BUILD/hlo_fuzz windows --seed ${NIGHT}0000 --count 400 && rm -rf $BUILD/night/windows && "
        "$BUILD/hlo_fuzz windows --seed ${NIGHT}5000 --count 100 --save-all $BUILD/night/windows && "
        "for t in host cortex-m4f; do $HLOCC verify --target $t --no-winograd --stream arg0 "
        "$BUILD/night/windows/*.snapshot.pb || exit 1; done")
    yield Job("libfuzzer", "every target of libFuzzer for a minute", 60,
              "tests/fuzz/libfuzz_build.sh && tests/fuzz/libfuzz.sh build/fuzz 60")
    yield Job("libfuzzer-planted", "each target of libFuzzer finds a fault that is put in", 120,
              "tests/fuzz/planted.py")
    yield Job("grid", "each op on each type, edge values", 60, "$BUILD/hlo_fuzz grid")
    # The seed stays, so that a night differs from the last by what changed.
    yield Job("mutants", "400 one-line faults of all rooms and the stub: which tests see them", 180,
              "python3 tests/mutate.py --own --sample 400 --seed 36 --work $BUILD/mutants")


def table(corpus=None):
    return [*builds(), *cases(corpus), *drawn()]
