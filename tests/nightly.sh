#!/usr/bin/env bash
# nightly.sh [CORPUS]: tests/run.sh, and then what takes too long for it: every model and every op case
# of a corpus (a folder with models/index.json and, if it has one, ops/index.json; tests/data without
# an argument) in the interpreter, in the host's JIT, ahead of time for the host and on the boards.
# Closes with one line a sweep; fails if any sweep did.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
corpus=${1:-$root/tests/data}

"$root/tests/run.sh"

# All presets run the models; those that stand for their kind also run every op case.
everywhere="cortex-m0 cortex-m3 cortex-m4 cortex-m4f cortex-m7 cortex-m33 cortex-m55
  rv32imc rv32imac rv32imafc rv64gc cortex-a53 armv7-linux riscv64-linux riscv64v-linux s390x-linux"
all_ops="cortex-m4f rv32imc cortex-a53 armv7-linux s390x-linux"

summary=()
failed=0
# sweep FOLDER ARGUMENT...: one run of `hlocc verify` over the folder's index.
sweep() {
  local index=$corpus/$1/index.json last
  shift
  [ -f "$index" ] || return 0
  echo "== verify --index $index $*"
  local log
  log=$(mktemp)
  "$root/build/hlocc" verify --index "$index" "$@" 2>&1 | tee "$log" || failed=1
  last=$(tail -n 1 "$log")
  rm -f "$log"
  summary+=("$(basename "$(dirname "$index")") $*: $last")
}

for folder in models ops; do
  sweep "$folder" --backend interpreter
  sweep "$folder" --backend cpu
  sweep "$folder" --target host
done
for target in $everywhere; do sweep models --target "$target"; done
for target in $all_ops; do sweep ops --target "$target"; done

printf '%s\n' "" "${summary[@]}"
exit $failed
