"""A command line for each verb that ends well, and what it reads; what it writes goes to the folder
`out`. The tests of what goes wrong around the tool start from these."""
import re

from harness import HLOCC, ROOT, hlocc, snapshot

# Small enough for a run in a few hundredths of a second, with weights and with state.
MODEL = """HloModule small, input_output_alias={{1}: (1, {}, may-alias)}
ENTRY e {
  x = f32[1,4] parameter(0)
  s = f32[1,3] parameter(1)
  w = f32[4,3] constant({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 0, 2}})
  d = f32[1,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  n = f32[1,3] add(d, s)
  ROOT t = (f32[1,3], f32[1,3]) tuple(d, n)
}
"""
DUMP = "hlocc-steps begin small host -O2 {hash} steps {steps} runs 2\nhlocc-steps step 0 calls 2 total 120 least 50 most 70\nhlocc-steps end\n"
FIRMWARE = '#include "fw.h"\nunsigned char arena[FW_ARENA_BYTES] __attribute__((aligned(64)));\nstatic fw_t fw;\n' \
           "int main(void) { return fw_init(&fw, arena) || fw_run(&fw); }\n"
# The backend has no such op, which `reduce` takes for a failure; there is nothing smaller that
# fails so.
FAILS = "HloModule fails\nENTRY e { t = token[] after-all()\n i = (s32[], token[]) infeed(t)\n" \
        " ROOT c = s32[] get-tuple-element(i), index=0 }\n"


def prepare(test):
    """Writes the files that the verbs read to test.folder, once for all of them."""
    folder = test.folder
    (folder / "small.hlo.txt").write_text(MODEL)
    (folder / "fails.hlo.txt").write_text(FAILS)
    test.done("compile", folder / "small.hlo.txt", "-o", folder, "--name", "Small", "--profile",
              "--emit", "c,header", "--backend", "c", "--target", "host")
    hash16 = re.search(r"small host -O2 ([0-9a-f]{16})", (folder / "small.c").read_text()).group(1)
    steps = re.search(r"SMALL_PROFILE_STEPS (\d+)", (folder / "small.h").read_text()).group(1)
    (folder / "dump.txt").write_text(DUMP.format(hash=hash16, steps=steps))
    test.done("compile", folder / "small.hlo.txt", "-o", folder, "--name", "Fw", "--target",
              "cortex-m4f")
    (folder / "fw.c").write_text(FIRMWARE)
    test.shell(ROOT / "toolchains/boards/link_firmware.sh", "cortex-m4f", folder / "fw.elf",
               folder / "fw.c", "-I", folder, folder / "libfw.a")
    test.done("snapshot", snapshot("mlp_digits"), "-o", folder / "s.pb")
    (folder / "matrix.json").write_text(
        '{"models": {"small": "small.hlo.txt"}, "targets": ["cortex-m4f"], "axes": {"O": ["1", '
        '"s"]}}\n'
    )


def commands(folder):
    """A name, which begins with the verb's, to its words. `small` has no values for its arguments:
    mlp_digits has."""
    small, digits = folder / "small.hlo.txt", snapshot("mlp_digits")
    out = folder / "out"
    return {
        "compile_c": [
            "compile", small, "-o", out, "--target", "cortex-m4f", "--backend", "c", "--emit",
            "c,header"
        ], "compile": [
            "compile", small, "-o", out, "--target", "cortex-m4f", "--emit",
            "lib,header,hlo,kernel,asm,report", "--print-after", "plan"
        ], "run": ["run", digits, "--print", "--output", out / "r.pb"],
        "verify": ["verify", digits], "verify_ahead": ["verify", digits, "--target", "host"],
        "verify_targets": ["verify", digits, "--target", "host", "--target", "host", "-j",
                           "1"], "verify_c": ["verify", digits, "--backend", "c"],
        "run_c": ["run", digits, "--backend", "c", "--output", out / "c.pb"],
        "run_remote": ["run", digits, "--backend", "remote-sim", "--output",
                       out / "r.pb"], "snapshot": ["snapshot", digits, "-o", out / "s.pb"],
        "convert": ["convert", small, "-o", out / "h.pb"], "convert_tflite": [
            "convert", ROOT / "tests/data/tflite/conv_same.tflite", "-o", out / "t.pb"
        ], "convert_onnx": ["convert", ROOT / "tests/data/onnx/conv.onnx", "-o",
                            out / "o.pb"], "bench": ["bench", small, "--repeat", "2"],
        "compile_memory": [
            "compile", digits, "-o", out, "--target", "cortex-m4f", "--memory",
            "fast:1K,slow:64K", "--weights-in", "fast"
        ], "compile_palettes": [
            "compile", digits, "-o", out, "--target", "cortex-m4f", "--weights-compression",
            "palettes"
        ], "analyze_palettes": [
            "analyze", digits, "--target", "cortex-m4f", "--weights-compression", "palettes",
            "--html", out / "w.html"
        ], "analyze_memory": [
            "analyze", digits, "--target", "cortex-m4f", "--memory", "fast:1K,slow:64K",
            "--weights-in", "fast", "--html", out / "m.html"
        ], "inspect": ["inspect", small, "--json"], "inspect_graph": [
            "inspect", small, "--target", "cortex-m4f", "--graph", "svg", "-o", out / "g.svg"
        ], "analyze": ["analyze", small, "--target", "cortex-m4f", "--html",
                       out / "a.html"], "profile": [
                           "profile", folder / "dump.txt", "--model", small, "--backend", "c",
                           "--html", out / "p.html"
                       ], "reduce": ["reduce", folder / "fails.hlo.txt", "-o", out / "r.pb"],
        "doctor": ["doctor", folder / "fw.elf", "--library", folder / "libfw.a"
                   ], "matrix": ["matrix", folder / "matrix.json", "-o", out / "m"], "package": [
                       "package", small, "--format", "make", "--target", "cortex-m4f", "-o",
                       out / "k"
                   ], "targets": ["targets"], "backends": ["backends", "--json"
                                                           ], "explain": ["explain", "shape"],
    }


def names():
    """The verbs that --help lists."""
    told = hlocc("--help").stdout.decode()
    listed = told[told.index("ubcommands:"):] if "ubcommands:" in told else told
    return re.findall(r"^  (\w+) ", listed, re.M)


__all__ = ["HLOCC", "commands", "names", "prepare"]
