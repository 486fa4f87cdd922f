"""`compile -g`: debuggers see the model's layers at the lines of the program that made it, code is
the same without, and nothing of this machine is in the lines."""
import os
import pathlib
import re
import struct
import subprocess

from harness import ROOT, Test, main, npy, snapshot

BOARDS = ROOT / "toolchains" / "boards"

# Three layers, the first and the last of one shape; the first is called by another function of the
# user's.
NET = """HloModule jit_net
FileNames
1 "/srv/net/model.py"
2 "/usr/lib/python3/dist-packages/lib/dense.py"
FunctionNames
1 "net"
2 "dense"
3 "apply"
FileLocations
1 {file_name_id=1 function_name_id=2 line=42}
2 {file_name_id=1 function_name_id=1 line=60}
3 {file_name_id=2 function_name_id=3 line=99}
4 {file_name_id=1 function_name_id=1 line=63}
StackFrames
1 {file_location_id=2}
2 {file_location_id=1 parent_frame_id=1}
3 {file_location_id=3 parent_frame_id=2}
4 {file_location_id=4}

ENTRY e {
  x = f32[64] parameter(0), metadata={op_name="frame"}
  w = f32[64,64] constant({...})
  dot.1 = f32[64] dot(x, w), lhs_contracting_dims={0}, rhs_contracting_dims={0},
    metadata={op_name="jit(net)/hidden/dot_general" stack_frame_id=3}
  sort.2 = f32[64] sort(dot.1), dimensions={0}, to_apply=less, metadata={op_name="jit(net)/order/sort" source_file="/srv/net/model.py" source_line=61}
  v = f32[64,64] constant({...})
  ROOT dot.3 = f32[64] dot(sort.2, v), lhs_contracting_dims={0}, rhs_contracting_dims={0},
    metadata={op_name="jit(net)/logits/dot_general" stack_frame_id=4}
}
"""
LESS = "less { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = pred[] compare(a, b), direction=LT }\n\n"
# The same without a word of metadata; dot.1 is at line 7.
BARE = """HloModule bare

ENTRY e {
  x = f32[64] parameter(0)
  w = f32[64,64] constant({...})
  t = f32[64] tanh(x)
  dot.1 = f32[64] dot(t, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  sum.2 = f32[64] add(dot.1, t)
  v = f32[64,64] constant({...})
  ROOT dot.3 = f32[64] dot(sum.2, v), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}
"""
MAIN = """#include "net.h"
static unsigned char arena[NET_ARENA_BYTES] __attribute__((aligned(NET_ARENA_ALIGN)));
static net_t net;
int main(void) {
  if (net_init(&net, arena) != 0) return 1;
  FAULT
  return net_run(&net);
}
"""


def with_weights(text):
    """Constants with values: rows of small integers."""
    def rows(match):
        rows_, columns = int(match[1]), int(match[2])
        return f"f32[{rows_},{columns}] constant({{" + ", ".join(
            "{" + ", ".join(str((i * j) % 7 - 3)
                            for j in range(columns)) + "}"
            for i in range(rows_)) + "})"
    return re.sub(r"f32\[(\d+),(\d+)\] constant\(\{\.\.\.\}\)", rows, text)


def sections(data):
    """Name, bytes and relocation count of an ELF object's sections."""
    bits64, big = data[4] == 2, data[5] == 2
    order = ">" if big else "<"
    if bits64:
        offset, = struct.unpack_from(order + "Q", data, 40)
        size, count, names = struct.unpack_from(order + "HHH", data, 58)
        header, fields = order + "IIQQQQ", (0, 4, 5)
    else:
        offset, = struct.unpack_from(order + "I", data, 32)
        size, count, names = struct.unpack_from(order + "HHH", data, 46)
        header, fields = order + "IIIIII", (0, 4, 5)
    rows = [struct.unpack_from(header, data, offset + i * size) for i in range(count)]
    table = rows[names][fields[1]]
    out = {}
    for row in rows:
        name = data[table + row[0]:data.index(b"\0", table + row[0])].decode()
        out[name] = data[row[fields[1]]:row[fields[1]] + row[fields[2]]] if row[1] != 8 else b""
    return out


