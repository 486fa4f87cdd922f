"""How a package of each format is tried: a row a format with its targets, the commands that the
ecosystem's own tool judges it by, and the projects that use it besides. Commands are lines for bash
in a folder that holds the package as PACKAGE; the package's own test is what its README says under
"Its test"."""
import dataclasses

LINUX = ["x86_64-linux", "cortex-a53"]
BARE = ["cortex-m4f", "rv32imc"]
# What an application does with the model, in a project of its own.
APP = """#include "kws.h"
static unsigned char arena[ACME_KWS_ARENA_BYTES] __attribute__((aligned(ACME_KWS_ARENA_ALIGN)));
static acme_kws_t kws;
int main(void) { return acme_kws_init(&kws, arena) || acme_kws_run(&kws); }
"""


@dataclasses.dataclass(frozen=True)
class Way:
    name: str
    targets: list
    tools: list                   # without them nothing is tried
    validate: str = ""            # the ecosystem's own judgement
    projects: tuple = ()          # (files by path, command): a project of a user's
    follow: tuple = ()            # instead of the README's commands, whose tools are not here
    prelude: str = ""  # in front of each command: $STAND_INS has what stands for missing tools
    model: str = "kws_dscnn"
    runs: bool = True             # the commands run the package's test
    nightly: bool = False         # more than the suite has time or tools for


CMAKE_APP = """cmake_minimum_required(VERSION 3.20)
project(app LANGUAGES {language})
{how}
add_executable(app main.{suffix})
target_link_libraries(app PRIVATE kws::kws)
"""


def cmake_project(name, how, before="", flags="", language="C"):
    suffix = "c" if language == "C" else "cpp"
    files = {
        f"{name}/CMakeLists.txt": CMAKE_APP.format(how=how, language=language, suffix=suffix),
        f"{name}/main.{suffix}": APP
    }
    return files, f"{before}cmake -S {name} -B {name}/b {flags} && cmake --build {name}/b && {name}/b/app"


CMAKE = (
    cmake_project("added", "add_subdirectory(${CMAKE_SOURCE_DIR}/../PACKAGE package)"),
    cmake_project("found",
                  "find_package(kws CONFIG REQUIRED)",
                  flags="-DCMAKE_PREFIX_PATH=$PWD/PACKAGE",
                  language="CXX"),
    cmake_project(
        "installed",
        "find_package(kws 0.1 CONFIG REQUIRED)",
        before=
        "cmake -S PACKAGE -B i && cmake --install i --prefix $PWD/prefix && mv prefix moved && ",
        flags="-DCMAKE_PREFIX_PATH=$PWD/moved"),
    cmake_project("forced",
                  "add_subdirectory(${CMAKE_SOURCE_DIR}/../PACKAGE package)",
                  flags="-DKWS_TARGET=x86_64-linux"),
)
MAKEFILE = """CC := {cc}
CFLAGS := {cflags}
include ../PACKAGE/kws.mk
app: main.c
	$(CC) $(CFLAGS) $(KWS_CFLAGS) {link} main.c $(KWS_SOURCES) $(KWS_LIBS) -lgcc -o app
	@echo chose $(KWS_TARGET)
"""


def make_project(name, cc, cflags, link, chosen):
    makefile = MAKEFILE.format(cc=cc, cflags=cflags, link=link)
    return {f"{name}/Makefile": makefile, f"{name}/main.c": APP}, \
        f"make -C {name} | grep 'chose {chosen}'"


MAKE = (
    make_project("native", "cc", "-O1", "", "x86_64-linux"),
    # A Cortex-M7 with hard floats runs what a Cortex-M4F runs; without them nothing in the package
    # does.
    make_project("m7", "arm-none-eabi-gcc",
                 "-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16 -ffreestanding",
                 "-nostdlib -Wl,-emain -r", "cortex-m4f"),
    ({
        "none/Makefile": MAKEFILE.format(cc="arm-none-eabi-gcc",
                                         cflags="-mcpu=cortex-m4 -mfloat-abi=soft",
                                         link=""), "none/main.c": APP
    }, "! make -C none 2> said && grep 'kws has no library for arm-none-eabi-gcc' said"),
)
MESON = (({
    "app/meson.build": "project('app', 'c')\nkws = dependency('kws', fallback: ['kws', "
                       "'kws_dep'])\n"
    "test('app', executable('app', 'main.c', dependencies: kws))\n", "app/main.c": APP
}, "mkdir app/subprojects && cp -r PACKAGE app/subprojects/kws && meson setup app/b app && meson "
   "test -C app/b"
          ), ({}, "meson setup forced PACKAGE -Dtarget=x86_64-linux && meson test -C forced"),
         )
