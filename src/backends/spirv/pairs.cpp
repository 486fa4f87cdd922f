// Integers of 64 bits on devices that have none: vectors of two words, the low one first. The
// table of arithmetic.h again, for those; moves, and, or, xor and not are the same instructions on
// vectors. Division and conversion to floats have become loops and shifts before
// (kernel/legalize/wide_numbers.cpp).
#include "backends/spirv/arithmetic.h"

namespace hlocc::backends {
namespace {

using enum kernel::OpKind;
using kernel::Predicate;
using kernel::Scalar;

struct Words {
  SpirvId low = 0, high = 0;
};

// Shorthands for words; numbers of shifts are below 32.
class WordMath {
 public:
  explicit WordMath(const OpSite& site) : site_(site), out_(site.out), word_(out_.integer(32)) {}

  // Braces, as ModuleWriter::make has them.
  struct Two {
    SpirvId a, b;
  };
  SpirvId make(Spv op, Two of) { return out_.make(op, {word_, of.a, of.b}); }
  SpirvId test(Spv op, Two of) { return out_.make(op, {out_.boolean(), of.a, of.b}); }
  SpirvId choose(SpirvId pred, Two of) {
    return out_.make(Spv::kSelect, {word_, pred, of.a, of.b});
  }
  SpirvId number(int64_t n) { return out_.number(n); }
  SpirvId bit(SpirvId pred) { return choose(pred, {number(1), number(0)}); }
  SpirvId sign(SpirvId high) { return make(Spv::kShiftRightArithmetic, {high, number(31)}); }
  Words zero() { return {number(0), number(0)}; }
  Words choose(SpirvId pred, Words a, Words b) {
    return {choose(pred, {a.low, b.low}), choose(pred, {a.high, b.high})};
  }

  Words operand(size_t i) {
    const SpirvId value = site_.operands[i];
    return {out_.make(Spv::kCompositeExtract, {word_, value, 0}),
            out_.make(Spv::kCompositeExtract, {word_, value, 1})};
  }
  SpirvId joined(Words words) {
    return out_.make(Spv::kCompositeConstruct, {out_.vector(word_, 2), words.low, words.high});
  }

  Words sum(Words a, Words b) {
    const SpirvId low = make(Spv::kIAdd, {a.low, b.low});
    const SpirvId carry = bit(test(Spv::kULessThan, {low, a.low}));
    return {low, make(Spv::kIAdd, {make(Spv::kIAdd, {a.high, b.high}), carry})};
  }
  Words difference(Words a, Words b) {
    const SpirvId borrow = bit(test(Spv::kULessThan, {a.low, b.low}));
    const SpirvId high = make(Spv::kISub, {a.high, b.high});
    return {make(Spv::kISub, {a.low, b.low}), make(Spv::kISub, {high, borrow})};
  }
  Words product(Words a, Words b) {
    const SpirvId both = out_.make(Spv::kUMulExtended, {out_.pair(word_), a.low, b.low});
    const SpirvId low = out_.make(Spv::kCompositeExtract, {word_, both, 0});
    SpirvId high = out_.make(Spv::kCompositeExtract, {word_, both, 1});
    high = make(Spv::kIAdd, {high, make(Spv::kIMul, {a.low, b.high})});
    return {low, make(Spv::kIAdd, {high, make(Spv::kIMul, {a.high, b.low})})};
  }
  SpirvId less(Words a, Words b, bool is_signed) {
    const SpirvId high = test(is_signed ? Spv::kSLessThan : Spv::kULessThan, {a.high, b.high});
    const SpirvId low =
        out_.make(Spv::kLogicalAnd, {out_.boolean(), test(Spv::kIEqual, {a.high, b.high}),
                                     test(Spv::kULessThan, {a.low, b.low})});
    return out_.make(Spv::kLogicalOr, {out_.boolean(), high, low});
  }
  SpirvId equal(Words a, Words b) {
    return out_.make(Spv::kLogicalAnd, {out_.boolean(), test(Spv::kIEqual, {a.low, b.low}),
                                        test(Spv::kIEqual, {a.high, b.high})});
  }
  SpirvId inverted(SpirvId pred) { return out_.make(Spv::kLogicalNot, {out_.boolean(), pred}); }

  SpirvId compared(Predicate predicate, bool is_signed) {
    const Words a = operand(0), b = operand(1);
    switch (predicate) {
      case Predicate::kEq: return equal(a, b);
      case Predicate::kNe: return inverted(equal(a, b));
      case Predicate::kLt: return less(a, b, is_signed);
      case Predicate::kLe: return inverted(less(b, a, is_signed));
      case Predicate::kGt: return less(b, a, is_signed);
      case Predicate::kGe: return inverted(less(a, b, is_signed));
    }
    return 0;
  }