class Debug(Test):
    def compiled(self, model, target, *flags, name="Net", folder=None):
        folder = folder or self.folder
        self.done("compile", model, "--target", target, "--name", name, "-o", folder, "-q", *flags)
        return folder

    def model(self, text=None, name="net.hlo.txt"):
        path = self.folder / name
        text = NET.replace("ENTRY", LESS + "ENTRY") if text is None else text
        path.write_text(with_weights(text))
        return path

    def decoded_lines(self, file):
        """(file, line) of each row of the line table."""
        told = self.shell("readelf", "--debug-dump=decodedline", file)
        return {(match[1], int(match[2])) for match in re.finditer(r"(?m)^(\S+) +(\d+) +0x", told)}

    def gdb(self, program, socket, *commands):
        told = subprocess.run([
            "gdb-multiarch", "-nx", "-batch", "-ex", "set confirm off", "-ex", "set pagination off",
            "-ex", f"target remote {socket}", *(word for one in commands
                                                for word in ("-ex", one)), "-ex", "kill", program
        ],
                              capture_output=True,
                              check=False,
                              cwd=self.folder)
        return told.stdout.decode(errors="replace") + told.stderr.decode(errors="replace")

    def wait_for(self, socket, process):
        while not socket.exists():
            self.assertIsNone(process.poll(), "QEMU ended")

    # --- code does not depend on it ---
    def test_code_is_the_same(self):
        models = [
            snapshot(name)
            for name in ("kws_dscnn_int8", "tiny_gpt_decode", "lstm_scan", "topk_sort")
        ] + [self.model()]
        for target in ("cortex-m4f", "cortex-m0", "cortex-m55", "rv32imac", "rv64gc", "cortex-a53",
                       "x86_64-linux", "s390x-linux", "mips-linux"):
            for model in models:
                for level in ("-O2", "-Os"):
                    plain, debug = (self.compiled(model,
                                                  target,
                                                  "--emit",
                                                  "obj,header",
                                                  level,
                                                  *flags,
                                                  folder=self.folder / kind)
                                    for kind, flags in (("plain", []), ("debug", ["-g"])))
                    before, after = (sections((folder / "net.o").read_bytes())
                                     for folder in (plain, debug))
                    code = [name for name in before if name.startswith((".text", ".rodata"))]
                    self.assertGreater(len(code), 1)
                    self.assertEqual(
                        code, [name for name in after if name.startswith((".text", ".rodata"))],
                        (target, model))
                    for name in code:
                        self.assertEqual(before[name], after[name], (target, model, level, name))
                    self.assertIn(".debug_line", after)
                    self.assertNotIn(".debug_line", before)
                    self.assertEqual((plain / "net.h").read_bytes(), (debug / "net.h").read_bytes())

    def test_nothing_of_this_machine(self):
        for model, target in ((self.model(), "cortex-m4f"), (snapshot("kws_dscnn"), "rv32imac")):
            one = self.compiled(model, target, "-g", folder=self.folder / "one")
            other = self.compiled(model, target, "-g", folder=self.folder / "another" / "folder")
            library = (one / "libnet.a").read_bytes()
            self.assertEqual(library, (other / "libnet.a").read_bytes())
            for path in (self.folder, pathlib.Path.cwd(), ROOT):
                self.assertNotIn(str(path).encode(), library)
            told = self.shell("readelf", "--debug-dump=info", one / "libnet.a")
            self.assertEqual(set(re.findall(r"DW_AT_comp_dir *: (?:\(.*\): )?(\S+)", told)), {"."})

    def test_manifest_and_config(self):
        config = self.folder / "net.config"
        config.write_text('{"g": true}')
        for flags in (["-g"], ["--config", config]):
            self.compiled(self.model(), "cortex-m4f", *flags)
            self.assertTrue(self.manifest("net.json")["options"]["debug"])
        self.compiled(self.model(), "cortex-m4f")
        self.assertFalse(self.manifest("net.json")["options"]["debug"])

    # --- lines ---
    def test_lines_are_the_users(self):
        folder = self.compiled(self.model(), "cortex-m4f", "-g")
        lines = self.decoded_lines(folder / "libnet.a")
        for line in (42, 61, 63):
            self.assertIn(("model.py", line), lines)
        told = self.shell("readelf", "--debug-dump=info", folder / "libnet.a")
        for name in ("hidden/dot_general", "logits/dot_general", "order/sort"):
            self.assertRegex(told, rf"DW_AT_name .*{name}")
        self.assertRegex(told, r"net_k_dot_\S+ \[shared by 2 layers\]")
        # Lines of packages are no user's.
        self.assertNotIn("dense.py", told)
        kws = self.compiled(snapshot("kws_dscnn"), "cortex-m4f", "-g", folder=self.folder / "kws")
        self.assertIn(("export_models.py", 37), self.decoded_lines(kws / "libnet.a"))

    def test_text_stands_for_a_program_that_is_not_known(self):
        model = self.model(BARE, "bare.hlo.txt")
        before = model.read_bytes()
        folder = self.compiled(model, "cortex-m4f", "-g", name="Bare", folder=self.folder)
        self.assertIn(("bare.hlo.txt", 7), self.decoded_lines(folder / "libbare.a"))
        self.assertEqual(model.read_bytes(), before)
        # A proto has none: the text is written, and its lines are meant.
        proto = self.folder / "bare.pb"
        self.as_proto(model, proto)
        folder = self.compiled(proto, "cortex-m4f", "-g", name="Bare", folder=self.folder / "proto")
        text = (folder / "bare.hlo.txt").read_text().splitlines()
        lines = {
            line
            for file, line in self.decoded_lines(folder / "libbare.a")
            if file == "bare.hlo.txt"
        }
        self.assertTrue(any("dot.1 = " in text[line - 1] for line in lines if line), (lines, text))
        self.assertTrue(any("dot.3 = " in text[line - 1] for line in lines if line), (lines, text))
        # Where the model knows its program, no text is written.
        self.assertNotIn(
            "net.hlo.txt",
            self.files(
                self.compiled(snapshot("kws_dscnn"), "cortex-m4f", "-g",
                              folder=self.folder / "kws")))

    def as_proto(self, model, proto):
        (self.folder / "x.npy").write_bytes(npy("<f4", (64,), bytes(256)))
        self.done("snapshot", model, "--input", f"0={self.folder / 'x.npy'}", "-o", proto)

    # --- debuggers ---
    def test_gdb_on_a_board(self):
        folder = self.compiled(self.model(), "cortex-m4f", "-g")
        source, program, socket = self.folder / "main.c", self.folder / "net.elf", self.folder / "gdb"
        source.write_text(MAIN.replace("FAULT", ""))
        self.shell(BOARDS / "link_firmware.sh", "cortex-m4f", program, source, "-g", "-I", folder,
                   folder / "libnet.a")
        with subprocess.Popen(
            [BOARDS / "run_board.sh", "cortex-m4f", program],
                stdout=subprocess.DEVNULL,
                env={**os.environ, "BOARD_QEMU_FLAGS": f"-S -gdb unix:{socket},server=on,wait=off"
                     }) as board:
            self.wait_for(socket, board)
            told = self.gdb(program, socket, "break model.py:42", "continue", "backtrace", "delete",
                            "break model.py:63", "continue", "backtrace", "delete",
                            "break net_k_dot_0", "continue", "backtrace")
            board.wait()
        run, main_ = r"(?:0x\S+ in )?net_run_\w+ \(\)", r"(?:0x\S+ in )?main \(\) at .*main\.c:7"
        frames = [
            r"Breakpoint 1(?:\.\d)?, .*hidden/dot_general \(\) at /srv/net/model\.py:42\n#0 .*hidden/dot_general \(\) at /srv/net/model\.py:42",
            r"#1 +(?:0x\S+ in )?net \(\) at /srv/net/model\.py:60",
            rf"#2 +{run} at /srv/net/model\.py:60", rf"#3 +{main_}"
        ]
        self.assertRegex(told, r"\n".join(frames))
        self.assertRegex(
            told,
            rf"#0 .*logits/dot_general \(\) at /srv/net/model\.py:63\n#1 +{run} at /srv/net/model\.py:63\n#2 +{main_}"
        )
        # The kernel is at the line of the first layer that it serves; the frame around it names the
        # one that it serves now.
        self.assertRegex(
            told, r"#0 .*net_k_dot_0 \[shared by 2 layers\] \(\) at /srv/net/model\.py:42\n"
            rf"#1 .*logits/dot_general \(\) at /srv/net/model\.py:63\n#2 +{run}")

    def test_a_fault_names_its_layer(self):
        folder = self.compiled(self.model(), "armv7-linux", "-g")
        source, program, socket = self.folder / "main.c", self.folder / "net.elf", self.folder / "gdb"
        source.write_text(
            MAIN.replace("FAULT", "net_set_arg_frame_data(&net, (const float *)(uintptr_t)64);"))
        self.shell("arm-linux-gnueabihf-gcc", "-g", "-static", "-I", folder, source,
                   folder / "libnet.a", "-o", program)
        with subprocess.Popen(["qemu-arm", "-g", socket, program],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as machine:
            self.wait_for(socket, machine)
            told = self.gdb(program, socket, "continue", "backtrace")
            machine.wait()
        self.assertIn("SIGSEGV", told)
        self.assertRegex(
            told, r"#0 .*net_k_dot_\S+ \[shared by 2 layers\] \(.*\) at /srv/net/model\.py:42\n"
            r"#1 .*hidden/dot_general \(\) at /srv/net/model\.py:42\n"
            r"#2 +net \(\) at /srv/net/model\.py:60\n"
            r"#3 +net_run_\w+ \(\) at /srv/net/model\.py:60\n#4 .*main \(\) at .*main\.c:7")

    # --- C ---
    def test_c_has_line_directives(self):
        plain = self.compiled(self.model(),
                              "cortex-m4f",
                              "--backend",
                              "c",
                              folder=self.folder / "plain")
        debug = self.compiled(self.model(),
                              "cortex-m4f",
                              "--backend",
                              "c",
                              "-g",
                              folder=self.folder / "debug")
        before, after = (folder / "net.c" for folder in (plain, debug))
        self.assertNotIn("#line", before.read_text())
        text = after.read_text().splitlines()
        self.assertIn('#line 42 "/srv/net/model.py"', text)
        # Behind a layer's lines the file's own are right again.
        for number, line in enumerate(text, 1):
            if own := re.fullmatch(r'#line (\d+) "net\.c"', line):
                self.assertEqual(int(own[1]), number + 1)
        kept = [
            line for line in text
            if not line.startswith("#line ") and not line.startswith("/* Shared by ")
        ]
        self.assertEqual(kept, before.read_text().splitlines())
        objects = []
        for file in (before, after):
            made = file.with_suffix(".o")
            self.shell("arm-none-eabi-gcc",
                       "-mcpu=cortex-m4",
                       "-mthumb",
                       "-mfloat-abi=hard",
                       "-mfpu=fpv4-sp-d16",
                       "-O2",
                       "-g",
                       "-c",
                       "-ffunction-sections",
                       file,
                       "-o",
                       made,
                       cwd=file.parent)
            objects.append({
                name: data
                for name, data in sections(made.read_bytes()).items()
                if name.startswith(".text")
            })
        self.assertEqual(*objects)
        lines = self.decoded_lines(self.folder / "debug" / "net.o")
        for line in (42, 61, 63):
            self.assertIn(("model.py", line), lines)


if __name__ == "__main__":
    main()
