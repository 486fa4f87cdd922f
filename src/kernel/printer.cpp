// The text of a kernel: one line an op, values numbered in the order of their definition, so that
// two kernels that do the same read the same whatever ids their builders used.
#include <algorithm>
#include <set>

#include "kernel/kernel.h"
#include "support/check.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

constexpr std::string_view predicate_names[] = {"eq", "ne", "lt", "le", "gt", "ge"};

class Printer {
 public:
  explicit Printer(const Kernel& kernel) : kernel_(kernel), number_(kernel.types.size(), kNone) {
    for (size_t i = 0; i < kernel.buffers.size(); ++i) buffer_names_.push_back(buffer_name(i));
  }

  std::string print() {
    if (!kernel_.origin.empty()) line(cat("// ", join(kernel_.origin, ", ")));
    const std::string choice = kernel_.choice.to_string(), tile = kernel_.choice.tile.to_string();
    if (!choice.empty()) line(cat("// ", choice, tile.empty() ? "" : ", tile ", tile));
    line(cat("kernel ", kernel_.name, "(", header(), ") {"));
    region_body(kernel_.body, "");
    line("}");
    return std::move(text_);
  }

 private:
  std::string buffer_name(size_t i) {
    std::string name = kernel_.buffers[i].name.empty() ? cat("b", i) : kernel_.buffers[i].name;
    if (!taken_.insert(name).second) name += cat(".", i);
    taken_.insert(name);
    return name;
  }

