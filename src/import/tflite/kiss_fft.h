// Fourier transforms in fixed point, as kernels of tflite-micro compute them: the butterflies of
// kiss_fft, each rounded and scaled by its radix.
#pragma once
#include <optional>
#include <vector>

#include "import/build/builder.h"

namespace hlocc::import::tflite {

// Arrays of one type and sizes.
struct ComplexArrays {
  InstructionId re = hlo::kNone, im = hlo::kNone;
};

// The factors of a transform's length as stages, or none where a prime is above 5.
std::optional<std::vector<int64_t>> fft_radices(int64_t length);

// Of rows [outer, length] of s16 or s32, of a length that is even and whose half has radices: gives
// [outer, length / 2 + 1].
ComplexArrays fixed_rfft(Builder& b, InstructionId rows, int64_t length);
// The inverse of spectra [outer, length / 2 + 1]: rows.
InstructionId fixed_irfft(Builder& b, ComplexArrays spectra, int64_t length);

}  // namespace hlocc::import::tflite
