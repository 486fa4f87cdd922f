// The text of a program: its leaves, its values, its steps as an indented tree, and its kernels.
#include <set>

#include "kernel/program.h"
#include "kernel/program_values.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

// %name, made unique with the value's number where a name is missing or taken.
std::vector<std::string> labels_of(const std::vector<ProgramValue>& values) {
  std::vector<std::string> labels;
  std::set<std::string> taken;
  for (size_t i = 0; i < values.size(); ++i) {
    std::string label = values[i].name.empty() ? cat("%v", i) : cat("%", values[i].name);
    if (!taken.insert(label).second) taken.insert(label += cat("#", i));
    labels.push_back(std::move(label));
  }
  return labels;
}

class StepPrinter {
 public:
  StepPrinter(const std::vector<Kernel>& kernels, const std::vector<ProgramValue>& values)
      : kernels_(kernels), labels_(labels_of(values)) {}

  std::string label(ProgramValueId value) const {
    return value >= 0 && value < static_cast<ProgramValueId>(labels_.size()) ? labels_[value]
                                                                             : cat("%bad", value);
  }
  std::string list(const std::vector<ProgramValueId>& values) const {
    std::vector<std::string> names;
    for (const ProgramValueId value : values) names.push_back(label(value));
    return join(names, ", ");
  }
  void print(const Steps& steps, int depth) {
    for (const Step& step : steps) {
      depth_ = depth;
      origin_ = step.origin.empty() ? "" : cat("  // ", join(step.origin.hlo, ", "));
      std::visit([&](const auto& what) { this->step(what); }, step.what);
    }
  }
  std::string take() { return std::move(text_); }

 private:
  void line(const std::string& content) {
    text_ +=
        cat(std::string(static_cast<size_t>(depth_) * 2, ' '), for_line(content + origin_), "\n");
    origin_.clear();
  }
  void nested(const Steps& steps) {
    const int depth = depth_;
    print(steps, depth + 1);
    depth_ = depth;
    origin_.clear();
  }

  void step(const Launch& launch) {
    const bool known = launch.kernel >= 0 && launch.kernel < static_cast<KernelId>(kernels_.size());
    std::string out =
        cat("launch ", known ? kernels_[launch.kernel].name : cat("kernel ", launch.kernel), "(");
    for (size_t i = 0; i < launch.operands.size(); ++i) {
      out += cat(i == 0 ? "" : ", ", known ? direction(kernels_[launch.kernel], i) : "",
                 label(launch.operands[i]));
    }
    for (const int64_t integer : launch.integers) out += cat(", ", integer);
    out += ")";
    for (const Overlap& o : launch.overlaps)
      out += cat(" overlap(", o.result, ", ", o.operand, ", ", o.bytes, ")");
    for (const Update& u : launch.updates)
      out += cat(" update(", u.result, " from ", label(u.from), ")");
    if (launch.ranges > 1) out += cat(" ranges(", launch.ranges, ")");
    if (!launch.scratch.empty()) out += cat(" scratch(", join(launch.scratch, ", "), ")");
    line(out);
  }

  // Beyond the operands of a program a plan's launch has scratch.
  static std::string direction(const Kernel& kernel, size_t i) {
    const bool operand = i < static_cast<size_t>(kernel.operand_buffers());
    return cat(operand ? direction_name(kernel.buffers[i].direction) : "scratch", " ");
  }

  void step(const Copy& copy) { line(cat("copy ", label(copy.to), " = ", label(copy.from))); }

  void step(const Join& join_of) {
    std::vector<std::string> runs;
    for (const Join::Run& run : join_of.runs)
      runs.push_back(cat(label(run.from), "[", run.offset, ", ", run.offset + run.bytes, ")"));
    line(cat("join ", label(join_of.to), " = ", join(runs, ", ")));
  }

  void step(const WhileStep& loop) {
    std::vector<std::string> carried;
    for (size_t i = 0; i < loop.carried.size(); ++i)
      carried.push_back(cat(label(loop.carried[i]), " = ", label(loop.initial[i])));
    line(cat("while (", join(carried, ", "), ") {"));
    nested(loop.condition);
    line(cat("} ", label(loop.condition_value), " do {"));
    nested(loop.body);
    line(cat("  next ", list(loop.next)));
    line(cat("} -> ", list(loop.result)));
  }

  void step(const ConditionalStep& choice) {
    line(cat("conditional ", label(choice.selector), " {"));
    for (size_t b = 0; b < choice.branches.size(); ++b) {
      if (b != 0) line("} or {");
      nested(choice.branches[b]);
      line(cat("  yield ", list(choice.yields[b])));
    }
    line(cat("} -> ", list(choice.results)));
  }

  void step(const UserCall& call) {
    line(cat("call ", call.symbol, "(", list(call.operands), ") -> ", list(call.results)));
  }
  void step(const Transfer& transfer) {
    line(cat("transfer ", label(transfer.to), " = ", label(transfer.from), " on queue ",
             transfer.queue));
  }
  void step(const Submit& submit) {
    line(cat("submit ", submit.part, "(", list(submit.operands), ") -> ", list(submit.results),
             " on queue ", submit.queue));
  }
  void step(const Wait& wait) { line(cat("wait for queue ", wait.queue)); }

  const std::vector<Kernel>& kernels_;
  std::vector<std::string> labels_;
  std::string text_, origin_;
  int depth_ = 0;
};

std::string leaf_lines(std::string_view what, const std::vector<Leaf>& leaves,
                       const std::vector<ProgramValueId>& values, const StepPrinter& printer) {
  std::string out;
  for (size_t i = 0; i < values.size(); ++i) {
    out += cat("  ", what, " ", i, " ", printer.label(values[i]));
    if (i < leaves.size()) {
      out += cat(": ", hlo::to_string(leaves[i].shape),
                 leaves[i].name.empty() ? "" : cat(" \"", leaves[i].name, "\""));
      if (leaves[i].donated) out += cat(" donated with ", leaves[i].partner);
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string to_text(const Steps& steps, const std::vector<Kernel>& kernels,
                    const std::vector<ProgramValue>& values) {
  StepPrinter printer(kernels, values);
  printer.print(steps, 1);
  return printer.take();
}

std::string to_text(const Program& program) {
  StepPrinter printer(program.kernels, program.values);
  std::string out = cat("program ", program.signature.class_name, " {\n");
  out += leaf_lines("argument", program.signature.arguments, program.arguments, printer);
  out += leaf_lines("result", program.signature.results, program.results, printer);
  for (size_t i = 0; i < program.values.size(); ++i) {
    const ProgramValue& value = program.values[i];
    out += cat("  value ", printer.label(static_cast<int>(i)), ": ", scalar_name(value.element),
               "[", value.elements, "] ", role_name(value.role),
               value.memory == 0 ? "" : cat(" in memory ", value.memory), "\n");
  }
  printer.print(program.steps, 1);
  out += printer.take() + "}\n";
  for (const Kernel& kernel : program.kernels) out += to_text(kernel);
  return out;
}

}  // namespace hlocc::kernel
