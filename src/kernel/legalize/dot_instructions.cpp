// See dot_instructions.h. One row an instruction: what it multiplies, and which chips have it.
#include "kernel/legalize/dot_instructions.h"

namespace hlocc::kernel {
namespace {

bool are_bytes(const DotForm& form) {
  return is_byte(form.left.scalar) && is_byte(form.right.scalar);
}
bool are_same_bytes(const DotForm& form) {
  return form.both(Scalar::kS8) || form.both(Scalar::kU8);
}

bool fits_neon_fours(const DotForm& form, const Target& target) {
  return target.has(Isa::kDotprod) && form.lanes() == 4 && form.group() == 4 &&
         are_same_bytes(form);
}

bool fits_x86_fours(const DotForm& form, const Target& target) {
  const int lanes = form.lanes();
  const bool vnni = target.has(Isa::kAvx512Vnni) && (lanes == 16 || target.has(Isa::kAvx512Vl));
  return form.group() == 4 && form.left.scalar == Scalar::kU8 && form.right.scalar == Scalar::kS8 &&
         (lanes == 16 ? vnni && target.vector_bits >= 512
                      : (lanes == 4 || lanes == 8) && (vnni || target.has(Isa::kAvxVnni)));
}

// Bytes are widened first.
bool fits_x86_pairs(const DotForm& form, const Target& target) {
  if (!target.has(Isa::kSse2) || form.group() % 2 != 0) return false;
  for (const Type side : {form.left, form.right})
    if (side.scalar != Scalar::kS16 && !is_byte(side.scalar)) return false;
  return form.lanes() == 4 || (form.lanes() == 8 && target.vector_bits >= 256);
}

bool fits_mve_vectors(const DotForm& form, const Target& target) {
  const bool bytes = form.group() == 16 && are_same_bytes(form);
  const bool halves = form.group() == 8 && (form.both(Scalar::kS16) || form.both(Scalar::kU16));
  return target.has(Isa::kMve) && form.lanes() == 1 && (bytes || halves);
}

bool fits_hvx_fours(const DotForm& form, const Target& target) {
  return target.has(Isa::kHvx) && form.group() == 4 && are_bytes(form) && form.lanes() >= 4 &&
         form.lanes() <= kHvxBytes / 4;
}

bool fits_dsp_pairs(const DotForm& form, const Target& target) {
  if (form.lanes() != 1 || !target.has(Isa::kDsp)) return false;
  const bool halves = form.both(Scalar::kS16) && form.group() % 2 == 0;
  const bool bytes = are_bytes(form) && form.group() % 4 == 0;
  // MVE does whole vectors of bytes at once.
  return halves || (bytes && !(target.vector_bits > 0 && form.group() >= 16));
}

bool fits_neon_neighbours(const DotForm& form, const Target& target) {
  return target.has_neon() && form.lanes() == 4 && form.group() == 2 && form.both(Scalar::kS16) &&
         form.by_ones;
}

using FitsDot = bool (*)(const DotForm& form, const Target& target);
struct DotRow {
  DotInstruction instruction;
  FitsDot fits;
};
constexpr DotRow kDotRows[] = {
    {DotInstruction::kNeonFours, fits_neon_fours},
    {DotInstruction::kX86Fours, fits_x86_fours},
    {DotInstruction::kX86Pairs, fits_x86_pairs},
    {DotInstruction::kMveVectors, fits_mve_vectors},
    {DotInstruction::kHvxFours, fits_hvx_fours},
    {DotInstruction::kDspPairs, fits_dsp_pairs},
    {DotInstruction::kNeonNeighbours, fits_neon_neighbours},
};
#define HLOCC_DOT_INSTRUCTION(Name)                                                \
  static_assert(kDotRows[static_cast<int>(DotInstruction::k##Name)].instruction == \
                DotInstruction::k##Name);
#include "kernel/legalize/dot_instructions.def"

}  // namespace

DotForm dot_form(const Kernel& kernel, const Op& op) {
  return {kernel.type(op.result()), kernel.type(op.operands[1]), kernel.type(op.operands[2])};
}

DotInstruction dot_instruction(const DotForm& form, const Target& target) {
  for (const DotRow& row : kDotRows)
    if (row.fits(form, target)) return row.instruction;
  return DotInstruction::kNone;
}

}  // namespace hlocc::kernel
