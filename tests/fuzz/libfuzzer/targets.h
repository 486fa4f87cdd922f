// What the targets of libFuzzer have in common. A target is a function over bytes; it ends the
// process where the house's rules are broken: by a crash, by HLOCC_CHECK, or by `must`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "support/result.h"

namespace hlocc::fuzz {

using Input = std::span<const std::byte>;

// --- targets (targets.def) ---
void run_text(Input input);
void run_proto(Input input);
void run_snapshot(Input input);
void run_stablehlo(Input input);
void run_tflite(Input input);
void run_onnx(Input input);
void run_zip(Input input);
void run_npy(Input input);
void run_config(Input input);
void run_profile(Input input);
void run_elf(Input input);
void run_facts(Input input);
void run_device(Input input);
void run_module(Input input);

// --- mutators: `size` bytes of `data`, which has room for `room`, become others; how many ---
size_t mutate_bytes(uint8_t* data, size_t size, size_t room, unsigned seed);
size_t mutate_words(uint8_t* data, size_t size, size_t room, unsigned seed);
size_t mutate_module(uint8_t* data, size_t size, size_t room, unsigned seed);
// One of both.
size_t mutate_proto(uint8_t* data, size_t size, size_t room, unsigned seed);

// --- what targets say ---
// Ends the process with this message unless it holds.
void must(bool holds, std::string_view message);
// A diagnostic is located, says something and is no bug of ours.
void must_be_sound(const Diagnostic& diagnostic);

}  // namespace hlocc::fuzz
