"""`--memory`: the arena in several memories. On a board with two of them, whose linker script has a
section for each, every load and store of every kernel lies in the bytes that the plan gives to what
is alive in its layers; results are those of the plain library bit for bit, with the LLVM and the C
backend, with threads, rows that are pushed, weights in a file of their own and shared arenas; what
does not fit, and what does not go together, is refused with what would help."""
import json
import os
import subprocess
import sys

from harness import ROOT, Test, hlocc, main, snapshot

sys.path.insert(0, str(ROOT / "bench"))
import snapshot as reader  # noqa: E402

BOARDS = ROOT / "toolchains" / "boards"
KWS = snapshot("kws_dscnn_int8")
# Runs on the board, with arenas by hlocc_arena.h, and says where they lie.
PROGRAM = """
#include "board.h"
#include "hlocc_arena.h"
#include "kws.h"
HLOCC_MEMORY_ARENA(kws_arena_fast, FAST, KWS);
HLOCC_MEMORY_ARENA(kws_arena_slow, SLOW, KWS);
HLOCC_ARENA_HOLDS_IN(kws_arena_fast, FAST, KWS);
static kws_t kws;
static const unsigned char input[] = {INPUT};
static const unsigned char expected[] = {EXPECTED};
int main(void) {
  size_t i;
  for (i = 0; i < sizeof kws_arena_fast; ++i) kws_arena_fast[i] = 0xa5;
  for (i = 0; i < sizeof kws_arena_slow; ++i) kws_arena_slow[i] = 0xa5;
  if (kws_init(&kws, kws_arena_fast, kws_arena_slow) != KWS_OK) return 1;
  for (i = 0; i < sizeof input; ++i) ((unsigned char *)kws_arg0_data(&kws))[i] = input[i];
  board_print_hex32((uint32_t)(uintptr_t)kws_arena_fast);
  board_write(" ", 1);
  board_print_hex32((uint32_t)(uintptr_t)kws_arena_slow);
  if (kws_run(&kws) != KWS_OK) return 2;
  for (i = 0; i < sizeof expected; ++i)
    if (((const unsigned char *)kws_result0_data(&kws))[i] != expected[i]) return 3;
  return 0;
}
"""
SHARED = """
#include "hlocc_arena.h"
#include "both.h"
HLOCC_MEMORY_ARENA(fast, FAST, ACME_BOTH);
HLOCC_MEMORY_ARENA(slow, SLOW, ACME_BOTH);
static acme_kws_t kws;
static acme_mlp_t mlp;
int main(void) {
  return acme_kws_init(&kws, fast, slow) || acme_mlp_init(&mlp, fast, slow) || acme_kws_run(&kws) ||
         acme_mlp_run(&mlp);
}
"""


def numbers(data):
    return ", ".join(str(byte) for byte in data)


def spans(runs):
    """Runs (first, bytes) as a set of bytes."""
    return {byte for first, size in runs for byte in range(first, first + size)}


