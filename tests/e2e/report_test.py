"""Reports speak of the model's layers: their names, shapes and source lines, in lines that fit the
terminal, and of weights under names that mean the same everywhere."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

from harness import HLOCC, ROOT, Test, main, snapshot

W8 = ROOT / "tests" / "memory" / "tiny_transformer_w8.snapshot.pb"
MODELS = [
    snapshot(name) for name in ("kws_dscnn", "cnn_digits_int8", "tiny_gpt_decode", "lstm_scan")
] + [W8]

# Two layers that the model names, and what no layer's name says: ops after the second.
NAMED = """HloModule jit_net
ENTRY e {
  x = f32[1,16] parameter(0), metadata={op_name="frame"}
  w = f32[16,32] constant({...}), metadata={op_name="params"}
  dot.1 = f32[1,32] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0},
    metadata={op_name="jit(net)/hidden/dot_general" source_file="/srv/net/model.py" source_line=42}
  relu.2 = f32[1,32] tanh(dot.1), metadata={op_name="jit(net)/hidden/tanh" source_file="/srv/net/model.py" source_line=43}
  v = f32[32,8] constant({...})
  dot.3 = f32[1,8] dot(relu.2, v), lhs_contracting_dims={1}, rhs_contracting_dims={0},
    metadata={op_name="jit(net)/logits/dot_general" source_file="/srv/net/model.py" source_line=47}
  ROOT exp.4 = f32[1,8] exponential(dot.3), metadata={op_name="jit(net)/exp" source_file="/srv/net/model.py" source_line=48}
}
"""


def in_terminal(columns, *arguments):
    """What the tool writes to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    with subprocess.Popen([HLOCC, *map(str, arguments)],
                          stdout=theirs,
                          stdin=subprocess.DEVNULL,
                          env=environment):
        os.close(theirs)
        out = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            out += part
    os.close(ours)
    return out.decode().replace("\r\n", "\n")


class Report(Test):
    def named(self):
        model = self.folder / "net.hlo.txt"
        model.write_text(NAMED)
        return model

    def test_lines_fit_the_terminal(self):
        for model in MODELS:
            for command in (["analyze", model, "--target", "cortex-m4f"],
                            ["inspect", model, "--kernels", "--target", "cortex-m4f"]):
                text = in_terminal(80, *command)
                lines = [line for line in text.splitlines() if not line.startswith("ops ")]
                self.assertGreater(len(lines), 10, text)
                if command[0] == "analyze":
                    self.assertEqual([line for line in lines if len(line) > 80], [], model)
                else:
                    table = lines[next(i for i, line in enumerate(lines)
                                       if line.startswith("layer ")):]
                    self.assertEqual([line for line in table if len(line) > 80], [], model)
                # The variable has the last word; without a terminal lines may be long.
                wide = self.done(*command)
                self.assertGreater(max(map(len, wide.splitlines())), 80)
        text = in_terminal(80, "analyze", snapshot("kws_dscnn"), "--target", "cortex-m4f")
        for column in ("layer", "weights", "flash", "RAM alive", "cycles"):
            self.assertIn(column, text)
        ran = subprocess.run(
            [HLOCC, "analyze", snapshot("kws_dscnn"), "--target", "cortex-m4f"],
            env={**os.environ, "COLUMNS": "80"},
            capture_output=True,
            check=True)
        self.assertEqual(ran.stdout.decode(), text)

    def test_layers_have_the_names_of_the_model(self):
        model = self.named()
        text = self.done("analyze", model, "--target", "cortex-m4f")
        self.assertRegex(text, r"(?m)^hidden/dot_general \(\+\d+\) +f32\[1,32\] +model\.py:42 ")
        self.assertRegex(text, r"(?m)^logits/dot_general \(\+\d+\) +f32\[1,8\] +model\.py:47 ")
        found, = json.loads(self.done("analyze", model, "--json", "--target",
                                      "cortex-m4f"))["targets"]
        first = found["layers"][0]
        self.assertEqual((first["layer"], first["shape"]), ("hidden/dot_general", "f32[1,32]"))
        self.assertEqual(first["source"],
                         [{"file": "/srv/net/model.py", "line": 42, "function": ""}])
        names = {value["name"] for value in found["values"]}
        self.assertIn("hidden/dot_general", names)
        self.assertIn("frame", {value["name"] for value in found["values"] if value["argument"]})
        # Nothing but an op's name: the instruction's says more.
        self.assertNotIn("exp", names)

    def test_the_rest_is_a_number_and_all_of_it_in_json(self):
        for model in MODELS:
            text = self.done("analyze", model, "--target", "cortex-m4f")
            self.assertEqual(re.findall(r"\w\.\d+\.\d+", text), [],
                             "copies are numbered by passes, not by the model")
            found, = json.loads(self.done("analyze", model, "--json", "--target",
                                          "cortex-m4f"))["targets"]
            rows = text.split("\n\n")[0].splitlines()[2:]
            self.assertEqual(len(rows), len(found["layers"]))
            for row, layer in zip(rows, found["layers"]):
                more = re.search(r"\(\+(\d+)\)", row)
                self.assertEqual(int(more[1]) if more else 0, max(0, len(layer["hlo"]) - 1), row)
                self.assertIn(layer["layer"], row)
                self.assertIn(layer["kernel"], row)

    def test_values_of_the_arena_are_those_of_layers(self):
        found, = json.loads(
            self.done("analyze", snapshot("cnn_digits_int8"), "--json", "--target",
                      "cortex-m4f"))["targets"]
        layers = {layer["layer"] for layer in found["layers"]}
        for value in found["values"]:
            if not value["argument"]:
                self.assertIn(re.sub(r" \(scratch \w+\)$", "", value["name"]), layers, value)
        self.assertTrue(any("(scratch " in value["name"] for value in found["values"]))

    def test_the_page_names_layers(self):
        page = self.folder / "page.html"
        self.done("analyze", self.named(), "--target", "cortex-m4f", "--html", page)
        text = page.read_text()
        self.assertRegex(
            text,
            r'<td title="[^"]*dot\.1[^"]*">hidden/dot_general \(\+\d+\)</td><td>f32\[1,32\]</td><td>model\.py:42</td>'
        )
        self.assertRegex(text, r'<div class="[^"]*" style="[^"]*">hidden/dot_general ')

    def test_weights_mean_the_same_everywhere(self):
        for model in (W8, snapshot("kws_dscnn")):
            told = json.loads(self.done("inspect", model, "--json", "--target", "cortex-m4f"))
            self.done("compile", model, "--target", "cortex-m4f", "-o", self.folder, "-q", "--name",
                      "Net")
            manifest = self.manifest("net.json")
            self.assertEqual(told["model_weights_bytes"], manifest["model_weights_bytes"])
            self.assertEqual(told["plan"]["weights_bytes"], manifest["weights_bytes"])
            self.assertEqual(told["plan"]["weights_by_type"], manifest["weights_by_type"])
            self.assertNotIn("weights_bytes", told)
            text = self.done("inspect", model, "--target", "cortex-m4f")
            self.assertIn(
                f"weights  {manifest['model_weights_bytes']} bytes in the model, "
                f"{manifest['weights_bytes']} in flash\n",
                text)
        told = json.loads(self.done("inspect", W8, "--json", "--target", "cortex-m4f"))
        self.assertEqual((told["model_weights_bytes"], told["plan"]["weights_bytes"]),
                         (429224, 115840))


if __name__ == "__main__":
    main()
