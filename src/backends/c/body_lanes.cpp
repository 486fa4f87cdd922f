// The part of BodyWriter that works on vectors: loops over lanes, and what goes from lane to lane.
#include <algorithm>

#include "backends/c/body_writer.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Op;
using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

bool is_name_or_number(const Code& code) {
  return code.binds == Binds::kPrimary && code.text.find_first_of("[(") == std::string::npos;
}

// What folds two lanes into one.
OpKind folding(OpKind kind) {
  switch (kind) {
    case OpKind::kReduceAdd: return OpKind::kAdd;
    case OpKind::kReduceMul: return OpKind::kMul;
    case OpKind::kReduceMin: return OpKind::kNativeMin;
    case OpKind::kReduceMax: return OpKind::kNativeMax;
    case OpKind::kReduceAnd: return OpKind::kAnd;
    default: return OpKind::kOr;
  }
}

}  // namespace

std::string BodyWriter::new_array(Type type) {
  const std::string name = fresh_name();
  line(cat(value_type(type.scalar), " ", name, "[", type.lanes, "];"));
  return name;
}

void BodyWriter::lane_line(int lanes, const std::string& text) {
  if (open_lanes_ != lanes) close_lanes();
  open_lanes_ = lanes;
  lanes_out_ += std::string(2 * indent_ + 2, ' ') + text + "\n";
}

void BodyWriter::close_lanes() {
  if (open_lanes_ == 0) return;
  line(site_.prelude.lanes());
  line(cat("for (ptrdiff_t l = 0; l < ", open_lanes_, "; ++l) {"));
  out_ += lanes_out_;
  line("}");
  lanes_out_.clear();
  open_lanes_ = 0;
}

const std::string& BodyWriter::array_of(ValueId id) {
  Known& value = known(id);
  if (value.array.empty()) {
    const Type type = kernel_.type(id);
    const std::string array = new_array(type);
    lane_line(type.lanes, cat(array, "[l] = ", value.code.text, ";"));
    close_lanes();
    value.code = {array + "[l]"};
    value.array = array;
  }
  return value.array;
}

std::string BodyWriter::lane(ValueId id, int lane) {
  if (!kernel_.type(id).is_vector()) return known(id).code.text;
  return cat(array_of(id), "[", lane, "]");
}

Status BodyWriter::write_free(const Op& op) {
  const Type type = kernel_.type(op.result());
  if (op.kind == OpKind::kSplat) {
    const Known& from = known(op.operands[0]);
    known(op.result()) = is_name_or_number(from.code)
                             ? from
                             : Known{.code = {keep(kernel_.type(op.operands[0]), from.code.text)}};
    known(op.result()).same = true;
    return {};
  }
  if (op.kind == OpKind::kLaneIndex) {
    known(op.result()).code = {cat("(", value_type(type.scalar), ")l"), Binds::kUnary};
    return {};
  }
  Known made;
  made.code = expression({op, type, {}, {}, site_.target, site_.prelude});
  made.same = true;
  known(op.result()) = made;
  return {};
}

Status BodyWriter::fold(const Op& op, const Code& a, const Code& b, Code& out) {
  const Type type = kernel_.type(op.result());
  Op one;
  one.kind = folding(op.kind);
  const Code operands[] = {a, b};
  const Type types[] = {type, type};
  out = expression({one, type, types, operands, site_.target, site_.prelude});
  if (!out.text.empty()) return {};
  return error(DiagnosticKind::kInternal, cat("no C for ", kernel::op_name(op.kind), " of ",
                                              to_string(type), " in kernel ", kernel_.name));
}

// The upper half of the lanes is folded into the lower until one is left.
Status BodyWriter::write_reduce(const Op& op) {
  const Type from = kernel_.type(op.operands[0]);
  const std::string array = new_array(from);
  lane_line(from.lanes, cat(array, "[l] = ", known(op.operands[0]).code.text, ";"));
  for (int lanes = from.lanes; lanes > 1;) {
    const int half = (lanes + 1) / 2;
    close_lanes();
    Code both;
    HLOCC_TRY(fold(op, {array + "[l]"}, {cat(array, "[l + ", half, "]")}, both));
    lane_line(lanes - half, cat(array, "[l] = ", both.text, ";"));
    lanes = half;
  }
  close_lanes();
  Known made;
  made.code = {array + "[0]"};
  known(op.result()) = made;
  return {};
}

void BodyWriter::write_dot(const Op& op) {
  const Type type = kernel_.type(op.result());
  const int group = kernel_.type(op.operands[1]).lanes / type.lanes;
  const std::string a = array_of(op.operands[1]), b = array_of(op.operands[2]);
  const std::string step = fresh_name();
  const std::string at =
      type.is_vector() ? cat("[", group, " * l + ", step, "]") : cat("[", step, "]");
  const std::string add = site_.prelude.function(OpKind::kAdd, Scalar::kS32);
  const std::string multiply = site_.prelude.function(OpKind::kMul, Scalar::kS32);
  const auto write = [&](const std::string& sum, const auto& put) {
    put(cat("for (ptrdiff_t ", step, " = 0; ", step, " < ", group, "; ++", step, ") {"));
    put(cat("  ", sum, " = ", add, "(", sum, ", ", multiply, "((int32_t)", a, at, ", (int32_t)", b,
            at, "));"));
    put("}");
  };
  if (!type.is_vector()) {
    const std::string sum = fresh_name();
    line(cat("int32_t ", sum, " = ", known(op.operands[0]).code.text, ";"));
    write(sum, [&](const std::string& text) { line(text); });
    known(op.result()) = {.code = {sum}};
    return;
  }
  const std::string sum = array_of(op.operands[0]), array = new_array(type);
  lane_line(type.lanes, cat("int32_t sum = ", sum, "[l];"));
  write("sum", [&](const std::string& text) { lane_line(type.lanes, text); });
  lane_line(type.lanes, array + "[l] = sum;");
  close_lanes();
  known(op.result()) = {.code = {array + "[l]"}, .array = array};
}

