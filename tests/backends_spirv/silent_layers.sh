#!/usr/bin/env bash
# silent_layers.sh GPU_BITS ARGUMENT...: runs gpu_bits with these arguments under Khronos'
# validation layers, synchronisation among them, which must have nothing to say; and once without
# any wait, which they must find: else they were not there, and the answer is 77. The layers see a
# memory as one thing, so that each command waits here for all before it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/vk_layer_settings.txt" <<END
khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
khronos_validation.report_flags = error,warn
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
END
export VK_LAYER_SETTINGS_PATH="$folder/vk_layer_settings.txt" MESA_SHADER_CACHE_DISABLE=1
export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
gpu_bits=$1
shift

"$gpu_bits" --waits all "$@" >"$folder/all" 2>&1 || { cat "$folder/all"; exit 1; }
if grep -E "VUID|SYNC-HAZARD|UNASSIGNED" "$folder/all"; then
  echo "the validation layers have something to say"
  exit 1
fi
"$gpu_bits" --waits none "$@" >"$folder/none" 2>&1 || true
found=$(grep -c SYNC-HAZARD "$folder/none" || true)
if [ "$found" = 0 ]; then
  echo "there are no validation layers (Debian's vulkan-validationlayers)"
  exit 77
fi
tail -n 1 "$folder/all"
echo "the layers are silent; without waits they find $found hazards"
