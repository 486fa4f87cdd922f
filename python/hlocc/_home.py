"""Where the program and the library are: in the wheel, or where HLOCC_TOOL and HLOCC_LIBRARY say (a
build of the source)."""
from __future__ import annotations

import os
import pathlib

_DATA = pathlib.Path(__file__).resolve().parent / "_data"


def _place(variable: str, inside: str) -> str:
    path = os.environ.get(variable) or str(_DATA / inside)
    if not os.path.isfile(path):
        from ._errors import HloccError
        raise HloccError(
            "environment",
            f"there is no {path}",
            notes=[
                f"the wheel of hlocc has it; {variable} names another one, in a build of the "
                f"source say"
            ])
    return path


def tool() -> str:
    return _place("HLOCC_TOOL", "bin/hlocc")


def library() -> str:
    return _place("HLOCC_LIBRARY", "lib/libhlocc.so")


def prefix() -> pathlib.Path:
    """The folder that the program is installed in: of a wheel, beside the module. For CMake's
    CMAKE_PREFIX_PATH (find_package(hlocc), plug-ins); toolchain files and boards are in its
    share/hlocc/toolchains.

    Errors: HloccError, of kind "environment", where the program is not installed.
    """
    folder = pathlib.Path(tool()).resolve().parent.parent
    if not (folder / "share/cmake/hlocc/hloccConfig.cmake").is_file():
        from ._errors import HloccError
        raise HloccError("environment", f"{tool()} is not installed",
                         notes=["`cmake --install BUILD --prefix FOLDER` does, and the wheel is"])
    return folder


def main() -> None:
    """The command `hlocc` of a wheel: this process becomes the program."""
    import sys
    os.execv(tool(), [tool(), *sys.argv[1:]])