  // By less than 64: a word is taken from the other one where that is 32 or more. The bits that
  // cross over are shifted by one first, so that no shift is by 32.
  Words shifted_left() {
    const Words x = operand(0);
    const auto [by, far, back] = amount();
    const SpirvId low = make(Spv::kShiftLeftLogical, {x.low, by});
    const SpirvId crossing =
        make(Spv::kShiftRightLogical, {make(Spv::kShiftRightLogical, {x.low, number(1)}), back});
    const SpirvId high =
        make(Spv::kBitwiseOr, {make(Spv::kShiftLeftLogical, {x.high, by}), crossing});
    return choose(far, {number(0), low}, {low, high});
  }
  Words shifted_right(bool is_signed) {
    const Words x = operand(0);
    const auto [by, far, back] = amount();
    const SpirvId high =
        make(is_signed ? Spv::kShiftRightArithmetic : Spv::kShiftRightLogical, {x.high, by});
    const SpirvId crossing =
        make(Spv::kShiftLeftLogical, {make(Spv::kShiftLeftLogical, {x.high, number(1)}), back});
    const SpirvId low =
        make(Spv::kBitwiseOr, {make(Spv::kShiftRightLogical, {x.low, by}), crossing});
    return choose(far, {high, is_signed ? sign(x.high) : number(0)}, {low, high});
  }

 private:
  // Of a shift: below 32, whether there are 32 more, and 31 less the first.
  struct Amount {
    SpirvId by, far, back;
  };
  Amount amount() {
    const SpirvId all = operand(1).low, by = make(Spv::kBitwiseAnd, {all, number(31)});
    return {by, test(Spv::kUGreaterThanEqual, {all, number(32)}),
            make(Spv::kISub, {number(31), by})};
  }

  const OpSite& site_;
  ModuleWriter& out_;
  SpirvId word_;
};

bool is_signed_of(Scalar s) { return kernel::is_signed(s) || s == Scalar::kIndex; }

SpirvId absolute_of(const OpSite& site, WordMath& math) {
  if (!is_signed_of(site.scalar)) return site.operands[0];
  const Words x = math.operand(0), zero = math.zero();
  const Words negative = math.difference(zero, x);
  return math.joined(math.choose(math.less(x, zero, true), negative, x));
}

SpirvId better_of(const OpSite& site, WordMath& math, Predicate predicate) {
  const Words a = math.operand(0), b = math.operand(1);
  return math.joined(math.choose(math.compared(predicate, is_signed_of(site.from)), a, b));
}

SpirvId chosen_of(const OpSite& site, WordMath& math) {
  const Words a = math.operand(1), b = math.operand(2);
  return math.joined(math.choose(site.operands[0], a, b));
}

// Of integers: to a pair from a word, from a pair to a word, or between pairs; the words of a pair
// that an integer of 32 bits or fewer becomes are its own and its sign.
SpirvId converted_of(const OpSite& site, WordMath& math) {
  const bool from_pair = is_pair(site.out, site.from), to_pair = is_pair(site.out, site.scalar);
  if (from_pair && to_pair) return site.operands[0];
  if (from_pair) return narrowed(site.out, site.scalar, math.operand(0).low);
  const SpirvId x = site.operands[0];
  return math.joined({x, is_signed_of(site.from) ? math.sign(x) : math.number(0)});
}

using TwoWords = Words (WordMath::*)(Words, Words);
SpirvId of_two(WordMath& math, TwoWords op) {
  const Words a = math.operand(0), b = math.operand(1);
  return math.joined((math.*op)(a, b));
}

}  // namespace

SpirvId write_of_pairs(const OpSite& site) {
  WordMath math(site);
  const bool is_signed = is_signed_of(site.from);
  switch (site.op.kind) {
    case kAdd: return of_two(math, &WordMath::sum);
    case kSub: return of_two(math, &WordMath::difference);
    case kMul: return of_two(math, &WordMath::product);
    case kNeg: {
      const Words x = math.operand(0);
      return math.joined(math.difference(math.zero(), x));
    }
    case kAbs: return absolute_of(site, math);
    case kCompare: return math.compared(std::get<Predicate>(site.op.payload), is_signed);
    case kNativeMax: return better_of(site, math, Predicate::kGt);
    case kNativeMin: return better_of(site, math, Predicate::kLt);
    case kNativeShl: return math.joined(math.shifted_left());
    case kNativeShr: return math.joined(math.shifted_right(is_signed));
    case kNativeConvert: return converted_of(site, math);
    case kSelect: return chosen_of(site, math);
    default: return 0;  // the same instruction does it on vectors
  }
}

}  // namespace hlocc::backends
