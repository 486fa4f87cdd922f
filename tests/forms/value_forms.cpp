// Ops that make one value of others: arithmetic and conversions of each kind of number, also where
// they have no form; lanes; constants; idioms on both sides of their conditions.
#include "forms/forms.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

constexpr Scalar kScalars[] = {kF32, kF64, kF16, kU8, kS32, kIndex, kPred};

using Make = std::function<ValueId(Builder&, ValueId, ValueId)>;

// y = make(x, z) of so many lanes.
KernelForm of_two(std::string name, std::vector<const char*> chips, Type type, Make make) {
  return {std::move(name), std::move(chips), [type, make = std::move(make)](Builder& b) {
            const BufferId x = x_of(b, type.scalar);
            const ValueId left = b.load(x, Affine::constant(0), type.lanes),
                          right = b.load(x, Affine::constant(64), type.lanes);
            const ValueId made = make(b, left, right);
            b.store(y_of(b, b.type(made).scalar), Affine::constant(0), made);
          }};
}

Type lanes_type(Scalar scalar, int lanes) { return {scalar, static_cast<uint16_t>(lanes)}; }

void add_arithmetic(std::vector<KernelForm>& out) {
  using enum OpKind;
  for (const Scalar scalar : kScalars)
    for (const int lanes : {1, 4}) {
      const std::vector<const char*> chips = {lanes == 1 ? kA53 : kM55};
      const auto name = [&](OpKind kind) {
        return cat(op_name(kind), " of ", to_string(lanes_type(scalar, lanes)));
      };
      for (const OpKind kind : {kAbs, kNeg, kNot, kSqrt})
        out.push_back(
            of_two(name(kind), chips, lanes_type(scalar, lanes),
                   [kind](Builder& b, ValueId x, ValueId) { return b.op(kind, b.type(x), {x}); }));
      for (const OpKind kind :
           {kAdd, kMul, kDiv, kMin, kMax, kAnd, kNativeDiv, kNativeShr, kNativeMin, kNativeMax})
        out.push_back(of_two(name(kind), chips, lanes_type(scalar, lanes),
                             [kind](Builder& b, ValueId x, ValueId y) {
                               return b.op(kind, b.type(x), {x, y});
                             }));
      for (const OpKind kind : {kMulAdd, kNativeFma})
        out.push_back(of_two(name(kind), chips, lanes_type(scalar, lanes),
                             [kind](Builder& b, ValueId x, ValueId y) {
                               return b.op(kind, b.type(x), {x, y, x});
                             }));
      for (const Predicate how : {Predicate::kLt, Predicate::kNe})
        out.push_back(
            of_two(name(kCompare), chips, lanes_type(scalar, lanes),
                   [how](Builder& b, ValueId x, ValueId y) { return b.compare(how, x, y); }));
    }
  for (const int number : {0, 5})
    for (const Predicate how : {Predicate::kLt, Predicate::kLe, Predicate::kGt, Predicate::kGe})
      for (const bool first : {false, true})
        out.push_back(of_two(
            cat("f32x4 beside ", number, first ? ", number first " : " ", static_cast<int>(how)),
            {kM55}, lanes_type(kF32, 4), [=](Builder& b, ValueId x, ValueId) {
              const ValueId n = b.constant_float(b.type(x), number);
              return first ? b.compare(how, n, x) : b.compare(how, x, n);
            }));
  for (const int ops : {100, 101})
    for (const bool selects : {true, false})
      out.push_back(
          {cat(ops, " ops", selects ? ", one selects" : ""), {kM55, kA53}, [=](Builder& b) {
             const BufferId x = x_of(b, kS32), y = y_of(b, kS32);
             const ValueId first = b.load(x, Affine::constant(0), 4);
             ValueId sum = first;
             if (selects)
               sum = b.select(b.compare(Predicate::kLt, first, b.load(x, Affine::constant(4), 4)),
                              first, sum);
             if (selects) sum = b.select(b.compare(Predicate::kGt, sum, first), sum, first);
             while (b.kernel().body.ops.size() + 1 < static_cast<size_t>(ops))
               sum = b.add(sum, first);
             b.store(y, Affine::constant(0), sum);
           }});
  out.push_back(of_two("two without a form", {kA53}, lanes_type(kF16, 1),
                       [](Builder& b, ValueId x, ValueId y) {
                         return b.op(kSqrt, b.type(x), {b.op(kMul, b.type(x), {x, y})});
                       }));
  for (const char* chip : {kM55, kA53})
    out.push_back(
        of_two("round_even of f32x4", {chip}, lanes_type(kF32, 4),
               [](Builder& b, ValueId x, ValueId) { return b.op(kRoundEven, b.type(x), {x}); }));
  for (const Scalar scalar : {kF32, kF64})
    for (const int lanes : {1, 2, 4, 8, 16})
      out.push_back(of_two(cat("scale of ", to_string(lanes_type(scalar, lanes))), {kX86},
                           lanes_type(scalar, lanes), [](Builder& b, ValueId x, ValueId y) {
                             return b.op(kNativeScale, b.type(x), {x, y});
                           }));
}

