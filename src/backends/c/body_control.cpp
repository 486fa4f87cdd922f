// Loops, branches and whiles of a kernel's body as C's own; values that they carry are variables.
#include "backends/c/body_writer.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::backends {

using kernel::Op;
using kernel::Region;
using kernel::Type;
using kernel::ValueId;

std::string BodyWriter::counter_name() const {
  constexpr std::string_view kNames = "ijkmnp";
  const auto depth = static_cast<size_t>(depth_);
  return depth < kNames.size() ? std::string(1, kNames[depth]) : cat("i", depth_);
}

// With what a variable begins.
std::string BodyWriter::initial_of(ValueId id) {
  Known unused;
  return vectors_.has_type(kernel_.type(id)) ? vector_of(id, unused) : known(id).code.text;
}

// What a variable is where nothing changes it any more.
BodyWriter::Known BodyWriter::outside(const Known& variable) {
  if (!variable.vector.empty()) return {.vector = variable.vector};
  return {.code = variable.code, .array = variable.array};
}

Status BodyWriter::write_loop(const Op& op) {
  const kernel::Loop& loop = op.loop();
  const Region& body = op.regions[0];
  const std::span carried = std::span(body.arguments).subspan(1);
  for (size_t i = 0; i < carried.size(); ++i) {
    const std::string name = declare(carried[i], initial_of(op.operands[i]));
    if (uses_.count(carried[i]) + uses_.count(op.results[i]) == 0) line(cat("(void)", name, ";"));
  }
  close_lanes();
  Known unused;
  const std::string counter = counter_name();
  const std::string step =
      loop.step == 1 ? cat("++", counter) : cat(counter, " += ", index_text(loop.step));
  line(cat("for (ptrdiff_t ", counter, " = ", affine(loop.lower, unused).text, "; ", counter, " < ",
           affine(loop.upper, unused).text, "; ", step, ") {"));
  known(body.arguments[0]).code = {counter};
  ++indent_, ++depth_;
  find_accumulators(body);
  HLOCC_TRY(write_region(body));
  assign(carried, body.yields);
  --indent_, --depth_;
  line("}");
  for (size_t i = 0; i < carried.size(); ++i) known(op.results[i]) = outside(known(carried[i]));
  return {};
}

Status BodyWriter::write_if(const Op& op) {
  const std::string condition = known(op.operands[0]).code.text;
  for (const ValueId id : op.results) declare(id, "");
  line(cat("if (", condition, ") {"));
  for (size_t side = 0; side < op.regions.size(); ++side) {
    const Region& region = op.regions[side];
    if (side == 1 && region.ops.empty() && region.yields.empty()) break;
    if (side == 1) line("} else {");
    ++indent_;
    HLOCC_TRY(write_region(region));
    assign(op.results, region.yields);
    --indent_;
  }
  line("}");
  for (const ValueId id : op.results) {
    known(id).variables.clear();
    if (uses_.count(id) == 0) line(cat("(void)", variable_of(known(id)), ";"));
  }
  return {};
}

Status BodyWriter::write_while(const Op& op) {
  const Region &condition = op.regions[0], &body = op.regions[1];
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const ValueId id = body.arguments[i];
    declare(id, initial_of(op.operands[i]));
    known(condition.arguments[i]) = known(id);
    known(op.results[i]) = outside(known(id));
    if (uses_.count(id) + uses_.count(condition.arguments[i]) + uses_.count(op.results[i]) == 0)
      line(cat("(void)", variable_of(known(id)), ";"));
  }
  close_lanes();
  line("for (;;) {");
  ++indent_;
  HLOCC_TRY(write_region(condition));
  line(cat("if (!", known(condition.yields[0]).code.at(Binds::kUnary), ") {"));
  line("  break;");
  line("}");
  HLOCC_TRY(write_region(body));
  assign(body.arguments, body.yields);
  --indent_;
  line("}");
  return {};
}

std::string BodyWriter::declare(ValueId id, const std::string& initial) {
  const Type type = kernel_.type(id);
  if (vectors_.has_type(type)) {
    const std::string name = fresh_name();
    const std::string begin = cat(vector_functions_.type(type), " ", name);
    line(initial.empty() ? begin + ";" : cat(begin, " = ", initial, ";"));
    known(id) = {.vector = name, .variables = {id}};
    return name;
  }
  if (type.is_vector()) {
    const std::string array = new_array(type);
    if (!initial.empty()) lane_line(type.lanes, cat(array, "[l] = ", initial, ";"));
    known(id) = {.code = {array + "[l]"}, .array = array, .variables = {id}};
    return array;
  }
  const std::string name = fresh_name();
  const std::string begin = cat(value_type(type.scalar), " ", name);
  line(initial.empty() ? begin + ";" : cat(begin, " = ", initial, ";"));
  known(id) = {.code = {name}, .variables = {id}};
  return name;
}

// All at once: what is assigned first must not change what is read later.
void BodyWriter::assign(std::span<const ValueId> to, std::span<const ValueId> from) {
  close_lanes();
  std::vector<std::string> texts;
  for (size_t i = 0; i < from.size(); ++i) {
    const Type type = kernel_.type(from[i]);
    Known whole;
    if (vectors_.has_type(type)) whole.vector = vector_of(from[i], whole);
    const Known& value = vectors_.has_type(type) ? whole : known(from[i]);
    const bool overtaken = std::any_of(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(i),
                                       [&](ValueId id) { return value.variables.contains(id); });
    if (vectors_.has_type(type)) {
      texts.push_back(value.vector);
      if (!overtaken) continue;
      texts.back() = fresh_name();
      line(
          cat("const ", vector_functions_.type(type), " ", texts.back(), " = ", value.vector, ";"));
    } else if (!overtaken) {
      texts.push_back(value.code.text);
    } else if (type.is_vector()) {
      texts.push_back(new_array(type) + "[l]");
      lane_line(type.lanes, cat(texts.back(), " = ", value.code.text, ";"));
    } else {
      texts.push_back(keep(type, value.code.text));
    }
  }
  close_lanes();
  for (size_t i = 0; i < to.size(); ++i) {
    const bool is_whole = vectors_.has_type(kernel_.type(to[i]));
    const std::string& variable = is_whole ? known(to[i]).vector : known(to[i]).code.text;
    if (texts[i] == variable) continue;
    const std::string text = cat(variable, " = ", texts[i], ";");
    const int lanes = is_whole ? 1 : kernel_.type(to[i]).lanes;
    lanes > 1 ? lane_line(lanes, text) : line(text);
  }
  close_lanes();
}

}  // namespace hlocc::backends