  std::string header() {
    std::vector<std::string> parts;
    for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
      const Buffer& b = kernel_.buffers[i];
      std::string part = cat(direction_name(b.direction), " ", buffer_names_[i], ": ",
                             scalar_name(b.element), "[", b.elements, "] ", space_name(b.space));
      if (b.alignment != 0) part += cat(" align ", b.alignment);
      parts.push_back(std::move(part));
    }
    for (const ValueId parameter : kernel_.parameters)
      parts.push_back(cat("index ", define(parameter)));
    return join(parts, ", ");
  }

  void line(std::string_view content) {
    text_.append(static_cast<size_t>(depth_) * 2, ' ');
    text_ += for_line(content);
    text_ += '\n';
  }

  std::string define(ValueId value) {
    number_[value] = next_++;
    return name(value);
  }
  std::string name(ValueId value) const {
    if (value < 0 || value >= static_cast<ValueId>(number_.size()) || number_[value] == kNone)
      return cat("%undefined", value);
    return cat("%", number_[value]);
  }
  std::string list(const std::vector<ValueId>& values, size_t from = 0) const {
    std::vector<std::string> names;
    for (size_t i = from; i < values.size(); ++i) names.push_back(name(values[i]));
    return join(names, ", ");
  }

  // 64*%3 + %5 + 2, terms in the order of their numbers.
  std::string affine(const Affine& affine) const {
    std::vector<std::pair<int, int64_t>> terms;
    for (const Affine::Term& term : affine.terms)
      terms.emplace_back(number_[term.value], term.scale);
    std::sort(terms.begin(), terms.end());
    std::string out;
    for (const auto& [number, scale] : terms) {
      if (!out.empty()) out += " + ";
      if (scale != 1) out += cat(scale, "*");
      out += number == kNone ? "%undefined" : cat("%", number);
    }
    if (out.empty()) return cat(affine.offset);
    if (affine.offset > 0) out += cat(" + ", affine.offset);
    if (affine.offset < 0) out += cat(" - ", -affine.offset);
    return out;
  }

  std::string access(const Access& a) const {
    std::string out = cat(buffer_names_[a.buffer], "[", affine(a.at), "]");
    if (a.lane_indices != kNone)
      out += cat(" lanes ", name(a.lane_indices));
    else if (a.lane_stride != 1)
      out += cat(" stride ", a.lane_stride);
    if (a.stored != kNone) out += cat(", ", name(a.stored));
    if (a.mask != kNone) out += cat(" mask ", name(a.mask));
    if (a.otherwise != kNone) out += cat(" otherwise ", name(a.otherwise));
    return out;
  }

  std::string constant(const Constant& constant) const {
    std::vector<std::string> lanes;
    for (const uint64_t bits : constant.lanes) lanes.push_back(cat(static_cast<int64_t>(bits)));
    return lanes.size() == 1 ? lanes[0] : cat("{", join(lanes, ", "), "}");
  }

  void op(const Op& op) {
    if (!op.regions.empty()) return control(op);
    std::string out;
    if (!op.results.empty()) {
      const std::string operands = rest(op);
      out = cat(define(op.result()), ": ", to_string(kernel_.type(op.result())), " = ",
                op_name(op.kind), operands);
    } else {
      out = cat(op_name(op.kind), rest(op));
    }
    line(out);
  }

  std::string rest(const Op& op) const {
    if (const auto* held = std::get_if<Access>(&op.payload)) return " " + access(*held);
    if (const auto* held = std::get_if<Constant>(&op.payload)) return " " + constant(*held);
    std::string out;
    if (const auto* held = std::get_if<Predicate>(&op.payload))
      out = cat(" ", predicate_names[static_cast<int>(*held)]);
    if (!op.operands.empty()) out += " " + list(op.operands);
    if (const auto* held = std::get_if<Lane>(&op.payload)) out += cat(" lane ", held->index);
    if (const auto* held = std::get_if<Shuffle>(&op.payload))
      out += cat(" {", join(held->lanes, ", "), "}");
    if (const auto* held = std::get_if<RoundedShift>(&op.payload))
      out += cat(" rounding ", held->rounding, " shift ", held->shift);
    return out;
  }

  void control(const Op& op) {
    // Operands are named before results and arguments get their numbers.
    std::string head(op_name(op.kind)), carry;
    if (const auto* loop = std::get_if<Loop>(&op.payload)) {
      head = loop->is_mapped() ? cat(mapping_name(loop->mapping), " loop") : "loop";
      head += cat(" # = ", affine(loop->lower), " to ", affine(loop->upper), " step ", loop->step);
    }
    if (op.kind == OpKind::kIf) head += " " + name(op.operands[0]);
    std::vector<std::string> inits;
    if (op.kind != OpKind::kIf)
      for (const ValueId value : op.operands) inits.push_back(name(value));
    const size_t first = op.kind == OpKind::kLoop ? 1 : 0;
    for (size_t r = 0; r < op.regions.size(); ++r) {
      const Region& region = op.regions[r];
      std::vector<std::string> carried;
      for (size_t i = 0; i < region.arguments.size(); ++i) {
        const std::string argument = define(region.arguments[i]);
        if (i < first)
          head.replace(head.find('#'), 1, argument);
        else
          carried.push_back(i - first < inits.size() ? cat(argument, " = ", inits[i - first])
                                                     : argument);
      }
      if (!carried.empty()) head += cat(" carry(", join(carried, ", "), ")");
      line(r == 0 ? head + " {" : cat("} ", r == 1 ? region_word(op.kind) : "", head, " {"));
      region_body(region, "yield ");
      head.clear();
    }
    std::vector<std::string> results;
    for (const ValueId value : op.results)
      results.push_back(cat(define(value), ": ", to_string(kernel_.type(value))));
    line(results.empty() ? std::string("}") : cat("} -> ", join(results, ", ")));
  }

  static std::string_view region_word(OpKind kind) { return kind == OpKind::kIf ? "else" : "do"; }

  void region_body(const Region& region, std::string_view yield) {
    ++depth_;
    for (const Op& each : region.ops) op(each);
    if (!region.yields.empty()) line(cat(yield, list(region.yields)));
    --depth_;
  }

  const Kernel& kernel_;
  std::vector<int> number_;  // by ValueId, in the order of definition
  std::vector<std::string> buffer_names_;
  std::set<std::string> taken_;
  int next_ = 0, depth_ = 0;
  std::string text_;
};

}  // namespace

std::string to_text(const Kernel& kernel) { return Printer(kernel).print(); }

}  // namespace hlocc::kernel
