#!/usr/bin/env bash
# nightly.sh [CORPUS]: tests/run.sh, and then what takes too long for it: a build with every file on its own, so that each
# includes what it uses; clang-tidy; a build without LLVM and its tests; the packages; every model of tests/data on every
# preset, twenty steps of those with state, every op
# case on those presets that stand for their kind, the C of every model by each preset's compiler, docs/adding_a_target.md and part 1 of
# docs/adding_a_backend.md followed in a copy of the tree, the examples on every board, and 400 mutants of the compiler and of the stub. A CORPUS (a
# folder with models/index.json and, if it has one, ops/index.json) is run as well. Closes with one line a sweep; fails if any
# sweep did.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
hlocc=$root/build/hlocc

"$root/tests/install_packages.sh" --for nightly
"$root/tests/run.sh"

bare_metal="cortex-m0 cortex-m0plus cortex-m3 cortex-m4 cortex-m4f cortex-m7 cortex-m7sp cortex-m33
  cortex-m33-nofp cortex-m55 cortex-m85 rv32imc rv32imac rv32imafc rv64gc"
linux="cortex-a53 armv7-linux cortex-a7-linux riscv64-linux riscv64v-linux s390x-linux
  cortex-a76-linux x86_64-linux i686-linux ppc64le-linux loongarch64-linux mips-linux mipsel-linux wasm32"
all_ops="cortex-m0 cortex-m4f cortex-m55 rv32imc cortex-a53 armv7-linux riscv64v-linux s390x-linux
  cortex-a76-linux i686-linux ppc64le-linux loongarch64-linux mips-linux wasm32"
# Served by their own compilers alone.
by_compiler="xtensa-lx106"

summary=()
failed=0
log=$(mktemp)
own_gaps=$(mktemp)
trap 'rm -f "$log" "$own_gaps"' EXIT
# sweep COMMAND...: runs it and keeps its last line for the summary.
sweep() {
  echo "== $*"
  "$@" 2>&1 | tee "$log" || failed=1
  summary+=("${*/#$hlocc/hlocc}: $(tail -n 1 "$log")")
}

# verify INDEX TARGET...: the index's cases in the interpreter, the JIT, ahead of time here and there.
verify() {
  local index=$1 target backend
  shift
  [ -f "$index" ] || return 0
  local gaps=()
  case $index in
    "$root"/*) ;;
    */ops/*) gaps=(--known-gaps "$root/tests/conformance/known_gaps/corpus.txt") ;;
  esac
  # The interpreter has one more, of its own.
  local own=()
  if [ ${#gaps[@]} -gt 0 ]; then
    cat "$root"/tests/conformance/known_gaps/corpus{,_interpreter}.txt >"$own_gaps"
    own=(--known-gaps "$own_gaps")
  fi
  sweep "$hlocc" verify --index "$index" --backend interpreter ${own[@]+"${own[@]}"}
  for backend in cpu c remote-sim; do
    sweep "$hlocc" verify --index "$index" --backend $backend ${gaps[@]+"${gaps[@]}"}
  done
  for plugin in minimal full; do
    sweep "$hlocc" verify --index "$index" --plugin "$root/build/plugin_$plugin/plugin_$plugin.so" ${gaps[@]+"${gaps[@]}"}
  done
  for target in cortex-m4f rv32imc s390x-linux cortex-a53; do
    sweep "$hlocc" verify --index "$index" --backend c --target $target
  done
  case $index in
    "$root"/*/ops/* | "$root"/*/regressions/*)
      sweep "$hlocc" verify --index "$index" --target avr-mega2560 --known-gaps "$root/tests/conformance/known_gaps/avr-mega2560.txt" ;;
  esac
  sweep "$hlocc" verify --index "$index" --target host ${gaps[@]+"${gaps[@]}"}
  for backend in cpu c; do
    sweep "$hlocc" verify --index "$index" --backend $backend --threads 3 ${gaps[@]+"${gaps[@]}"}
  done
  for target in "$@"; do sweep "$hlocc" verify --index "$index" --target "$target"; done
}

sweep cmake -S "$root" -B "$root/build/files" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHLOCC_UNITY=OFF
sweep cmake --build "$root/build/files"
# The list is .clang-tidy; the files compiled together take a quarter of the time.
sweep run-clang-tidy -quiet -p "$root/build" "$root/build/src/.*Unity.*cxx"
# Without LLVM: interpreter, passes, lowering, planning, evaluator and the C backend.
sweep cmake -S "$root" -B "$root/build/no-llvm" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHLOCC_UNITY=ON -DHLOCC_LLVM=OFF
sweep cmake --build "$root/build/no-llvm"
sweep ctest --test-dir "$root/build/no-llvm" --output-on-failure -j2
# Streams, events and copies: 10,000 random schedules on every platform, and some under the thread sanitizer.
sweep env -C "$root/tests/devices" HLOCC_SCHEDULES=10000 "$root/build/test_devices" "every platform passes the suite of streams"
sweep env HLOCC_SCHEDULES=10000 "$root/tests/devices/tsan/run.sh" "$root/build/tsan"
# Plug-ins, as vendors build them.
sweep cmake --install "$root/build" --prefix "$root/build/prefix"
for plugin in minimal full; do
  sweep cmake -S "$root/examples/plugin_$plugin" -B "$root/build/plugin_$plugin" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$root/build/prefix"
  sweep cmake --build "$root/build/plugin_$plugin"
  sweep "$hlocc" verify --streams 10000 --plugin "$root/build/plugin_$plugin/plugin_$plugin.so"
done
sweep "$root/tests/install/package_test.sh" "$root/build/package"

for name in "$root/tests/data/models/nightly.json" ${1:+"$1/models/index.json"}; do
  verify "$name" $bare_metal $linux
done
# Every preset's own compiler takes the C of the models.
for target in $bare_metal $linux $by_compiler; do
  sweep "$hlocc" verify --index "$root/tests/data/models/nightly.json" --backend c --target $target
done
for target in $by_compiler; do
  for cases in ops regressions; do
    sweep "$hlocc" verify --index "$root/tests/data/$cases/index.json" --target $target
  done
done
for name in "$root"/tests/data/{ops,regressions}/index.json ${1:+"$1/ops/index.json"}; do
  verify "$name" $all_ops
done
sweep python3 "$root/tests/guide/guide_test.py" "$root" "$root/build"
sweep python3 "$root/tests/state/steps_test.py" "$hlocc" "$root" host $bare_metal $linux
# Other modules every night.
sweep python3 "$root/tests/fuzz/boards.py" "$root/build/hlo_fuzz" "$hlocc" --seed "$(date +%Y%m%d)000" \
  --count 2000 $all_ops host
sweep python3 "$root/tests/fuzz/boards.py" "$root/build/hlo_fuzz" "$hlocc" --seed "$(date +%Y%m%d)000" \
  --count 300 --backend c host cortex-m4f s390x-linux wasm32
sweep "$root/build/hlo_fuzz" random --backend c --seed "$(date +%Y%m%d)000" --count 300
# One-line faults: who sees them. The seed stays, so that a night differs from the last by what changed.
sweep python3 "$root/tests/mutate.py" --own --sample 400 --seed 36 --work "$root/build/mutants"
for board in $bare_metal; do
  for example in keyword_spotting keyword_dma external_weights streaming_gru kalman_filter; do
    sweep "$root/tests/examples/run_example.sh" $example "$board" "$hlocc" "$root/build/nightly/$board"
  done
done

printf '%s\n' "" "${summary[@]}"
exit $failed