void add_conversions(std::vector<KernelForm>& out) {
  for (const OpKind kind : {OpKind::kConvert, OpKind::kNativeConvert, OpKind::kBitcast})
    for (const Scalar from : kScalars)
      for (const Scalar to : kScalars)
        for (const int lanes : {1, 4}) {
          if (kind == OpKind::kBitcast && scalar_bytes(from) != scalar_bytes(to)) continue;
          const std::vector<const char*> chips = lanes == 4 ? std::vector{kM55}
                                                 : from == kF16 || to == kF16
                                                     ? std::vector{kA53, kM4}
                                                     : std::vector{kA53};
          out.push_back(of_two(cat(op_name(kind), " of ", to_string(lanes_type(from, lanes)),
                                   " to ", scalar_name(to)),
                               chips, lanes_type(from, lanes), [=](Builder& b, ValueId x, ValueId) {
                                 return b.op(kind, b.type(x).with(to), {x});
                               }));
        }
  for (const auto& [from, to] :
       {std::pair{kF32, kBF16}, {kBF16, kF32}, {kF16, kBF16}, {kBF16, kF16}})
    out.push_back(of_two(cat("convert of ", scalar_name(from), " to ", scalar_name(to)), {kA53},
                         lanes_type(from, 1), [to](Builder& b, ValueId x, ValueId) {
                           return b.op(OpKind::kConvert, b.type(x).with(to), {x});
                         }));
  for (const auto& [from, to] : {std::pair{kS32, kF32}, {kU32, kF32}, {kF32, kS32}, {kF32, kU32}})
    out.push_back(of_two(cat("a single ", scalar_name(from), " to ", scalar_name(to)), {kM55},
                         lanes_type(from, 1), [to](Builder& b, ValueId x, ValueId) {
                           return b.op(OpKind::kConvert, b.type(x).with(to), {x});
                         }));
  for (const Scalar to : {kS16, kU16, kF16, kBF16, kS32})
    for (const int lanes : {2, 4, 8})
      out.push_back(of_two(cat(lanes, " bytes to ", scalar_name(to)), {kM4}, lanes_type(kS8, lanes),
                           [to](Builder& b, ValueId x, ValueId) {
                             return b.op(OpKind::kConvert, b.type(x).with(to), {x});
                           }));
  for (const Scalar to : {kS8, kU8, kS16, kU16})
    out.push_back(
        of_two(cat("clamped words to ", scalar_name(to)), {kM55}, lanes_type(kS32, 4),
               [to](Builder& b, ValueId x, ValueId) {
                 const Type type = b.type(x);
                 const ValueId low = b.op(OpKind::kMax, type, {x, b.constant_int(type, -128)});
                 return b.op(OpKind::kNativeConvert, type.with(to),
                             {b.op(OpKind::kMin, type, {low, b.constant_int(type, 127)})});
               }));
  for (const Scalar to : {kS32, kU32, kIndex})
    for (const char* chip : {kM55, kA53})
      out.push_back(of_two(cat("the nearest of f32x4 to ", scalar_name(to)), {chip},
                           lanes_type(kF32, 4), [to](Builder& b, ValueId x, ValueId) {
                             const ValueId rounded = b.op(OpKind::kRoundEven, b.type(x), {x});
                             return b.op(OpKind::kConvert, b.type(x).with(to), {rounded});
                           }));
  out.push_back(of_two("floor of f32x4 to s32", {kM55}, lanes_type(kF32, 4),
                       [](Builder& b, ValueId x, ValueId) {
                         const ValueId rounded = b.op(OpKind::kFloor, b.type(x), {x});
                         return b.op(OpKind::kConvert, b.type(x).with(kS32), {rounded});
                       }));
}

