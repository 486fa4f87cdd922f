"""hlocc package: what is refused before anything is compiled, what a package holds, and what stays
when it is made again. How packages are built and run is tests/packages'."""
import ast
import hashlib
import json
import xml.etree.ElementTree

from harness import ROOT, Test, hlocc, main, snapshot

MODEL = snapshot("kws_dscnn")
TINY = "HloModule tiny\nENTRY e {\n x = f32[4] parameter(0)\n ROOT s = f32[4] add(x, x)\n}\n"
DOUBLE = "HloModule double\nENTRY e {\n x = f64[4] parameter(0)\n ROOT s = f64[4] exponential(x)\n}\n"


class Package(Test):
    def setUp(self):
        super().setUp()
        (self.folder / "tiny.hlo.txt").write_text(TINY)
        (self.folder / "double.hlo.txt").write_text(DOUBLE)
        self.tiny = self.folder / "tiny.hlo.txt"
        self.out = self.folder / "out"

    def package(self, *words, format="make", targets=("cortex-m4f",), models=None):
        flags = [word for target in targets for word in ("--target", target)]
        return self.done("package", *(models or [self.tiny]), "--format", format, *flags, "-o",
                         self.out, *words)

    def wrong(self,
              kind,
              code,
              sentence,
              *words,
              format="make",
              targets=("cortex-m4f", ),
              models=None):
        flags = [word for target in targets for word in ("--target", target)]
        said = self.refused(code, kind, "package", *(models or [self.tiny]), "--format", format,
                            *flags, "-o", self.out, *words)
        self.assertIn(sentence, said)
        self.assertIn("note: ", said)
        self.assertEqual(said.count("error["), 1)
        return said

    def test_esp_idf_tells_xtensas_apart(self):
        self.package("--json",
                     "--license",
                     "MIT",
                     format="esp-idf",
                     targets=("xtensa-lx6", "xtensa-lx7"))
        chosen = (self.out / "CMakeLists.txt").read_text()
        for chip, target in (("esp32", "xtensa-lx6"), ("esp32s3", "xtensa-lx7")):
            self.assertTrue((self.out / "targets" / target / "tiny.c").is_file())
            self.assertRegex(
                chosen,
                f'if\\(" {chip} " MATCHES [^\\n]*\\n  set\\(tiny_id '
                f'{target.upper().replace("-", "_")}\\)'
            )

    def test_refused_before_anything_is_compiled(self):
        # A model that does not compile shows that none was read.
        (self.folder / "broken.hlo.txt").write_text(
            "HloModule m\nENTRY e {\n x = f32[64] parameter(0)\n ROOT s = f32[65] negate(x)\n}\n")
        broken = [self.folder / "broken.hlo.txt"]
        cases = [
            ("usage", 2, "there is no such format", {"format": "mak"}),
            ("usage", 2, "did you mean `make`?", {"format": "mak"}),
            ("usage", 2, "none is named", {"targets": ()}),
            ("target", 2, "there is no such target", {"targets": ("cortex-m4x", )}),
            ("target", 2, "no compiler tells stm32f407vg and nrf52840 apart",
             {"targets": ("stm32f407vg", "nrf52840")}),
            ("target", 2, "no compiler tells xtensa-lx6 and xtensa-lx7 apart",
             {"targets": ("xtensa-lx6", "xtensa-lx7")}),
            ("target", 2, "no compiler tells esp32c3 and rv32imc apart",
             {"format": "esp-idf", "targets": ("esp32c3", "rv32imc")}),
            ("target", 2, "has no place for --target xtensa-lx6: the format holds libraries alone",
             {"format": "pkg-config", "targets": ("xtensa-lx6", )}),
            ("target", 2, "Conan has no such arch",
             {"format": "conan", "targets": ("hexagon-v67", )}),
            ("target", 2, "the format holds libraries alone",
             {"format": "conan", "targets": ("xtensa-lx6", )}),
            ("target", 2, "vcpkg has no such architecture",
             {"format": "vcpkg", "targets": ("cortex-m4f", "hexagon-v67")}),
            ("target", 2, "Zephyr has no symbols",
             {"format": "zephyr", "targets": ("x86_64-linux", )}),
            ("target", 2, "it is no core of an ESP32",
             {"format": "esp-idf", "targets": ("cortex-m4f", )}),
            ("target", 2, "Arduino builds firmware",
             {"format": "arduino", "targets": ("x86_64-linux", )}),
            ("target", 2, "Rust has no such triple",
             {"format": "cargo", "targets": ("hexagon-v67", )}),
            ("target", 2, "little-endian bytes", {"format": "cargo", "targets": ("s390x-linux", )}),
            ("target", 2, "packs are for Cortex-M",
             {"format": "cmsis-pack", "targets": ("rv32imc", )}),
        ]
        for kind, code, sentence, how in cases:
            with self.subTest(sentence):
                self.wrong(kind, code, sentence, models=broken, **how)
        self.wrong("usage", 2, "--format cargo and --memory do not go together", "--memory",
                   "fast:1K,slow:64K", models=broken, format="cargo")
        self.wrong("usage", 2, "--weights-in needs --memory", "--weights-in", "fast",
                   models=broken)
        for sentence, words in (("--package-version 1.2 is no version",
                                 ["--package-version",
                                  "1.2"]), ("--package-version 1.02.3 is no version",
                                            ["--package-version",
                                             "1.02.3"]), ("no expression of SPDX",
                                                          ["--license", "mine; all mine"]),
                                ("is no address", ["--url", "example.com"]),
                                ("is no address", ["--url", "https://example.com/\"><"])):
            with self.subTest(words):
                self.wrong("usage", 2, sentence, *words, models=broken)
        self.wrong("usage", 2, "needs a name", models=broken * 2)
        self.wrong("usage",
                   2,
                   "could be names of",
                   "--name",
                   "acme::All",
                   models=[f"A={broken[0]}", f"A={broken[0]}"])
        self.wrong("usage",
                   2,
                   "could be names of",
                   "--name",
                   "acme::All",
                   models=[f"A={broken[0]}", f"AB={broken[0]}", f"A_b={broken[0]}"])
        self.wrong("usage",
                   2,
                   "are both called all",
                   "--name",
                   "acme::All",
                   models=[f"A={broken[0]}", f"All={broken[0]}"])
        self.wrong("usage", 2, "chooses among the package's targets", "--name", "acme::All",
                   models=[f"A={broken[0]}", f"AllTarget={broken[0]}"])
        self.wrong("usage",
                   2,
                   "a module of Rust cannot be called loop",
                   "--name",
                   "Loop",
                   format="cargo",
                   models=broken)
        self.wrong("usage", 2, "not of the standard input", models=["-"])
        self.out.mkdir()
        (self.out / "mine.txt").write_text("mine")
        self.wrong("usage", 2, "is not empty, and holds no package of hlocc's", models=broken)
        self.assertEqual(self.files(self.out), ["mine.txt"])
        self.refused(1, "file", "package", self.folder / "none.pb", "--format", "make", "--target",
                     "cortex-m4f", "-o", self.folder / "o")
        self.refused(1, "shape", "package", broken[0], "--format", "make", "--target", "cortex-m4f",
                     "-o", self.folder / "o")
        self.assertFalse((self.folder / "o").exists())

    def test_what_it_holds(self):
        told = json.loads(
            self.package("--json",
                         "--license",
                         "MIT",
                         targets=("cortex-m4f", "rv32imc", "xtensa-lx6")))
        self.assertEqual([one["target"] for one in told["targets"]],
                         ["cortex-m4f", "rv32imc", "xtensa-lx6"])
        manifest = json.loads((self.out / "hlocc_package.json").read_text())
        self.assertEqual(manifest["license"], "MIT")
        self.assertEqual(manifest["files"],
                         [row for row in told["files"] if row["path"] != "hlocc_package.json"])
        listed = {row["path"]: row for row in manifest["files"]}
        there = {str(path.relative_to(self.out))
                 for path in self.out.rglob("*")
                 if path.is_file()} - {"hlocc_package.json"}
        self.assertEqual(set(listed), there)
        for path, row in listed.items():
            data = (self.out / path).read_bytes()
            self.assertEqual((len(data), hashlib.sha256(data).hexdigest()),
                             (row["bytes"], row["sha256"]), path)
        # What `compile` makes, byte for byte.
        self.done("compile", self.tiny, "--name", "Tiny", "--target", "rv32imc", "-o",
                  self.folder / "c", "-q")
        for name in ("libtiny.a", "tiny.h", "tiny.json"):
            self.assertEqual((self.out / "targets/rv32imc" / name).read_bytes(),
                             (self.folder / "c" / name).read_bytes())
        self.assertTrue((self.out / "targets/xtensa-lx6/tiny.c").is_file())
        self.assertEqual((self.out / "include/hlocc_selftest.h").read_bytes(),
                         (ROOT / "runtime_stub/hlocc_selftest.h").read_bytes())
        self.assertEqual((self.out / "LICENSES/Apache-2.0.txt").read_bytes(),
                         (ROOT / "LICENSE").read_bytes())
        self.assertTrue((self.out / "toolchains/boards/run_board.sh").stat().st_mode & 0o100)

    def test_made_again(self):
        self.package(targets=("cortex-m4f", "rv32imc"))
        before = {path: path.stat().st_mtime_ns for path in self.out.rglob("*") if path.is_file()}
        self.package(targets=("cortex-m4f", "rv32imc"))
        self.assertEqual(
            before,
            {path: path.stat().st_mtime_ns
             for path in self.out.rglob("*")
             if path.is_file()})
        (self.out / "notes.txt").write_text("mine")
        self.package(targets=("cortex-m4f",))
        self.assertFalse((self.out / "targets/rv32imc/tiny.h").exists())
        self.assertTrue((self.out / "notes.txt").exists())
        # The manifest of somebody else's names nothing outside of the folder.
        (self.folder / "keep.txt").write_text("keep")
        (self.out / "hlocc_package.json").write_text(
            json.dumps(
                {"files": [{"path": "../keep.txt"}, {"path": str(self.folder / "keep.txt")}, 7]}))
        self.package()
        self.assertTrue((self.folder / "keep.txt").exists())

    def test_texts_of_others(self):
        """A description that ends strings, begins variables and breaks lines is one in every
        format."""
        odd = "it's \"$(odd)\" <b> # & \\ `x` %s ${y};\nPre-Depends: z"
        told = odd.replace("\n", "\\x0a")
        for format, target in (("cmake", "x86_64-linux"), ("make", "x86_64-linux"),
                               ("pkg-config", "x86_64-linux"), ("meson", "x86_64-linux"),
                               ("deb", "x86_64-linux"), ("conan", "x86_64-linux"),
                               ("vcpkg", "x86_64-linux"), ("zephyr", "cortex-m4f"),
                               ("esp-idf", "esp32c3"), ("arduino", "cortex-m0"), ("platformio",
                                                                                  "x86_64-linux"),
                               ("cmsis-pack", "cortex-m4f"), ("cargo", "x86_64-linux")):
            self.out = self.folder / format
            self.package("--description",
                         odd,
                         "--maintainer",
                         "A <a@b.c>",
                         format=format,
                         targets=(target, ))
        self.assertIn("Description: it's \"$$(odd)\" <b> \\#",
                      (self.folder / "pkg-config/pkgconfig/tiny-x86_64-linux.pc").read_text())
        self.shell("cmake", "-S", self.folder / "cmake", "-B", self.folder / "b")
        self.shell("make", "-C", self.folder / "make/example", "check", "TARGET=x86_64-linux")
        self.assertEqual(
            json.loads((self.folder / "vcpkg/tiny/vcpkg.json").read_text())["description"], told)
        self.assertEqual(
            json.loads((self.folder / "platformio/library.json").read_text())["description"], told)
        pack = xml.etree.ElementTree.parse(self.folder / "cmsis-pack/hlocc.tiny.pdsc").getroot()
        self.assertEqual(pack.find("description").text, told)
        recipe = ast.parse((self.folder / "conan/conanfile.py").read_text())
        self.assertIn(told,
                      [node.value for node in ast.walk(recipe) if isinstance(node, ast.Constant)])
        control = (self.folder / "deb/libtiny-x86-64-linux/DEBIAN/control").read_text()
        self.assertNotIn("\nPre-Depends", control)
        properties = (self.folder / "arduino/library.properties").read_text()
        self.assertIn(f"\nsentence={told}\nparagraph=", properties)

    def test_an_arena_in_several_memories(self):
        self.package("--memory", "fast:64,slow:64K", "--weights-in", "fast",
                     targets=("x86_64-linux", "rv32imc"))
        self.assertIn("TINY_ARENA_FAST_BYTES", (self.out / "targets/rv32imc/tiny.h").read_text())
        self.assertIn("init(&model, TINY_ARENAS_IN(arena))",
                      (self.out / "example/tiny_selftest.c").read_text())
        for target in ("x86_64-linux", "rv32imc"):
            said = self.shell("make", "-C", self.out / "example", "check", f"TARGET={target}")
            self.assertIn("failed 0", said)

    def test_several_models_and_the_cache(self):
        cache = self.folder / "cache"
        words = ("--name", "acme::All", "--cache", cache)
        self.package(*words,
                     models=[f"Kws={MODEL}", f"Tiny={self.tiny}"],
                     targets=("x86_64-linux", "rv32imc"))
        for name in ("kws.h", "tiny.h", "all_target.h"):
            self.assertTrue((self.out / "include" / name).is_file())
        self.assertIn("acme_tiny_init", (self.out / "targets/rv32imc/tiny.h").read_text())
        said = self.shell("make", "-C", self.out / "example", "check", "TARGET=rv32imc")
        self.assertEqual(said.count("failed 0"), 2)
        # What `compile` did is known here, too.
        kept = sorted(path.name for path in (cache / "ac").rglob("*") if path.is_file())
        self.done("compile", self.tiny, "--name", "acme::Tiny", "--target", "rv32imc", "-o",
                  self.folder / "c", "--cache", cache)
        self.assertEqual(kept,
                         sorted(path.name for path in (cache / "ac").rglob("*") if path.is_file()))

    def test_state_that_does_not_start_as_zeros(self):
        """The counters of random numbers are in the manifest, from which a crate has them, as in
        the header."""
        (self.folder / "drawn.hlo.txt").write_text(
            "HloModule drawn\nENTRY e {\n a = f32[] constant(0)\n b = f32[] constant(1)\n"
            " ROOT r = f32[4] rng(a, b), distribution=rng_uniform\n}\n")
        self.package(format="cargo",
                     targets=("x86_64-linux", ),
                     models=[self.folder / "drawn.hlo.txt"])
        manifest = json.loads((self.out / "targets/x86_64-linux/drawn.json").read_text())
        (piece,) = manifest["initial_state"]
        self.assertTrue(any(piece["bytes"]))
        self.assertIn(f"initial[] = {{{', '.join(map(str, piece['bytes']))}}}",
                      (self.out / "targets/x86_64-linux/drawn.h").read_text())
        crate = (self.out / "src/x86_64-linux/drawn.rs").read_text()
        self.assertIn(
            f"self.in_state({piece['offset']}).copy_from_nonoverlapping([{', '.join(f'{b}u8' for b in piece['bytes'])}]",
            crate)
        self.package(format="cargo", targets=("x86_64-linux",))
        self.assertNotIn("initial_state",
                         json.loads((self.out / "targets/x86_64-linux/tiny.json").read_text()))

    def test_what_cannot_be_compared_is_said(self):
        ran = hlocc("package", self.folder / "double.hlo.txt", "--format", "make", "--target",
                    "x86_64-linux", "-o", self.out)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("result0 of f64[4]", ran.stderr.decode())
        self.assertIn("leaves out one thing: result0 of f64\\[4\\]",
                      (self.out / "README.md").read_text())
        self.assertIn(
            "passed 1 failed 0",
            self.shell("make", "-C", self.out / "example", "check", "TARGET=x86_64-linux"))


if __name__ == "__main__":
    main()
