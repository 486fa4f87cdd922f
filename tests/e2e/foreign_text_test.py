"""Names and notes of a model may be any bytes. Every string field of the proto and of the text is
given bytes that are no UTF-8, NUL, line breaks, quotes, ends of scripts and comments, trigraphs and
marks that turn a line round; whatever hlocc makes of them is read back: JSON parses, C compiles
without a warning, pages hold no tag that hlocc did not write."""
import html.parser
import json
import os
import pathlib
import re
import subprocess

from harness import HLOCC, ROOT, Test, main, snapshot

TURNS = "\u202e".encode()
HOSTILE = [
    b"\xff", b"\x00", b"\n", b'"', b"'", b"\\", b"</script>", b"??/", b"*/", b"//", TURNS,
    b"\xed\xa0\x80", b"%n%s", b"@M"
]
ALL = b"x" + b"".join(HOSTILE) + b"<b>&amp;\r\x1b[2J"
C = [
    "-std=c99", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wtrigraphs",
    "-Wbidi-chars=any", "-Wcomment", "-Wno-unused-function"
]


def fields_of_schema():
    """Message type to {field name: (number, type)}, as src/import/proto/hlo.proto has them; nested
    types by their own names."""
    types, open_types = {}, []
    for line in (ROOT / "src/import/proto/hlo.proto").read_text().splitlines():
        line = line.split("//")[0].strip()
        if match := re.fullmatch(r"message (\w+) \{", line):
            open_types.append(match[1])
            types.setdefault(match[1], {})
        elif line == "}":
            open_types.pop()
        elif match := re.fullmatch(r"(?:repeated )?(\w+) (\w+) = (\d+);", line):
            name = "FrontendEntry" if match[1] == "Entry" and open_types[
                -1] == "FrontendAttributes" else match[1]
            types[open_types[-1]][match[2]] = (int(match[3]), name)
    # Two types are called Entry; the one with strings is FrontendAttributes'.
    types["FrontendEntry"] = {"key": (1, "bytes"), "value": (2, "bytes")}
    types["HloProto"] = {"hlo_module": (1, "HloModuleProto")}
    types["HloSnapshot"] = {"hlo": (1, "HloProto")}
    return types


TYPES = fields_of_schema()
# The elements of a literal are no text.
STRINGS = [(kind, name) for kind, fields in TYPES.items() for name, (_, type_) in fields.items()
           if type_ == "bytes" and name != "literal" and kind != "Entry"]


def varint(number):
    out = b""
    while number > 0x7f:
        out += bytes([number & 0x7f | 0x80])
        number >>= 7
    return out + bytes([number])


