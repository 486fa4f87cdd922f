#!/usr/bin/env bash
# nightly.sh [CORPUS] [--list] [--only NAME]... [--shard I/N] [--fresh]: tests/run.sh, and then what
# takes too long for it: other builds, sanitizers, packages, every model and op case on every
# preset, drawn modules, mutants. The jobs are the rows of tests/nightly/jobs.py; a night that was
# ended goes on where it was (tests/nightly/run.py).
exec python3 "$(dirname "$0")/nightly/run.py" "$@"