class Memories(Test):
    def board(self, target, *flags):
        """Compiles, links and runs kws on the preset's board; its folder and what it printed."""
        self.done("compile", KWS, "--target", target, "--name", "Kws", "-o", self.folder, *flags)
        arguments, results = reader.read_snapshot(KWS)
        (self.folder / "main.c").write_text(
            PROGRAM.replace("INPUT", numbers(arguments[0][2])).replace(
                "EXPECTED", numbers(results[0][2])))
        library = self.folder / "libkws.a"
        weights = self.folder / "kws_weights.S"
        self.shell(BOARDS / "link_firmware.sh", target, self.folder / "kws.elf",
                   self.folder / "main.c", *([weights] if weights.exists() else []),
                   library if library.exists() else self.folder / "kws.c", "-I", self.folder,
                   f"-Wa,-I,{self.folder}", "-I", ROOT / "runtime_stub", "-Wextra", "-Werror")
        return self.shell(BOARDS / "run_board.sh", target, self.folder / "kws.elf")

    def touched(self, target, fast, slow, sizes):
        """By function, by memory: the bytes that it loads or stores, as QEMU sees them."""
        plugin = self.folder / "accesses.so"
        self.shell("cc", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-Wall", "-Werror",
                   ROOT / "tests" / "e2e" / "accesses.c", "-o", plugin)
        nm = "riscv64-unknown-elf-nm" if target.startswith("rv") else "arm-none-eabi-nm"
        rows = [line.split() for line in self.shell(nm, "-S", self.folder / "kws.elf").splitlines()]
        (self.folder / "functions").write_text("".join(
            f"{int(row[0], 16) & ~1:x} {(int(row[0], 16) & ~1) + int(row[1], 16):x} {row[3]}\n"
            for row in rows if len(row) == 4 and row[2] in "tT" and row[3].startswith("kws_")))
        (self.folder / "ranges").write_text(
            f"{fast} {sizes['fast']} fast\n{slow} {sizes['slow']} slow\n")
        environment = {
            **os.environ, "BOARD_QEMU_FLAGS":
                f"-plugin {plugin},functions={self.folder}/functions,ranges={self.folder}/ranges,"
                f"out={self.folder}/touched"
        }
        ran = subprocess.run([BOARDS / "run_board.sh", target, self.folder / "kws.elf"],
                             env=environment, capture_output=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr.decode())
        out = {}
        for line in (self.folder / "touched").read_text().splitlines():
            function, memory, first, size = line.split()
            out.setdefault(function, {}).setdefault(memory, []).append((int(first), int(size)))
        return {
            function: {memory: spans(runs)
                       for memory, runs in memories.items()}
            for function, memories in out.items()
        }

    def check_accesses(self, target, *flags):
        fast, slow = self.board(target, *flags).split()
        found = json.loads(self.done("analyze", KWS, "--target", target, "--json",
                                     *flags))["targets"][0]
        sizes = {row["name"]: row["arena_bytes"] for row in found["memories"]}
        # By kernel: the bytes of all that is alive in its layers.
        allowed = {}
        for number, layer in enumerate(found["layers"]):
            mine = allowed.setdefault(layer["kernel"], {"fast": set(), "slow": set()})
            for value in found["values"]:
                if value["first_layer"] <= number <= value["last_layer"]:
                    mine[value["memory"]] |= spans([(value["offset"], value["bytes"])])
        kept = spans([(row["offset"], row["bytes"]) for row in found["kept_weights"]])
        seen = {"fast": 0, "slow": 0}
        kernels = 0
        for function, memories in self.touched(target, fast, slow, sizes).items():
            kernel = function.removeprefix("kws_k_")
            if kernel not in allowed:
                continue
            kernels += 1
            for memory, some in memories.items():
                extra = kept if memory == "fast" else set()
                self.assertLessEqual(some, allowed[kernel][memory] | extra, (function, memory))
                seen[memory] += len(some)
        self.assertEqual(kernels, len(allowed))
        return fast, slow, sizes, seen, found

    def test_each_access_lies_where_it_was_planned(self):
        fast, slow, sizes, seen, found = self.check_accesses("cortex-m4f", "--memory",
                                                             "fast:9K,slow:512K")
        self.assertEqual((fast[:3], slow[:3]), ("200", "210"))
        self.assertTrue(0 < sizes["fast"] <= 9 << 10 and sizes["slow"] > 1000, sizes)
        self.assertGreater(min(seen.values()), 1000)
        self.assertLess(found["expected_waits"], found["expected_waits_in_last"])

    def test_weights_that_init_copies(self):
        _, _, sizes, _, found = self.check_accesses("cortex-m4f", "--memory", "fast:20K,slow:512K",
                                                    "--weights-in", "fast")
        self.assertGreater(found["kept_weights_bytes"], 4000)
        self.assertEqual(found["kept_weights_bytes"],
                         sum(row["bytes"] for row in found["kept_weights"]))
        self.assertIn(f"#define KWS_ARENA_KEPT_BYTES {found['kept_weights_bytes']}\n",
                      (self.folder / "kws.h").read_text())
        self.assertLessEqual(sizes["fast"], 20 << 10)

    def test_other_boards_and_backends(self):
        for target, *flags in (("cortex-m0", ), ("rv32imac", ), ("cortex-m4f", "--backend", "c"),
                               ("cortex-m55", "--weights-in", "fast"),
                               ("cortex-m4f", "--backend", "c", "--weights-in", "fast"),
                               ("cortex-m7", "--threads", "2")):
            with self.subTest(target=target, flags=flags):
                fast, slow = self.board(target, "--memory", "fast:9K,slow:512K", *flags).split()
                self.assertNotEqual(fast[:3], slow[:3])
                for name in ("libkws.a", "kws.c"):
                    (self.folder / name).unlink(missing_ok=True)

    def test_verify_runs_any_case(self):
        for flags in (["--guard"], ["--stream", "arg0=1"], ["--weights-in", "fast"],
                      ["--threads", "2"], ["--backend", "c"]):
            with self.subTest(flags=flags):
                said = self.done("verify", KWS, "--target", "cortex-m4f", "--memory",
                                 "fast:6K,slow:512K", *flags)
                self.assertIn("1 passed", said)
        self.done("verify", snapshot("tiny_gpt_decode"), "--target", "host", "--memory",
                  "fast:1K,slow:512K")

    def test_without_the_flag_nothing_changes(self):
        """And where all values lie in one of the memories, kernels and weights are the same."""
        self.done("compile", KWS, "--target", "cortex-m4f", "--name", "Kws", "-o", self.folder,
                  "--emit", "lib,header,kernel")
        plain = (self.folder / "kws.kernel.txt").read_bytes()
        self.assertNotIn("ARENA_FAST", (self.folder / "kws.h").read_text())
        self.assertNotIn("memories", self.manifest("kws.json"))
        self.done("compile", KWS, "--target", "cortex-m4f", "--name", "Kws", "-o", self.folder,
                  "--emit", "lib,header,kernel", "--memory", "fast:64K,slow:64K")
        self.assertEqual(plain, (self.folder / "kws.kernel.txt").read_bytes())
        memories = self.manifest("kws.json")["memories"]
        self.assertEqual([(row["name"], row["arena_bytes"]) for row in memories],
                         [("fast", 16000), ("slow", 1)])

    def test_shared_arena(self):
        models = [f"Kws={KWS}", f"Mlp={snapshot('mlp_digits')}"]
        self.done("compile", *models, "--shared-arena", "--name", "acme::Both", "--target", "host",
                  "-o", self.folder, "--memory", "fast:9K,slow:512K")
        (self.folder / "main.c").write_text(SHARED)
        self.shell("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "main.c", "libboth.a", "-I.",
                   "-I", ROOT / "runtime_stub", "-o", "main", cwd=self.folder)
        self.shell(self.folder / "main")
        manifest = self.manifest("both.json")
        most = [
            max(model["memories"][i]["arena_bytes"]
                for model in manifest["models"])
            for i in (0, 1)
        ]
        self.assertEqual([row["arena_bytes"] for row in manifest["memories"]], most)
        said = self.refused(2, "usage", "compile", *models, "--shared-arena", "--name",
                            "acme::Both", "-o", self.folder, "--memory", "fast:9K,slow:512K",
                            "--weights-in", "fast")
        self.assertIn("one by one", said)

    def test_weights_in_a_file_of_their_own(self):
        self.board("cortex-m4f", "--weights", "external", "--memory", "fast:20K,slow:512K",
                   "--weights-in", "fast")
        self.assertGreater(self.manifest("kws.json")["kept_weights_bytes"], 4000)

    def test_doctor_sees_two_arenas(self):
        self.board("cortex-m4f", "--memory", "fast:9K,slow:512K")
        library = self.folder / "libkws.a"
        said = self.done("doctor", self.folder / "kws.elf", "--library", library)
        self.assertIn("kws_arena_fast", said)
        self.assertIn("in slow", said)
        self.assertNotIn("WRONG", said)
        # Both in one memory: the sections are lost on the way.
        text = (self.folder / "main.c").read_text()
        (self.folder / "main.c").write_text(
            text.replace(
                '#include "hlocc_arena.h"', '#include "hlocc_arena.h"\n#undef HLOCC_IN_MEMORY\n'
                "#define HLOCC_IN_MEMORY(name)"))
        self.shell(BOARDS / "link_firmware.sh", "cortex-m4f", self.folder / "kws.elf",
                   self.folder / "main.c", library, "-I", self.folder, "-I",
                   ROOT / "runtime_stub")
        ran = hlocc("doctor", self.folder / "kws.elf", "--library", library)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("both lie in the section .bss", ran.stdout.decode())

    def test_chips_know_their_memories(self):
        self.done("compile", KWS, "--target", "stm32f407vg", "--name", "Kws", "-o", self.folder,
                  "--memory", "ccm,sram")
        self.assertEqual([(row["name"], row["room"])
                          for row in self.manifest("kws.json")["memories"]],
                         [("ccm", 65536), ("sram", 131072)])
        self.done("compile", KWS, "--target", "stm32f407vg", "--name", "Kws", "-o", self.folder,
                  "--memory", "ccm:10K,sram")
        self.assertEqual(self.manifest("kws.json")["memories"][0]["room"], 10240)

    def test_refusals_name_the_cure(self):

        def refused(memory, *flags):
            return self.refused(2, "usage", "compile", KWS, "--target", "cortex-m4f", "-o",
                                self.folder, "--memory", memory, *flags)

        for memory, cure in (("fast:0,slow:1K", "a byte at least"),
                             ("fast:64K", "there is nothing to choose"),
                             ("a:1,b_1:1,B1:1", "two memories are called"),
                             ("fast:1K,:2K", "needs a name"), ("1st:1K,slow:2K", "no name for"),
                             ("_a:1K,slow:2K", "no name for"), ("fast:1K:x,slow:2K", "0 to 1000"),
                             ("fast:1K:1001,slow:2K", "0 to 1000"),
                             ("fast:1K:0:0,slow:2K", "NAME:BYTES:WAITS"),
                             ("slow:1K,fast:2K", "which stands before it"),
                             ("fast,slow:2K", "fast:64K says it"), ("fast:1Q,slow:2K", "--memory"),
                             ("a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1,i:1", "at most 8")):
            with self.subTest(memory=memory):
                self.assertIn(cure, refused(memory))
        self.done("compile", KWS, "--target", "cortex-m4f", "-o", self.folder, "--memory",
                  "a:1K,b:1K,c:1K,d:1K,e:1K,f:1K,g:1K,h:64K:1000")
        two = "fast:8K,slow:512K"
        self.assertIn("none of that name", refused(two, "--weights-in", "ccm"))
        self.assertIn("may not reach every memory", refused(two, "--backend", "vulkan"))
        self.assertIn("the arena is one", refused(two, "--plugin", "any.so"))
        self.assertIn(
            "needs --memory",
            self.refused(2, "usage", "compile", KWS, "-o", self.folder, "--weights-in", "fast"))
        self.assertIn("needs a --target",
                      self.refused(2, "usage", "verify", KWS, "--memory", two))
        self.assertIn("do not go together",
                      self.refused(2, "usage", "analyze", KWS, "--curve", "--memory", two))
        self.assertIn(
            "the memories of stm32f407vg are ccm, sram",
            self.refused(2, "usage", "compile", KWS, "--target", "stm32f407vg", "-o", self.folder,
                         "--memory", "dtcm,sram"))
        self.assertIn(
            "--weights-in: avr",
            self.refused(2, "usage", "compile", snapshot("mlp_digits"), "--target", "avr-mega2560",
                         "-o", self.folder, "--memory", "fast:1K,slow:4K", "--weights-in", "fast"))

    def test_what_does_not_fit(self):
        model = snapshot("mlp_digits")
        compiled = ["--target", "cortex-m4f", "-o", self.folder, "--memory"]
        self.done("compile", model, "--name", "Mlp", *compiled, "fast:1,slow:64K")
        needed = self.manifest("mlp.json")["memories"][1]["arena_bytes"]
        said = self.refused(1, "budget", "compile", model, *compiled, f"fast:1,slow:{needed - 1}")
        self.assertIn(
            f"needs {needed} bytes of the memory slow, which has {needed - 1}: 1 are missing", said)
        self.done("compile", model, *compiled, f"fast:1,slow:{needed}")
        # Whole arrays take 16,000 bytes: where they don't fit, rows do.
        self.done("compile", KWS, "--name", "Kws", *compiled, "fast:4K,slow:16000")
        self.assertEqual(self.manifest("kws.json")["memories"][1]["arena_bytes"], 16000)
        self.done("compile", KWS, "--name", "Kws", *compiled, "fast:4K,slow:15999")
        self.assertLess(self.manifest("kws.json")["arena_bytes"], 8000)
        # 8,000 bytes lie in either of them.
        self.done("compile", KWS, "--target", "cortex-m4f", "-o", self.folder, "--memory",
                  "fast:8500,slow:8000")


if __name__ == "__main__":
    main()