PKG_CONFIG = (({
    "main.c": APP
}, "export PKG_CONFIG_PATH=PACKAGE/pkgconfig && cc main.c $(pkg-config --cflags --libs "
   "kws-x86_64-linux) -o app && ./app"
               ), )

# A native project that takes what the port installed, and architectures that it has no library for,
# or two.
VCPKG = ((
    {},
    "VCPKG_TRIPLET_ARCH=arm64 vcpkg install kws --overlay-ports=PACKAGE && ar t "
    "installed/lib/libkws.a && "
    "! VCPKG_TRIPLET_ARCH=s390x vcpkg install kws --overlay-ports=PACKAGE 2> said && grep 'kws has "
    "no library for s390x' said"
), )


def zephyr(target, symbols, chosen):
    return (
        f"ZEPHYR_SYMBOLS='{symbols}' cmake -S PACKAGE/samples/selftest -B build-{target} "
        f"-DZephyr_DIR=$STAND_INS/zephyr "
        f"-DCMAKE_TOOLCHAIN_FILE=$ROOT/toolchains/{target}.cmake",
        f"cmake --build build-{target} && nm build-{target}/zephyr | grep acme_kws_run && ! grep "
        f"-q {chosen} build-{target}/CMakeCache.txt",
        f"$ROOT/toolchains/boards/run_board.sh {target} build-{target}/zephyr")


ARDUINO = (
    "arduino-builder -compile -hardware /usr/share/arduino-builder -hardware "
    "/usr/share/arduino/hardware -tools /usr/share/arduino-builder "
    "-libraries $PWD/libraries -fqbn arduino:avr:mega:cpu=atmega2560 -build-path $PWD/build "
    "-prefs=runtime.tools.avr-gcc.path=/usr "
    "-prefs=runtime.tools.avrdude.path=/usr -warnings none "
    "-prefs=compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__ "
    "PACKAGE/examples/selftest/selftest.ino")
# What PlatformIO's SCons hands to the script, as far as it asks.
PLATFORMIO = """import sys
sys.path.insert(0, "PACKAGE")
import choose
class Env(dict):
    def __init__(self, cc, flags):
        super().__init__(CCFLAGS=flags)
        self.cc, self.added = cc, {}
    def Flatten(self, lists): return [one for many in lists for one in many]
    def subst(self, text): return self.cc
    def GetProjectOption(self, name, otherwise): return otherwise
    def Append(self, **more): self.added.update(more)
for cc, flags, target in (("cc", ["-O2"], "x86_64-linux"),
                          ("arm-none-eabi-gcc", ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"], "cortex-m4f"),
                          ("riscv64-unknown-elf-gcc", ["-march=rv32imac", "-mabi=ilp32"], "rv32imc")):
    env, project = Env(cc, flags), Env(cc, flags)
    choose.apply(env, project, "PACKAGE")
    assert project.added["LIBPATH"] == ["PACKAGE/targets/" + target] and project.added["LIBS"] == ["kws"], (target, project.added)
    print(target)
"""

# An application, and a triple that the package has no library for.
CARGO = (({
    "app/Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n'
                      '[dependencies]\nkws = { path = "../PACKAGE" }\n[workspace]\n',
    "app/src/main.rs": "fn main() {\n    let mut arena = Box::new(kws::kws::Arena::new());\n"
                       "    let mut model = kws::kws::Model::new(&mut arena);\n"
    "    model.arg_a_0().fill(0.5);\n    model.run().unwrap();\n"
    "    let sum: f32 = model.result0().iter().sum();\n"
    "    assert!((sum - 1.0).abs() < 1e-3);\n}\n"
}, "cd app && cargo run --offline"), (
    {},
    "cd PACKAGE && ! RUSTC_WRAPPER= cargo build --offline --target i686-unknown-linux-gnu 2> said "
    "&& grep 'kws has no library for i686' said"
),
         )

