"""The runtime stub's headers as mutants meet them: their tests of this machine
(tests/runtime_stub), compiled as C with the sanitizers, a program for each kind of threads, and one
with a Vulkan driver that is none. Boards and their compilers have no part in it."""
import subprocess

NAME = "runtime_stub"
KINDS = (1, 2, 3, 4)
PROGRAMS = ["stub_test", "stub_vulkan", *(f"stub_threads_{kind}" for kind in KINDS)]
FLAGS = ["-O1", "-g", "-w", "-pthread", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def commands(source, build):
    """The commands that make the programs, in their order."""
    tests, boards, headers = source / "tests/runtime_stub", source / "toolchains/boards", [
        "-I", source / "runtime_stub"
    ]
    switch, clock = build / "stub_switch.o", build / "stub_clock.o"
    link = [switch, "-lstdc++", *FLAGS, "-o"]
    yield ["g++", *FLAGS, "-c", source / "tests/mutation/switch.cpp", "-o", switch]
    # It sees none of the others' flags.
    yield ["gcc", "-O2", *headers, "-w", "-c", tests / "default_clock.c", "-o", clock]
    yield [
        "gcc", "-std=gnu99", *headers, "-I", boards, tests / "stub_test.c", tests / "stub_edges.c",
        clock, boards / "board_text.c", boards / "board_measure.c", boards / "board_linux.c", *link,
        build / "stub_test"
    ]
    yield [
        "gcc", "-std=c99", "-D_DEFAULT_SOURCE", *headers, *sorted((tests / "vulkan").glob("*.c")),
        *link, build / "stub_vulkan"
    ]
    for kind in KINDS:
        yield [
            "gcc", "-std=c99", *headers, f"-DHLOCC_THREADS={kind}", "-isystem", tests / "shims",
            "-D_POSIX_C_SOURCE=200809L", tests / "threads_test.c", *link,
            build / f"stub_threads_{kind}"
        ]


def make(source, build, log):
    """Whether all were made; what compilers say goes to the log."""
    build.mkdir(parents=True, exist_ok=True)
    ran = [
        subprocess.run([str(word)
                        for word in command], stdout=log, stderr=subprocess.STDOUT)
        for command in commands(source, build)
    ]
    return all(done.returncode == 0 for done in ran)


def probes(build):
    """Program, name and command of each: they exit with 0. The address sanitizer maps more than
    memory limits allow."""
    yield "stub_test", "on this machine", [
        "sh", "-c", f"'{build}/stub_test' 0 | grep -q 'end stub passed .* failed 0'"
    ]
    yield "stub_vulkan", "a Vulkan driver that is none", [build / "stub_vulkan"]
    for kind in KINDS:
        program = f"stub_threads_{kind}"
        yield program, f"threads of kind {kind}", [build / program]
