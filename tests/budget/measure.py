"""How every attack ends: measure.py HLOCC [-v VERB]... [-a ATTACK]... [--seconds N] prints a line
for each verb and attack with the exit code, wall and processor seconds, the largest resident memory
in MB of hlocc or one of its children, and the first line of what was said; the last line says how
many took more than what is promised, 30 processor seconds and 1 GB, or ended in a crash. An exit
code of -9 or -24 is what was stopped after N processor seconds of one process (default: 60)."""
import argparse
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

import attacks

PROMISED_SECONDS, PROMISED_MEGABYTES = 30, 1024
VERBS = {
    "compile": ["--target", "cortex-m4f", "-o"], "inspect": [],
    "analyze": ["--target", "cortex-m4f"], "host": ["-o"]
}


def run(command, seconds, memory=None):
    """exit code, wall seconds, processor seconds, megabytes, stderr"""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        if memory:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        os.setsid()
    begin = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command,
                                   stdout=subprocess.DEVNULL,
                                   stderr=errors,
                                   preexec_fn=limit)
        status, used = None, None
        while status is None:
            pid, state, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                status, used = state, usage
            elif time.monotonic() - begin > 10 * seconds:
                os.killpg(process.pid, signal.SIGKILL)
                _, status, used = os.wait4(process.pid, 0)
            else:
                time.sleep(0.01)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    return process.returncode, time.monotonic(
    ) - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, text


def command_of(hlocc, verb, model, folder):
    name = "compile" if verb == "host" else verb
    more = VERBS[verb]
    return [hlocc, name, model, *more, *([folder] if more[-1:] == ["-o"] else [])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hlocc")
    parser.add_argument("-v", dest="verbs", action="append", choices=list(VERBS))
    parser.add_argument("-a", dest="attacks", action="append")
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    runs = beyond = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in given.attacks or attacks.ATTACKS:
            model = attacks.ATTACKS[name]()
            path = pathlib.Path(folder) / "model"
            path.write_bytes(model if isinstance(model, bytes) else model.encode())
            for verb in given.verbs or ["compile"]:
                code, wall, cpu, megabytes, text = run(command_of(given.hlocc, verb, path, folder),
                                                       given.seconds)
                lines = [line for line in text.splitlines() if "error[" in line
                         ] or text.splitlines() or [""]
                print(f"{verb:8} {name:28} {code:4} {wall:6.1f} {cpu:6.1f} {megabytes:6.0f} MB  "
                      f"{lines[0].replace(str(path), 'model')[:140]}", flush=True)
                runs += 1
                beyond += code not in (
                    0, 1) or cpu > PROMISED_SECONDS or megabytes > PROMISED_MEGABYTES
    print(
        f"{runs} runs, {beyond} beyond {PROMISED_SECONDS} s or {PROMISED_MEGABYTES} MB, or crashed")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
