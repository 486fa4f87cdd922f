"""Runs a verb of the program and takes its JSON."""
from __future__ import annotations

import json
import subprocess
from typing import Any

from . import _home
from ._errors import HloccError


def flags_of(options: dict[str, Any]) -> list[str]:
    """Keyword arguments as words of the command line: ram_budget="64K" is --ram-budget 64K,
    level="s" is -Os, True a flag alone, False and None nothing; a list repeats the flag, a dict
    repeats it with KEY=VALUE."""
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if name == "level":
            words.append(f"-O{value}")
        elif value is True:
            words.append(flag)
        elif isinstance(value, dict):
            words += [word for key, text in value.items() for word in (flag, f"{key}={text}")]
        elif isinstance(value, (list, tuple)):
            words += [word for text in value for word in (flag, str(text))]
        elif value is not None and value is not False:
            words += [flag, str(value)]
    return words


def run(*words: Any) -> dict[str, Any]:
    """The JSON that the verb prints, whatever its exit code (a case that failed, a budget that does
    not hold).

    Errors: HloccError, where the verb came to no result.
    """
    command = [_home.tool(), *map(str, words), "--json"]
    ran = subprocess.run(command,
                         capture_output=True,
                         text=True,
                         check=False,
                         stdin=subprocess.DEVNULL)
    if ran.stdout.strip():
        return json.loads(ran.stdout)
    lines = ran.stderr.strip().splitlines()
    for line in reversed(lines):
        if line.startswith('{"schema"'):
            raise HloccError.of_json(line)
    raise HloccError("internal", f"hlocc ended with exit code {ran.returncode}", notes=lines[-3:])
