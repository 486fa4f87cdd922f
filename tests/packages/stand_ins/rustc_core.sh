#!/usr/bin/env bash
# rustc_core.sh RUSTC ARG...: a wrapper for Cargo (RUSTC_WRAPPER): for a triple other than this
# machine's, `core` is compiled out of Debian's rust-src, once into $CORE_ROOT, and an empty
# compiler_builtins beside it: libgcc and libc have what that would.
set -euo pipefail
rustc=$1
shift
triple=
for i in $(seq 1 $#); do
  if [ "${!i}" = --target ]; then j=$((i + 1)) && triple=${!j}; fi
done
if [ -z "$triple" ]; then exec "$rustc" "$@"; fi
lib=$CORE_ROOT/lib/rustlib/$triple/lib
(
  flock 9
  if [ ! -f "$lib/done" ]; then
    mkdir -p "$lib"
    export RUSTC_BOOTSTRAP=1
    "$rustc" --edition 2021 --crate-type rlib --crate-name core --target "$triple" \
      -Copt-level=2 -Cpanic=abort --out-dir "$lib" \
      "$(ls -d /usr/src/rustc-*/library/core/src/lib.rs | head -1)" --cap-lints allow
    printf '#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n' |
      "$rustc" --sysroot "$CORE_ROOT" --edition 2021 --crate-type rlib \
        --crate-name compiler_builtins --target "$triple" --out-dir "$lib" -
    touch "$lib/done"
  fi
) 9> "$CORE_ROOT.lock" >&2
exec "$rustc" --sysroot "$CORE_ROOT" "$@"