void add_lanes(std::vector<KernelForm>& out) {
  using enum OpKind;
  for (const auto& [kind, scalar] : {std::pair{kReduceAdd, kF32},
                                     {kReduceAdd, kS32},
                                     {kReduceMul, kF32},
                                     {kReduceMul, kU32},
                                     {kReduceMin, kF32},
                                     {kReduceMin, kU32},
                                     {kReduceMin, kIndex},
                                     {kReduceMax, kS32},
                                     {kReduceMax, kU32},
                                     {kReduceMax, kIndex},
                                     {kReduceAnd, kPred},
                                     {kReduceOr, kPred}})
    out.push_back(of_two(cat(op_name(kind), " of ", scalar_name(scalar)), {kA53},
                         lanes_type(scalar, 4),
                         [kind](Builder& b, ValueId x, ValueId) { return b.reduce(kind, x); }));
  for (const int lanes : {3, 4, 5, 8})
    for (const Scalar scalar : {kS32, kU32, kF32, kS16})
      for (const OpKind kind : {kReduceAdd, kReduceOr})
        if (scalar != kF32 || kind == kReduceAdd)
          out.push_back(
              of_two(cat(op_name(kind), " of ", to_string(lanes_type(scalar, lanes))),
                     {"x86_64-linux+avxvnni", "x86_64-linux+avx512vnni"}, lanes_type(scalar, lanes),
                     [kind](Builder& b, ValueId x, ValueId) { return b.reduce(kind, x); }));
  out.push_back(of_two("sums of 8 without fours", {kX86}, lanes_type(kS32, 8),
                       [](Builder& b, ValueId x, ValueId) { return b.reduce(kReduceAdd, x); }));
  const std::vector<int> shuffles[] = {{0, 4, 1, 5, 2, 6, 3, 7}, {3, 2, 1, 0}, {5}};
  for (const auto& lanes : shuffles)
    out.push_back(
        of_two(cat("shuffle to ", lanes.size()), {kA53}, lanes_type(kF32, 4),
               [lanes](Builder& b, ValueId x, ValueId y) { return b.shuffle(x, y, lanes); }));
  out.push_back(of_two("shuffle of two numbers", {kA53}, lanes_type(kF32, 1),
                       [](Builder& b, ValueId x, ValueId y) {
                         return b.shuffle(x, y, {1, 0});
                       }));
  for (const auto& lanes : {std::vector<int>{5}, {0, 16, 1, 17, 2, 18, 3, 19}})
    out.push_back(
        of_two(cat("shuffle of bytes to ", lanes.size()), {kHvx}, lanes_type(kS8, 16),
               [lanes](Builder& b, ValueId x, ValueId y) { return b.shuffle(x, y, lanes); }));
  // Turns of one lane or two, of as many bytes as a register takes or not.
  for (const auto& [scalar, count, group] : {std::tuple{kS8, 8, 1},
                                             {kS8, 16, 1},
                                             {kS8, 64, 1},
                                             {kS8, 128, 1},
                                             {kS16, 8, 1},
                                             {kS16, 32, 1},
                                             {kS16, 64, 1},
                                             {kS8, 16, 2},
                                             {kS8, 64, 2},
                                             {kS16, 16, 2},
                                             {kS32, 16, 1},
                                             {kF32, 16, 1},
                                             {kPred, 16, 1},
                                             {kS8, 17, 2}})
    for (const int fault : {0, 1}) {
      std::vector<int> lanes;
      for (int n = 0; n < 2 * count; ++n) {
        const int turn = n / group, from = turn / 2 * group + n % group;
        lanes.push_back(std::min(2 * count - 1, turn % 2 == 0 ? from : count + from));
      }
      if (fault != 0) lanes.back() = 0;
      out.push_back(
          of_two(cat("turns of ", group, " of ", to_string(lanes_type(scalar, count)),
                     fault != 0 ? ", but the last" : ""),
                 {kHvx}, lanes_type(scalar, count),
                 [lanes](Builder& b, ValueId x, ValueId y) { return b.shuffle(x, y, lanes); }));
    }
  out.push_back({"constants", {kA53}, [](Builder& b) {
                   const auto put = [&](ValueId value) {
                     b.store(y_of(b, b.type(value).scalar), Affine::constant(0), value);
                   };
                   put(b.constant_int({kS64, 1}, -1));
                   put(b.constant_int({kS64, 2}, INT64_MIN));
                   put(b.constant_int({kS8, 1}, -128));
                   put(b.constant_int({kU32, 4}, 7));
                   put(b.constant_lanes({kU8, 4}, {1, 2, 3, 255}));
                   put(b.constant_float({kF32, 4}, 0.5));
                   put(b.constant_float({kF64, 1}, -0.5));
                   put(b.constant_int({kPred, 1}, 1));
                   put(b.lane_index({kS32, 4}));
                   put(b.lane_index({kS32, 1}));
                 }});
}

