// Look-ups in the tables of ops, spaces and directions, and the arithmetic of affine addresses.
#include "kernel/kernel.h"

#include <algorithm>

namespace hlocc::kernel {
namespace {

struct OpRow {
  std::string_view name;
  int operands;
  OpGroup group;
};
constexpr OpRow op_rows[] = {
#define HLOCC_KERNEL_OP(enumerator, text, operands, group) {text, operands, OpGroup::group},
#include "kernel/ops.def"
};
const OpRow& row(OpKind kind) { return op_rows[static_cast<int>(kind)]; }

constexpr std::string_view space_names[] = {"argument", "result", "arena", "constant",
                                            "state",    "stack",  "shared"};
constexpr std::string_view mapping_names[] = {"", "grid", "group"};
constexpr std::string_view direction_names[] = {"in", "out", "inout", "scratch"};

}  // namespace

std::string_view op_name(OpKind kind) { return row(kind).name; }
int op_operands(OpKind kind) { return row(kind).operands; }
OpGroup op_group(OpKind kind) { return row(kind).group; }
std::string_view space_name(Space space) { return space_names[static_cast<int>(space)]; }
std::string_view mapping_name(Mapping mapping) { return mapping_names[static_cast<int>(mapping)]; }
std::string_view direction_name(Direction direction) {
  return direction_names[static_cast<int>(direction)];
}

Affine Affine::of(ValueId value, int64_t scale, int64_t offset) {
  if (scale == 0) return constant(offset);
  return {{{value, scale}}, offset};
}

Affine Affine::plus(int64_t more) const { return {terms, offset + more}; }

Affine Affine::plus(const Affine& other) const {
  Affine sum{terms, offset + other.offset};
  for (const Term& term : other.terms) {
    const auto like = std::ranges::find(sum.terms, term.value, &Term::value);
    if (like == sum.terms.end())
      sum.terms.push_back(term);
    else
      like->scale += term.scale;
  }
  std::erase_if(sum.terms, [](const Term& term) { return term.scale == 0; });
  std::ranges::sort(sum.terms, {}, &Term::value);
  return sum;
}

Affine Affine::times(int64_t factor) const {
  if (factor == 0) return {};
  Affine product{terms, offset * factor};
  for (Term& term : product.terms) term.scale *= factor;
  return product;
}

int Kernel::operand_buffers() const {
  return static_cast<int>(std::ranges::count_if(
      buffers, [](const Buffer& b) { return b.direction != Direction::kScratch; }));
}

int Kernel::bound_buffers() const {
  return static_cast<int>(std::ranges::count_if(buffers, [](const Buffer& b) {
    return b.direction != Direction::kScratch || b.space == Space::kArena;
  }));
}

}  // namespace hlocc::kernel
