"""How a package of each format is tried: a row a format with its targets, the commands that the ecosystem's own tool judges it
by, and the projects that use it besides. Commands are lines for bash in a folder that holds the package as PACKAGE; the package's
own test is what its README says under "Its test"."""
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
    nightly: bool = False         # more than the suite has time or tools for


CMAKE_APP = """cmake_minimum_required(VERSION 3.20)
project(app LANGUAGES {language})
{how}
add_executable(app main.{suffix})
target_link_libraries(app PRIVATE kws::kws)
"""


def cmake_project(name, how, before="", flags="", language="C"):
    suffix = "c" if language == "C" else "cpp"
    files = {f"{name}/CMakeLists.txt": CMAKE_APP.format(how=how, language=language, suffix=suffix), f"{name}/main.{suffix}": APP}
    return files, f"{before}cmake -S {name} -B {name}/b {flags} && cmake --build {name}/b && {name}/b/app"


CMAKE = (
    cmake_project("added", "add_subdirectory(${CMAKE_SOURCE_DIR}/../PACKAGE package)"),
    cmake_project("found", "find_package(kws CONFIG REQUIRED)", flags="-DCMAKE_PREFIX_PATH=$PWD/PACKAGE", language="CXX"),
    cmake_project("installed", "find_package(kws 0.1 CONFIG REQUIRED)",
                  before="cmake -S PACKAGE -B i && cmake --install i --prefix $PWD/prefix && mv prefix moved && ",
                  flags="-DCMAKE_PREFIX_PATH=$PWD/moved"),
    cmake_project("forced", "add_subdirectory(${CMAKE_SOURCE_DIR}/../PACKAGE package)", flags="-DKWS_TARGET=x86_64-linux"),
)
MAKEFILE = """CC := {cc}
CFLAGS := {cflags}
include ../PACKAGE/kws.mk
app: main.c
	$(CC) $(CFLAGS) $(KWS_CFLAGS) {link} main.c $(KWS_SOURCES) $(KWS_LIBS) -lgcc -o app
	@echo chose $(KWS_TARGET)
"""


def make_project(name, cc, cflags, link, chosen):
    return {f"{name}/Makefile": MAKEFILE.format(cc=cc, cflags=cflags, link=link), f"{name}/main.c": APP}, \
        f"make -C {name} | grep 'chose {chosen}'"


MAKE = (
    make_project("native", "cc", "-O1", "", "x86_64-linux"),
    # A Cortex-M7 with hard floats runs what a Cortex-M4F runs; without them nothing in the package does.
    make_project("m7", "arm-none-eabi-gcc", "-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16 -ffreestanding", "-nostdlib -Wl,-emain -r",
                 "cortex-m4f"),
    ({"none/Makefile": MAKEFILE.format(cc="arm-none-eabi-gcc", cflags="-mcpu=cortex-m4 -mfloat-abi=soft", link=""), "none/main.c": APP},
     "! make -C none 2> said && grep 'kws has no library for arm-none-eabi-gcc' said"),
)
MESON = (
    ({"app/meson.build": "project('app', 'c')\nkws = dependency('kws', fallback: ['kws', 'kws_dep'])\n"
                         "test('app', executable('app', 'main.c', dependencies: kws))\n", "app/main.c": APP},
     "mkdir app/subprojects && cp -r PACKAGE app/subprojects/kws && meson setup app/b app && meson test -C app/b"),
    ({}, "meson setup forced PACKAGE -Dtarget=x86_64-linux && meson test -C forced"),
)
PKG_CONFIG = (
    ({"main.c": APP}, "export PKG_CONFIG_PATH=PACKAGE/pkgconfig && cc main.c $(pkg-config --cflags --libs kws-x86_64-linux) -o app && ./app"),
)

WAYS = [
    Way("cmake", LINUX + BARE, ["cmake"], projects=CMAKE),
    Way("make", LINUX + BARE, ["make"], projects=MAKE),
    Way("pkg-config", LINUX + BARE, ["pkg-config"],
        validate="for f in PACKAGE/pkgconfig/*.pc; do pkg-config --validate $f || exit 1; done", projects=PKG_CONFIG),
    Way("meson", LINUX + BARE, ["meson"], projects=MESON),
]