// min(max(x, low), high), or the clamps the other way round.
void add_clamps(std::vector<KernelForm>& out) {
  for (const auto& [low, high] : {std::pair{0, 2047}, {0, 2048}, {0, 1}, {0, 0}, {1, 100}, {0, -5}})
    for (const bool max_first : {true, false})
      for (const bool swapped : {false, true})
        out.push_back(
            of_two(cat("s32 from ", low, " to ", high, max_first ? "" : ", last the lower",
                       swapped ? ", numbers first" : ""),
                   {kRv32}, lanes_type(kS32, 1), [=](Builder& b, ValueId x, ValueId) {
                     const Type type = b.type(x);
                     const auto by = [&](OpKind kind, ValueId value, int number) {
                       const ValueId n = b.constant_int(type, number);
                       return swapped ? b.op(kind, type, {n, value}) : b.op(kind, type, {value, n});
                     };
                     return max_first ? by(OpKind::kMin, by(OpKind::kMax, x, low), high)
                                      : by(OpKind::kMax, by(OpKind::kMin, x, high), low);
                   }));
  const auto clamp = [](Builder& b, ValueId x, ValueId y) {
    const Type type = b.type(x);
    return b.op(
        OpKind::kNativeMin, type,
        {b.op(OpKind::kNativeMax, type, {x, b.constant_int(type, 0)}), b.constant_int(type, 255)});
    (void)y;
  };
  for (const char* chip : {kRv32, "rv32imc+zbb", "rv64gc", kM4})
    out.push_back(of_two("s32 to a byte", {chip}, lanes_type(kS32, 1), clamp));
  for (const Type type : {lanes_type(kU32, 1), lanes_type(kS32, 4), lanes_type(kS16, 1)})
    out.push_back(of_two(cat(to_string(type), " to a byte"), {kRv32}, type, clamp));
  out.push_back(
      of_two("no clamp", {kRv32}, lanes_type(kS32, 1), [](Builder& b, ValueId x, ValueId y) {
        const Type type = b.type(x);
        return b.op(OpKind::kMin, type,
                    {b.op(OpKind::kMax, type, {x, y}), b.constant_int(type, 255)});
      }));
}

// Two lanes are of no chip, and eight of x86 alone.
void add_high_products(std::vector<KernelForm>& out) {
  for (const int lanes : {2, 4, 8})
    out.push_back(of_two(cat("mulhi of ", lanes, " lanes"),
                         {kM55, kA53, "armv7-linux", kX86, "x86_64-linux+sse4.1"},
                         lanes_type(kS32, lanes), [](Builder& b, ValueId x, ValueId y) {
                           return b.op(OpKind::kMulHi, b.type(x), {x, y});
                         }));
}

}  // namespace

std::vector<KernelForm> value_forms() {
  std::vector<KernelForm> out;
  add_arithmetic(out);
  add_conversions(out);
  add_lanes(out);
  add_clamps(out);
  add_high_products(out);
  return out;
}

}  // namespace hlocc::backends
