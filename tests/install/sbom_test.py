"""sbom_test.py BUILD: the bill of materials that is installed beside the tool has the shape of
CycloneDX, the versions that the build's headers have, and the linkage that the program has."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv[1]
# Which headers say a version, which macros in it, and which file the program loads where it is
# shared. The folder is the cache entry's, or one of the compiler's own.
PARTS = {
    "LLVM": ("llvm/Config/llvm-config.h",
             ["LLVM_VERSION_MAJOR", "LLVM_VERSION_MINOR", "LLVM_VERSION_PATCH"], "libLLVM"),
    "protobuf": ("google/protobuf/stubs/common.h", ["GOOGLE_PROTOBUF_VERSION"], "libprotobuf"),
    "CLI11": ("CLI/Version.hpp",
              ["CLI11_VERSION_MAJOR", "CLI11_VERSION_MINOR", "CLI11_VERSION_PATCH"], None),
    "nlohmann_json": ("nlohmann/json.hpp", [
        "NLOHMANN_JSON_VERSION_MAJOR", "NLOHMANN_JSON_VERSION_MINOR", "NLOHMANN_JSON_VERSION_PATCH"
    ], None), "zlib": ("zlib.h", ["ZLIB_VER_MAJOR", "ZLIB_VER_MINOR",
                                  "ZLIB_VER_REVISION"], "libz."),
    "zstd": ("zstd.h", ["ZSTD_VERSION_MAJOR", "ZSTD_VERSION_MINOR", "ZSTD_VERSION_RELEASE"],
             "libzstd"), "libstdc++": (None, ["__GNUC__", "__GNUC_MINOR__",
                                              "__GNUC_PATCHLEVEL__"], "libstdc++"),
}
LICENCES = {
    "LLVM": "Apache-2.0 WITH LLVM-exception", "protobuf": "BSD-3-Clause", "CLI11": "BSD-3-Clause",
    "nlohmann_json": "MIT", "zlib": "Zlib", "zstd": "BSD-3-Clause",
    "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1"
}


def cache():
    with open(f"{BUILD}/CMakeCache.txt", encoding="utf-8") as file:
        return dict(re.findall(r"^([\w-]+):\w+=(.*)$", file.read(), re.M))


def numbers(compiler, include, macros):
    """What the compiler makes of the macros."""
    text = (f"#include <{include}>\n" if include else "") + "".join(f"\nVERSION {macro}"
                                                                    for macro in macros)
    folders = [f"-I{os.path.dirname(cache().get('LLVM_DIR', '/cmake'))}/include"]
    out = subprocess.run([compiler, "-E", "-P", "-x", "c++", *folders, "-"],
                         input=text,
                         capture_output=True,
                         text=True,
                         check=True).stdout
    return [int(number) for number in re.findall(r"^VERSION (\d+)$", out, re.M)]


class Sbom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="hlocc_sbom_")
        cls.addClassCleanup(folder.cleanup)
        subprocess.run(
            ["cmake", "--install", BUILD, "--component", "tool", "--prefix", folder.name],
            check=True,
            stdout=subprocess.DEVNULL)
        with open(f"{folder.name}/share/doc/hlocc/hlocc.cdx.json", encoding="utf-8") as file:
            cls.text = file.read()
        cls.bom = json.loads(cls.text)
        cls.parts = {part["name"]: part for part in cls.bom["components"]}
        needed = subprocess.run(["readelf", "-d", f"{folder.name}/bin/hlocc"],
                                capture_output=True,
                                text=True,
                                check=True).stdout
        cls.loaded = re.findall(r"\(NEEDED\).*\[(.*)\]", needed)

    def test_shape(self):
        self.assertEqual((self.bom["bomFormat"], self.bom["specVersion"], self.bom["version"]),
                         ("CycloneDX", "1.5", 1))
        self.assertEqual(
            set(self.bom),
            {"bomFormat", "specVersion", "version", "metadata", "components", "dependencies"})
        own = self.bom["metadata"]["component"]
        for part, kind in [(own, "application"),
                           *((part, "library") for part in self.parts.values())]:
            self.assertEqual(part["type"], kind)
            self.assertRegex(part["version"], r"^\d+\.\d+(\.\d+)*$")
            self.assertRegex(part["purl"], r"^pkg:(generic|github)/[\w./+-]+@[\d.]+$")
            self.assertEqual(part["bom-ref"], part["purl"])
            self.assertEqual([set(licence) for licence in part["licenses"]], [{"expression"}])
        references = [part["bom-ref"] for part in self.parts.values()]
        self.assertEqual(len(set(references)), len(self.bom["components"]))
        self.assertEqual(self.bom["dependencies"],
                         [{"ref": own["bom-ref"], "dependsOn": references}])
        # Equal builds, equal files.
        self.assertNotRegex(self.text, r"/(usr|home|root|work|tmp)/|\d{4}-\d\d-\d\d")

    def test_versions(self):
        compiler = cache()["CMAKE_CXX_COMPILER"]
        for name, part in self.parts.items():
            include, macros, _ = PARTS[name]
            found = numbers(compiler, include, macros)
            if len(macros) == 1:  # 3021012
                self.assertEqual(len(found), 1)
                found = [found[0] // 1000000, found[0] // 1000 % 1000, found[0] % 1000]
            self.assertEqual([int(number) for number in part["version"].split(".")],
                             found[:len(part["version"].split("."))], name)
            self.assertEqual(part["licenses"][0]["expression"], LICENCES[name])

    def test_own_version(self):
        said = subprocess.run([f"{BUILD}/hlocc", "--version"],
                              capture_output=True,
                              text=True,
                              check=True).stdout
        self.assertIn(self.bom["metadata"]["component"]["version"], said)

    def test_linkage(self):
        static = cache().get("HLOCC_STATIC") == "ON"
        expected = {"protobuf", "zlib", "CLI11", "nlohmann_json", "libstdc++"}
        if cache().get("HLOCC_LLVM", "ON") == "ON":
            expected |= {"LLVM"} | ({"zstd"} if static else set())
        self.assertEqual(set(self.parts), expected)
        for name, part in self.parts.items():
            linkage = {row["name"]: row["value"] for row in part["properties"]}["hlocc:linkage"]
            library = PARTS[name][2]
            if library is None:
                self.assertEqual(linkage, "headers", name)
                continue
            loaded = any(one.startswith(library) for one in self.loaded)
            self.assertEqual(linkage, "shared" if loaded else "static", (name, self.loaded))
        # Nothing else is loaded but what the system's C library brings.
        for one in self.loaded:
            self.assertRegex(
                one,
                r"^(ld-linux|lib(a|t|ub)san\.|libc\.|libm\.|libgcc_s|libstdc\+\+|libLLVM|libprotobuf|libz\.)",
                one)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
