"""correlation.py: the expected cycles of `hlocc analyze` beside the cycles of RISC-V cores, kernel
by kernel.

The cores are the RTL of open projects, simulated by Verilator cycle by cycle: ibex (RV32IMC, two
stages and a write-back one) and cv32e40p_fpu (RV32IMAFC less A, four stages, an FPU that takes two
cycles). Memories answer in one cycle. Sources come from PyPI and are built on first use (`--cache`,
half a minute a core). The program is the one that runs in QEMU (bench/boards.py); its result is
checked. One line a core: kernels, Spearman's rank correlation, the median of measured / expected
and its deciles; `--list` prints every kernel.

    python3 bench/rtl/correlation.py --hlocc build/hlocc --core ibex --core cv32e40p_fpu \
        MODEL.snapshot.pb...

Needs verilator (5.006 was tried), g++, make, pip, and riscv64-unknown-elf-gcc.
"""
import argparse
import bisect
import collections
import hashlib
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import boards  # noqa: E402
import expected  # noqa: E402
import hotspots  # noqa: E402
import snapshot  # noqa: E402

IBEX_FILES = (
    "alu branch_predict compressed_decoder controller counter csr cs_registers decoder ex_block "
    "fetch_fifo id_stage if_stage "
    "load_store_unit multdiv_fast multdiv_slow prefetch_buffer pmp wb_stage dummy_instr icache "
    "core register_file_ff"
).split()
PRIM_PACKAGES = "mubi_pkg secded_pkg cipher_pkg".split()
PRIM_FILES = (
    "lfsr onehot_check onehot_enc onehot_mux secded_inv_39_32_enc secded_inv_39_32_dec "
    "secded_inv_28_22_enc "
    "secded_inv_28_22_dec").split()
# Splitting and lint are no business of this bench.
QUIET = [
    "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-MULTIDRIVEN", "-Wno-UNOPTFLAT",
    "-Wno-BLKANDNBLK", "-Wno-TIMESCALEMOD", "-Wno-SPLITVAR"
]


def ibex_sources(package):
    root = package / "pythondata_cpu_ibex" / "system_verilog"
    prim = root / "vendor/lowrisc_ip/ip/prim/rtl"
    return [
        "+define+RVFI", f"-I{prim}", f"-I{root}/vendor/lowrisc_ip/dv/sv/dv_utils",
        *(prim / f"prim_{name}.sv" for name in PRIM_PACKAGES), root / "rtl/ibex_pkg.sv",
        *(root / f"rtl/ibex_{name}.sv" for name in IBEX_FILES),
        *(prim / f"prim_{name}.sv" for name in PRIM_FILES), HERE / "top_ibex.sv"
    ]


def cv32e40p_sources(package):
    root = package / "pythondata_cpu_cv32e40p" / "system_verilog"
    lines = (line.strip().replace("${DESIGN_RTL_DIR}", str(root / "rtl"))
             for line in (root /
                          "cv32e40p_fpu_manifest.flist").read_text(encoding="utf-8").splitlines())
    return [
        HERE / "cv32e40p.vlt",
        *(line for line in lines if re.match(r"\+incdir|/(?!/).*\.s?v$", line)
          and not re.search("tb_wrapper|tracer_pkg", line)), "+define+RTL_FPU=1",
        "+define+RTL_FPU_LAT=1", HERE / "top_cv32e40p.sv"
    ]


Core = collections.namedtuple("Core", "target package sources")
CORES = {
    "ibex": Core("rv32imc", "pythondata-cpu-ibex==0.0.post2937", ibex_sources),
    "cv32e40p_fpu": Core("rv32imafc", "pythondata-cpu-cv32e40p==1.0.1.post1909", cv32e40p_sources)
}