def read_varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def block(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def pieces(data):
    """(field number, payload or None, raw bytes) of each field."""
    at = 0
    while at < len(data):
        begin = at
        key, at = read_varint(data, at)
        if key & 7 == 2:
            length, at = read_varint(data, at)
            at += length
            yield key >> 3, data[at - length:at], data[begin:at]
            continue
        at = read_varint(data, at)[1] if key & 7 == 0 else at + (8 if key & 7 == 1 else 4)
        yield key >> 3, None, data[begin:at]


def with_field(data, kind, path, payload, left):
    """The message with the string at `path` (of message and field names) set wherever `left` still
    allows; messages on the way that are not there are made."""
    if len(path) == 1:
        left[0] -= 1
        number = TYPES[kind][path[0]][0]
        return b"".join(raw for found, _, raw in pieces(data) if found != number) + block(
            number, payload)
    number, inner = TYPES[kind][path[0]]
    out, seen = b"", False
    for found, content, raw in pieces(data):
        if found == number and content is not None and left[0] > 0:
            raw = block(number, with_field(content, inner, path[1:], payload, left))
            seen = True
        out += raw
    return out if seen else out + block(number, with_field(b"", inner, path[1:], payload, left))


def paths_to(kind, field, root="HloSnapshot", before=()):
    """A shortest path of names from the root to the field."""
    queue = [(root, before)]
    seen = set()
    while queue:
        here, path = queue.pop(0)
        if here == kind:
            return [*path, field]
        seen.add(here)
        queue += [(type_, (*path, name))
                  for name, (_, type_) in TYPES[here].items()
                  if type_ in TYPES and type_ not in seen]
    raise AssertionError(f"no way to {kind}")


class Tags(html.parser.HTMLParser):
    """What a page is made of; anything else came in through a name."""
    KNOWN = set(
        "html head meta title style body h1 h2 h3 p b i ul li div span table thead tbody tr th td "
        "button script "
        "a details summary svg g rect path text".split())

    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


TEXT = """HloModule NAME, input_output_alias={{1}: (1, {}, may-alias)}

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b)
}

ENTRY main {
  x = f32[1,4] parameter(0), metadata={op_type="TYPE" op_name="OP" source_file="FILE" source_line=3}
  s = f32[1] parameter(1), frontend_attributes={KEY="VALUE"}
  c = f32[4] custom-call(), custom_call_target="TARGET", backend_config="CONFIG"
  e = f32[1,4] exponential(x), metadata={op_name="OP"}, backend_config="CONFIG"
  z = f32[] constant(0)
  m = f32[1] reduce(e, z), dimensions={1}, to_apply=add
  n = f32[1] add(m, s)
  ROOT t = (f32[1], f32[1]) tuple(n, n)
}
"""


class ForeignText(Test):
    def run_it(self, *words):
        ran = subprocess.run(
            [HLOCC, *[word if isinstance(word, bytes) else str(word) for word in words]],
            capture_output=True,
            check=False,
            timeout=120)
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        self.no_commands(ran.stderr)
        if ran.returncode == 1:
            self.assertRegex(ran.stderr.decode(), r"error\[|\"kind\"")
        return ran

    def no_commands(self, told):
        """Nothing that a terminal would take for a command, or show the other way round."""
        for byte in (b"\x00", b"\x1b", b"\r", TURNS):
            self.assertNotIn(byte, told)
        told.decode()

    def parse(self, path):
        if path.suffix == ".json":
            json.loads(path.read_bytes())
        elif path.suffix == ".html":
            text = path.read_bytes().decode()
            page = Tags()
            page.feed(text)
            self.assertLessEqual(set(page.tags), Tags.KNOWN)
            self.assertEqual((page.tags.count("script"), text.lower().count("</script")),
                             (1 + page.tags.count("svg"), ) * 2)
            self.assertFalse(re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e]", text))
        elif path.suffix in (".h", ".c"):
            self.assertEqual(self.compiler(path).stderr, "")
        elif path.suffix in (".txt", ".s", ".ll"):
            path.read_bytes().decode(
                "ascii" if path.suffix == ".txt" and ".hlo" in path.suffixes else "utf-8",
                errors="strict")

    def compiler(self, path):
        use = path
        if path.suffix == ".h":
            use = path.parent / "use.c"
            use.write_text(f'#include "{path.name}"\nint main(void) {{ return 0; }}\n')
        return subprocess.run(["gcc", *C, "-I", path.parent, use],
                              capture_output=True,
                              text=True,
                              check=False)

    def hold(self, model, full=True):
        """Everything that speaks of the model, read back."""
        made = 0
        for flags in (["--emit", "lib,header,hlo,kernel,asm,llvm,report"],
                      ["--backend", "c", "--emit", "c,header"])[:2 if full else 1]:
            out = pathlib.Path(self.folder) / "out"
            for path in out.glob("*"):
                path.unlink()
            ran = self.run_it("compile", model, "-o", out, "--name", "Small", "--target", "host",
                              *flags)
            if ran.returncode == 0:
                for path in sorted(out.iterdir()):
                    with self.subTest(path.name):
                        self.parse(path)
                made += 1
        for words in (["inspect", model, "--json"], [
                "analyze", model, "--target", "cortex-m4f", "--json", "--html",
                self.folder / "a.html"
        ]):
            ran = self.run_it(*words)
            if ran.returncode == 0:
                json.loads(ran.stdout)
        if (self.folder / "a.html").exists():
            self.parse(self.folder / "a.html")
            (self.folder / "a.html").unlink()
        for words in (["inspect", model, "--kernels"], ["analyze", model, "--target",
                                                        "cortex-m4f"])[:2 if full else 0]:
            self.no_commands(self.run_it(*words).stdout)
        return made

    def test_every_string_of_the_proto(self):
        listed = re.findall(r"^ *(?:repeated )?bytes ",
                            (ROOT / "src/import/proto/hlo.proto").read_text(), re.M)
        self.assertEqual(len(STRINGS), len(listed) - 1, "all but the elements of literals")
        data = snapshot("mlp_digits").read_bytes()
        model = self.folder / "m.pb"
        made = 0
        for kind, field in STRINGS:
            path = paths_to(kind, field)
            payloads = [ALL] if field not in ("op_name", "name") else [ALL, *HOSTILE]
            for payload in payloads:
                with self.subTest(kind=kind, field=field, payload=payload):
                    model.write_bytes(with_field(data, "HloSnapshot", path, payload, [3]))
                    made += self.hold(model, full=payload is ALL)
        # Most strings say nothing of what is computed.
        self.assertGreater(made, 40)

    def test_every_string_of_the_text(self):
        model = self.folder / "m.hlo.txt"
        made = 0
        for word in ("NAME", "TYPE", "OP", "FILE", "KEY", "VALUE", "TARGET", "CONFIG", "main",
                     "add", "x", "e", None):
            for payload in (ALL, b"\xff", b"\\377\\000\\012\\\"") if word else [b""]:
                with self.subTest(word=word, payload=payload):
                    text = TEXT.encode()
                    if word is not None:
                        text = re.sub(rb"\b" + word.encode() + rb"\b", lambda _, p=payload: p, text)
                    model.write_bytes(text)
                    made += self.hold(model, full=payload != b"\xff")
        self.assertGreater(made, 10)

    def test_escapes_of_the_text(self):
        model = self.folder / "m.hlo.txt"
        model.write_text(TEXT.replace('op_name="OP"', 'op_name="\\377"').replace("TARGET", "mine"))
        self.assertEqual(self.hold(model), 2)
        names = json.loads(self.run_it("inspect", model, "--json").stdout)["arguments"]
        self.assertIn("\ufffd", json.dumps(names, ensure_ascii=False))

    def test_names_of_files(self):
        for name in (b"mod\xe8le.pb", TURNS + b".pb", b"a\nb.pb", b'"q".pb',
                     b"</script>.pb".replace(b"/", b"_")):
            path = os.fsencode(self.folder) + b"/" + name
            with open(path, "wb") as file:
                file.write(snapshot("mlp_digits").read_bytes())
            with self.subTest(name=name):
                self.assertGreater(self.hold(path), 0)
                told = json.loads(
                    self.run_it("analyze", path, "--target", "cortex-m4f", "--json").stdout)
                self.assertIn("model", told)
            broken = self.run_it("compile", path + b"x", "--json")
            self.assertEqual(json.loads(broken.stderr)["kind"], "file")


main()