void BodyWriter::define_array(const Op& op, const std::vector<std::string>& lanes) {
  const Type type = kernel_.type(op.result());
  const std::string array = fresh_name();
  line(cat("const ", value_type(type.scalar), " ", array, "[", type.lanes, "] = {",
           join(lanes, ", "), "};"));
  known(op.result()) = {.code = {array + "[l]"}, .array = array};
}

Status BodyWriter::write_across(const Op& op) {
  close_lanes();
  const Type type = kernel_.type(op.result());
  if (uses_.count(op.result()) == 0) return {};
  switch (op.kind) {
    case OpKind::kExtract: {
      Known made;
      made.code = {lane(op.operands[0], std::get<kernel::Lane>(op.payload).index)};
      made.variables = known(op.operands[0]).variables;
      known(op.result()) = made;
      return {};
    }
    case OpKind::kInsert: {
      const std::string array = new_array(type), text = known(op.operands[1]).code.text;
      lane_line(type.lanes, cat(array, "[l] = ", known(op.operands[0]).code.text, ";"));
      close_lanes();
      line(cat(array, "[", std::get<kernel::Lane>(op.payload).index, "] = ", text, ";"));
      known(op.result()) = {.code = {array + "[l]"}, .array = array};
      return {};
    }
    case OpKind::kShuffle: {
      const int lanes = kernel_.type(op.operands[0]).lanes;
      std::vector<std::string> picked;
      for (const int from : std::get<kernel::Shuffle>(op.payload).lanes)
        picked.push_back(from < 0 ? lane(op.operands[0], 0)
                                  : lane(op.operands[from < lanes ? 0 : 1], from % lanes));
      if (!type.is_vector()) {
        known(op.result()).code = {picked[0]};
        return {};
      }
      define_array(op, picked);
      return {};
    }
    case OpKind::kConstant: {  // lanes that differ
      std::vector<std::string> texts;
      for (const uint64_t bits : std::get<kernel::Constant>(op.payload).lanes) {
        Op one;
        one.kind = OpKind::kConstant;
        one.payload = kernel::Constant{{bits}};
        texts.push_back(
            expression({one, type.scalar_type(), {}, {}, site_.target, site_.prelude}).text);
      }
      define_array(op, texts);
      return {};
    }
    case OpKind::kSpreadBytes: {
      std::vector<std::string> picked;
      for (const int byte : {0, 2, 1, 3})
        picked.push_back(lane(op.operands[0], 4 * std::get<kernel::Lane>(op.payload).index + byte));
      define_array(op, picked);
      return {};
    }
    case OpKind::kDotAccumulate: write_dot(op); return {};
    default: return write_reduce(op);
  }
}

// The op of the region that uses the value; null if none does.
const Op* BodyWriter::user_in(const kernel::Region& region, ValueId id) const {
  const auto found = std::find_if(region.ops.begin(), region.ops.end(), [&](const Op& op) {
    return std::find(op.operands.begin(), op.operands.end(), id) != op.operands.end();
  });
  return found == region.ops.end() ? nullptr : &*found;
}

void BodyWriter::find_widened(const kernel::Region& region) {
  for (const Op& op : region.ops) {
    for (const kernel::Region& inner : op.regions) find_widened(inner);
    if (op.kind != OpKind::kLoad || kernel_.type(op.result()).lanes != 4) continue;
    const Scalar from = kernel_.type(op.result()).scalar;
    const kernel::Access& access = op.access();
    const bool is_plain = access.mask == kernel::kNone && access.lane_indices == kernel::kNone &&
                          access.lane_stride == 1 && kernel::is_byte(from) &&
                          kernel_.buffers[static_cast<size_t>(access.buffer)].element == from &&
                          buffers_[static_cast<size_t>(access.buffer)].held != Held::kParts &&
                          !single_values_;
    const Op* user =
        is_plain && uses_.count(op.result()) == 1 ? user_in(region, op.result()) : nullptr;
    const Scalar wide = kernel::is_signed(from) ? Scalar::kS32 : Scalar::kU32;
    if (user != nullptr && user->kind == OpKind::kNativeConvert &&
        kernel_.type(user->result()).scalar == wide)
      widened_.insert(op.result());
  }
}

// Where a carried vector goes through lane-wise ops of one loop, each the only use of the one
// before, and comes out as what is carried on, each lane is written where it was read.
void BodyWriter::find_accumulators(const kernel::Region& body) {
  for (size_t i = 0; i < body.yields.size(); ++i) {
    const ValueId carried = body.arguments[i + 1], next = body.yields[i];
    if (!kernel_.type(carried).is_vector() || vectors_.has_type(kernel_.type(carried))) continue;
    int run = -1;
    for (ValueId at = carried; at != next;) {
      const Op* user = uses_.count(at) == 1 ? user_in(body, at) : nullptr;
      const bool goes_on = user != nullptr && user->results.size() == 1 &&
                           is_lane_wise(kernel_, *user) &&
                           (run == -1 || run == runs_.run_of(*user)) &&
                           kernel_.type(user->result()) == kernel_.type(carried);
      if (!goes_on) break;
      run = runs_.run_of(*user);
      at = user->result();
      if (at == next && uses_.count(next) == 1) accumulates_[next] = carried;
    }
  }
}

}  // namespace hlocc::backends
