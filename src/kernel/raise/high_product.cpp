// High products: what stands in 64 bits in front of a result of 32, where the upper words of
// products are all that it is made of; scaling by a fixed-point number, as quantised networks
// write it.
#include "kernel/legalize/table.h"
#include "kernel/raise/idioms.h"

namespace hlocc::kernel {
namespace {

constexpr int64_t kWord = int64_t{1} << 32, kMostRounding = int64_t{1} << 61;

struct Product {
  ValueId left = kNone, right = kNone;  // in 64 bits
  RoundedShift by;
  std::vector<ValueId> inside;  // what is made on the way
};

// (left * right + rounding) >> shift, all of it read here alone.
std::optional<Product> product_of(const RaiseSite& site, ValueId value) {
  Product out;
  const Op* const shift = site.made(value, OpKind::kShrArithmetic);
  if (shift == nullptr) return std::nullopt;
  const auto by = site.number(shift->operands[1]);
  if (!by || *by < 1 || *by > 63) return std::nullopt;
  out.by.shift = static_cast<int>(*by);
  out.inside = {value};
  ValueId summed = shift->operands[0];
  if (const Op* const sum = site.made(summed, OpKind::kAdd); sum != nullptr) {
    const auto rounding = site.number(sum->operands[1]);
    if (!rounding || *rounding < 0 || *rounding > kMostRounding) return std::nullopt;
    out.by.rounding = *rounding;
    out.inside.push_back(summed);
    summed = sum->operands[0];
  }
  const Op* const product = site.made(summed, OpKind::kMul);
  if (product == nullptr) return std::nullopt;
  out.inside.push_back(summed);
  for (const ValueId one : out.inside)
    if (!site.definitions.is_read_once(one)) return std::nullopt;
  out.left = product->operands[0];
  out.right = product->operands[1];
  return out;
}

bool fits_word(uint64_t bits) {
  const auto number = static_cast<int64_t>(bits);
  return number >= INT32_MIN && number <= INT32_MAX;
}

// The numbers of 32 bits that `wide` was made of, or that it is; else kNone.
ValueId narrow(RaiseSite& site, ValueId wide, Type type) {
  const Op* const from = site.made(wide, OpKind::kConvert);
  if (from != nullptr) return site.types[from->operands[0]] == type ? from->operands[0] : kNone;
  const Op* const constant = site.made(wide, OpKind::kConstant);
  if (constant == nullptr) return kNone;
  const std::vector<uint64_t>& lanes = std::get<Constant>(constant->payload).lanes;
  for (const uint64_t bits : lanes)
    if (!fits_word(bits)) return kNone;
  return site.constant(type, lanes);
}

// mulhi, and in 32 bits what is left of rounding and shift.
void finish_high(RaiseSite& site, std::vector<ValueId> operands, Type type, RoundedShift by) {
  const auto number = [&](int64_t n) { return site.constant(type, {static_cast<uint64_t>(n)}); };
  Op last{.kind = OpKind::kMulHi, .operands = std::move(operands)};
  if (by.rounding != 0) {
    const ValueId high = site.append(std::move(last), type);
    last = {.kind = OpKind::kAdd, .operands = {high, number(by.rounding / kWord)}};
  }
  if (by.shift > 32) {
    const ValueId high = site.append(std::move(last), type);
    last = {.kind = OpKind::kShrArithmetic, .operands = {high, number(by.shift - 32)}};
  }
  site.finish(std::move(last));
}

}  // namespace

bool raise_high_product(RaiseSite& site) {
  const Type type = site.types[site.op.result()], wide = type.with(Scalar::kS64);
  if (type.scalar != Scalar::kS32 || site.types[site.op.operands[0]] != wide) return false;
  const auto keeps = [&](OpKind kind) { return decide(kind, type, type, site.target).keep; };
  const bool high = keeps(OpKind::kMulHi);
  if (!high && !keeps(OpKind::kMulShiftRight)) return false;
  const auto product = product_of(site, site.op.operands[0]);
  if (!product) return false;
  const RoundedShift by = product->by;
  const bool upper = by.shift >= 32 && by.rounding % kWord == 0 && by.rounding < kMostRounding;
  if (high && !upper) return false;
  const size_t before = site.ops.size();
  const ValueId left = narrow(site, product->left, type),
                right = narrow(site, product->right, type);
  if (left == kNone || right == kNone) {
    site.ops.resize(before);  // without a constant for the other side
    return false;
  }
  site.bypassed.insert(site.bypassed.end(), product->inside.begin(), product->inside.end());
  if (high)
    finish_high(site, {left, right}, type, by);
  else
    site.finish({.kind = OpKind::kMulShiftRight, .operands = {left, right}, .payload = by});
  return true;
}

}  // namespace hlocc::kernel
