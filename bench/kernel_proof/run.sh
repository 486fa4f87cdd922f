#!/usr/bin/env bash
# run.sh EMIT_PROOF: builds the proof kernels through our back end and the prototypes through clang
# -O3, then compares: GFLOP/s in one run on this machine (with AVX2), instructions of the A53 row
# under QEMU. Exit code 1 when ours is wrong or more than 5 % behind.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
emit=$(realpath "${1:?usage: run.sh EMIT_PROOF}")
clang=${CLANG:-clang-19}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0

for shape in "48 64 64" "96 96 96" "240 256 256"; do
  read -r m n k <<< "$shape"
  sizes="-DM=$m -DN=$n -DK=$k"
  for kernel in gemm_4x2 gemm_6x2; do "$emit" host obj $kernel "$m" "$n" "$k" > $kernel.o; done
  # shellcheck disable=SC2086
  $clang -O3 -march=native -ffp-contract=fast $sizes -c "$here/prototype_gemm.c" -o prototype.o
  # shellcheck disable=SC2086
  cc -O1 $sizes "$here/time_gemm.c" prototype.o gemm_4x2.o gemm_6x2.o -o time_gemm -lm
  ./time_gemm || status=1
done

"$emit" cortex-a53 obj pointwise > pointwise.o
$clang --target=aarch64-linux-gnu -mcpu=cortex-a53 -O3 -ffp-contract=fast -ffreestanding \
  -fomit-frame-pointer -fno-math-errno -fno-vectorize -fno-slp-vectorize \
  -c "$here/prototype_pointwise.c" -o prototype_pointwise.o
boards=$here/../../toolchains/boards
aarch64-linux-gnu-gcc -O1 -static -I"$boards" "$here/count_pointwise.c" \
  "$boards/board_measure.c" pointwise.o \
  prototype_pointwise.o -o count_pointwise -lm
"$here/../count/count.sh" cortex-a53 ./count_pointwise > counts || status=1
cat counts
awk '/^insns/ { n[++i] = $2 } END {
  printf "pointwise row: ours %d, prototype %d instructions, ratio %.3f\n", n[1], n[2], n[2] / n[1]
  exit !(n[2] / n[1] >= 0.95) }' counts || status=1
exit $status