WAYS = [
    Way("cmake", LINUX + BARE, ["cmake"], projects=CMAKE),
    Way("make", LINUX + BARE, ["make"], projects=MAKE),
    Way("pkg-config",
        LINUX + BARE, ["pkg-config"],
        validate="for f in PACKAGE/pkgconfig/*.pc; do pkg-config --validate $f || exit 1; done",
        projects=PKG_CONFIG),
    Way("meson", LINUX + BARE, ["meson"], projects=MESON),
    Way("deb",
        LINUX + BARE, ["dpkg-deb", "lintian", "fakeroot", "dpkg"],
        nightly=True,
        validate=
        "mkdir lint && make -C PACKAGE OUT=$PWD/lint && lintian --allow-root --fail-on error "
        "lint/*.deb"
        ),
    Way("conan",
        LINUX + BARE, ["conan"],
        nightly=True,
        prelude="export CONAN_HOME=$PWD/conan_home; ",
        projects=
        (({},
          "conan profile detect && ! conan create PACKAGE -s:h os=baremetal -s:h arch=armv8 -tf= "
          "2> said && "
          "grep '0 targets fit' said && conan create PACKAGE -tf= -s:h os=baremetal -s:h "
          "arch=riscv32"
          ), )),
    Way("vcpkg",
        LINUX + BARE, ["cmake"],
        nightly=True,
        prelude=". $STAND_INS/vcpkg.sh; VCPKG=$PWD/vcpkg.cmake; ",
        projects=VCPKG),
    Way("zephyr", ["cortex-m4f", "rv32imc", "cortex-m0"], ["cmake"],
        nightly=True,
        follow=zephyr("cortex-m4f", "CPU_CORTEX_M4 FPU FP_HARDABI", "RV32IMC") +
        zephyr("rv32imc", "RISCV RISCV_ISA_EXT_M RISCV_ISA_EXT_C", "M4F") +
        zephyr("cortex-m0", "CPU_CORTEX_M0", "M4F")),
    Way("esp-idf", ["esp32c3", "xtensa-lx6", "xtensa-lx7"], ["compote", "xtensa-lx106-elf-gcc"],
        nightly=True,
        validate=
        "cp -r PACKAGE packed && cd packed && compote component pack --name kws && tar tf "
        "dist/kws_0.1.0.tgz | grep targets/esp32c3/libkws.a",
        prelude="export IDF_PATH=$STAND_INS/idf IDF_COMPONENT=$PWD/PACKAGE; ",
        follow=
        ("IDF_TARGET=esp32c3 cmake -S PACKAGE/examples/selftest -B build-c3 "
         "-DCMAKE_TOOLCHAIN_FILE=$ROOT/toolchains/esp32c3.cmake",
         "cmake --build build-c3 && $ROOT/toolchains/boards/run_board.sh esp32c3 build-c3/app",
         "IDF_TARGET=esp32 cmake -S PACKAGE/examples/selftest -B build-lx6 "
         "-DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=xtensa-lx106-elf-gcc "
         "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_C_FLAGS=-ffreestanding",
         "cmake --build build-lx6",
         "IDF_TARGET=esp32s3 cmake -S PACKAGE/examples/selftest -B build-lx7 "
         "-DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=xtensa-lx106-elf-gcc "
         "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_C_FLAGS=-ffreestanding",
         "cmake --build build-lx7 -v | grep targets/xtensa-lx7/kws.c",
         "! IDF_TARGET=esp32h2 cmake -S PACKAGE/examples/selftest -B build-none 2> said && grep "
         "'kws has no library for esp32h2' said"
         )),
    Way(
        "arduino",
        ["avr-mega2560", "cortex-m0plus", "cortex-m4f", "esp32c3"],
        ["arduino-builder", "simavr"],
        nightly=True,
        model="tiny",
        follow=(
            "mkdir -p libraries build && ln -sfn $PWD/PACKAGE libraries/kws",
            ARDUINO,
            # The sketch has no end, and the simulator none either.
            "simavr -m atmega2560 -f 16000000 build/selftest.ino.elf > said 2>&1 & pid=$!; "
            "until grep -q 'selftest end' said; do kill -0 $pid && sleep 0.1; done; kill $pid; "
            "grep 'failed 0' said"
        )),
    Way("platformio",
        LINUX + BARE, ["pio"],
        nightly=True,
        validate="pio pkg pack PACKAGE -o packed.tar.gz && tar tf packed.tar.gz | grep choose.py",
        follow=("python3 choices.py", ),
        runs=False),
    Way(
        "cargo",
        ["x86_64-linux", "cortex-m4f", "cortex-m7"],
        ["cargo", "rustc"],
        nightly=True,
        # Debian's rustc, whose `core` for other triples is compiled out of rust-src.
        prelude=
        "export PATH=/usr/bin:$PATH CORE_ROOT=$SHARED/core "
        "RUSTC_WRAPPER=$STAND_INS/rustc_core.sh; ",
        projects=CARGO),
    Way("cmsis-pack", ["cortex-m4f", "cortex-m0", "cortex-m55", "cortex-m33"], ["xmllint", "zip"],
        nightly=True,
        validate="xmllint --noout --relaxng $STAND_INS/pdsc.rng PACKAGE/hlocc.kws.pdsc",
        follow=
        ("(cd PACKAGE && zip -qr ../hlocc.kws.0.1.0.pack .) && unzip -l hlocc.kws.0.1.0.pack | "
         "grep targets/cortex-m55/libkws.a",
         ),
        runs=False),
]
