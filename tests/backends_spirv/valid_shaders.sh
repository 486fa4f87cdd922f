#!/usr/bin/env bash
# valid_shaders.sh GPU_BITS ARGUMENT...: runs gpu_bits with these arguments, and then Khronos'
# validator over every shader that it made. Ends with the exit code of the first that fails.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" --shaders "$folder" "${@:2}"
count=0
for shader in "$folder"/*.spv; do
  spirv-val --target-env vulkan1.1 "$shader" ||
    { echo "$(basename "$shader") is not valid"; exit 1; }
  count=$((count + 1))
done
echo "all $count shaders are valid"