def simulator(name, cache):
    """The program that simulates a core; built when it or its sources are not there."""
    core = CORES[name]
    files = sorted(path for path in HERE.iterdir() if path.is_file())
    state = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
    package, folder = cache / core.package, cache / f"{name}-{state}"
    program = folder / "Vrtl_top"
    if program.exists():
        return program
    print(f"building {name}", file=sys.stderr, flush=True)
    if not package.exists():
        boards.must(
            "pip",
            boards.call([
                sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", package,
                core.package
            ]))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    boards.must(
        "verilator",
        boards.call([
            "verilator", "--cc", "--exe", "--build", "-j", "2", "--top-module", "rtl_top",
            "--prefix", "Vrtl_top", "--Mdir", folder, "-O3", "--x-assign", "fast", "--x-initial",
            "fast", "--noassert", "--no-timing", *QUIET, "-CFLAGS", "-O3 -std=c++17", "-MAKEFLAGS",
            "OPT_FAST=-O3 OPT_SLOW=-O1", *core.sources(package), HERE / "testbench.cpp"
        ]))
    return program


def cycles_of_functions(program, counts):
    """symbol -> cycles"""
    symbols = sorted(
        (int(part[0], 16), part[2])
        for part in (line.split() for line in boards.must(
            "nm", boards.call(["riscv64-unknown-elf-nm", program])).splitlines())
        if len(part) == 3 and part[1] in "tTwW" and not part[2].startswith(("$", ".L")))
    addresses, out = [address for address, _ in symbols], collections.Counter()
    for line in counts.read_text(encoding="ascii").splitlines():
        address, _, cycles = line.split()
        out[symbols[bisect.bisect_right(addresses, int(address, 16)) - 1][1]] += int(cycles)
    return out


def measured_cycles(hlocc, model, core, given, folder):
    """kernel -> cycles of one inference, whose result must be right."""
    arguments, wanted = snapshot.read_snapshot(model)
    target = CORES[core].target
    manifest = boards.compile_model(hlocc, model, target, [*hotspots.WITH_TEXT, *given.option],
                                    folder)
    program = folder / "bench.elf"
    boards.must(
        "link",
        boards.call([
            boards.BOARDS / "link_firmware.sh", target, program,
            boards.write_main(folder, manifest), "-I", folder, folder / "libbench.a"
        ]))
    (folder / "in").write_bytes(boards.argument_bytes(arguments, target))
    boards.must(
        "run",
        boards.call([
            simulator(core, given.cache.resolve()), "--flash-wait",
            str(given.flash_wait), program, folder / "counts", folder / "in", folder / "out"
        ]))
    _, right = boards.worst_error((folder / "out").read_bytes(), wanted,
                                  boards.rules_of(model, wanted, hlocc))
    if not right:
        raise boards.Failure("the result is wrong")
    cycles = cycles_of_functions(program, folder / "counts")
    return {
        name.removeprefix(hotspots.PREFIX): cycles[name]
        for name in cycles
        if name.startswith(hotspots.PREFIX)
    }


def pairs_of(model, core, given):
    """(model, kernel, measured, expected) of each kernel."""
    hlocc = given.hlocc.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        measured = measured_cycles(hlocc, model, core, given, pathlib.Path(temporary))
    print(f"{core} {model.name.split('.')[0]}: {sum(measured.values())} cycles in kernels")
    told = expected.expected_cycles(hlocc, model, CORES[core].target, given.option)
    return [(model.name.split(".")[0], kernel, measured[kernel], told[kernel])
            for kernel in told
            if kernel in measured]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path, help="NAME.snapshot.pb")
    parser.add_argument("--hlocc", default=boards.ROOT / "build" / "hlocc", type=pathlib.Path)
    parser.add_argument("--core", action="append", choices=CORES, help="repeatable (ibex)")
    parser.add_argument("--cache",
                        default=pathlib.Path.home() / ".cache" / "hlocc" / "rtl",
                        type=pathlib.Path)
    parser.add_argument("--option", action="append", default=[], help="for hlocc: --option=-Os")
    parser.add_argument("--flash-wait",
                        type=int,
                        default=0,
                        help="cycles that a line of 16 bytes of flash makes a port wait (0)")
    parser.add_argument("--list", action="store_true", help="every kernel")
    given = parser.parse_args()
    failed = 0
    for core in given.core or ["ibex"]:
        failed += expected.print_models(core, given.models, given.list,
                                        lambda model: pairs_of(model, core, given))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
