// See run_writer.h: spells the primitives of backends/common/run_plan.h in C.
#include "backends/c/run_writer.h"

#include <utility>

#include "backends/c/c_text.h"
#include "backends/common/run_checks.h"
#include "backends/common/run_plan.h"
#include "planning/interface.h"
#include "planning/timed_steps.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Scalar;

// As RunWriter::pointer writes it.
bool mentions_arena(const std::string& code) {
  return code.find("(void *)arena") != std::string::npos ||
         code.find("(void *)(arena + ") != std::string::npos;
}

class RunWriter {
 public:
  explicit RunWriter(const RunSite& site) : site_(site), plan_(site.plan) {}

  Result<std::string> write() {
    const kernel::Signature& signature = site_.program.signature;
    HLOCC_TRY_ASSIGN(const RunSteps steps, run_plan(site_.program, plan_, site_.target, false));
    write(steps);
    HLOCC_TRY(std::move(trouble_));
    const std::string body = std::exchange(out_, "");
    const std::string arena =
        mentions_arena(body) ? "    unsigned char *const arena = (unsigned char *)self->arena;\n"
                             : "";
    return wrapped(cat(keep_function(), ranges_,
                       "/* Computes the results from the arguments. */\nint ",
                       planning::run_symbol(signature, plan_, site_.target), "(", signature.prefix,
                       "t *self) {\n  if (self == NULL || self->arena == NULL", without_arenas(),
                       ") {\n    return ", signature.macro_prefix, "ERROR_NULL;\n  }\n  {\n", arena,
                       body, "  }\n  return ", signature.macro_prefix, "OK;\n}\n"));
  }

 private:
  // What init calls, where there are weights to be copied.
  std::string keep_function() {
    if (plan_.kept.empty()) return "";
    const kernel::Signature& signature = site_.program.signature;
    indent_ = 1;
    write(keeping_steps(plan_));
    const std::string copies = std::exchange(out_, "");
    return cat("/* Copies weights to where run reads them. */\nvoid ",
               planning::keep_symbol(signature, plan_, site_.target), "(", signature.prefix,
               "t *self) {\n",
               mentions_arena(copies)
                   ? "  unsigned char *const arena = (unsigned char *)self->arena;\n"
                   : "",
               copies, "}\n\n");
  }
  std::string without_arenas() const {
    std::string out;
    for (size_t i = 0; i + 1 < plan_.pieces.size(); ++i)
      out += cat(" || self->arenas[", i, "] == NULL");
    return out;
  }
  void line(const std::string& text) { out_ += std::string(2 * indent_, ' ') + text + "\n"; }

  void write(const RunSteps& steps) {
    for (const RunStep& step : steps) {
      const size_t begin = out_.size();
      origin_ = step.origin;
      std::visit([&](const auto& what) { write(what); }, step.what);
      if (step.origin == nullptr || holds_steps(step)) continue;
      const std::string written = out_.substr(begin);
      out_.resize(begin);
      out_ += site_.lines.around(written, *step.origin);
    }
  }
  // Their lines are those of what they hold.
  static bool holds_steps(const RunStep& step) {
    return std::holds_alternative<RunLoop>(step.what) ||
           std::holds_alternative<RunChoice>(step.what) ||
           std::holds_alternative<RunInner>(step.what);
  }
  // The C compiler gets it whole.
  void write(const RunInner& inner) { write(inner.steps); }

  void write(const RunMark& mark) {
    line(cat(kProfileHook, "(\"", planning::profile_identity(site_.program, plan_, site_.target),
             "\", ", mark.step, ");"));
  }

  std::string pointer(const RunAddress& address) const {
    switch (address.kind) {
      case RunAddress::Kind::kArgument: return cat("self->arguments[", address.at, "]");
      case RunAddress::Kind::kResult: return cat("self->results[", address.at, "]");
      case RunAddress::Kind::kState:
        return cat("(void *)((unsigned char *)self->state + ", address.at, ")");
      case RunAddress::Kind::kArena:
        if (address.arena > 0)
          return cat("(void *)((unsigned char *)self->arenas[", address.arena - 1, "] + ",
                     address.at, ")");
        return address.at == 0 ? "(void *)arena" : cat("(void *)(arena + ", address.at, ")");
      case RunAddress::Kind::kConstants: break;
    }
    // What is empty lies nowhere.
    const WeightArray* array = array_of(address);
    return array == nullptr ? "NULL" : "(const void *)" + array->name;
  }

  const WeightArray* array_of(const RunAddress& address) const {
    return site_.weights.find(address);
  }

  std::string operand(const RunAddress& address, Scalar element) {
    const WeightArray* array = array_of(address);
    if (array == nullptr) return pointer(address);
    const std::string type = site_.prelude.memory(element);
    if (array->parts == 1) return part_address(type, array->name);
    std::vector<std::string> parts;
    for (int part = 0; part < array->parts; ++part)
      parts.push_back(part_address(type, array->part(part)));
    const std::string table = cat("parts", tables_.size());
    tables_.push_back(cat("const ", site_.prelude.from(), "(", type, ") ", table, "[] = {",
                          join(parts, ", "), "};"));
    return table;
  }
  std::string part_address(const std::string& type, const std::string& array) {
    return cat(site_.prelude.at(), "(", type, ", ", array, ")");
  }

  void copy_value(const std::string& to, const RunAddress& from, int64_t bytes) {
    const WeightArray* array = array_of(from);
    if (array == nullptr) return copy_bytes(to, pointer(from), bytes);
    for (int part = 0; part < array->parts; ++part) {
      const int64_t begin = part * kPartBytes;
      const bool last = part + 1 == array->parts;
      line(cat("(void)", site_.prelude.copy_from(), "(",
               begin == 0 ? to : cat("(unsigned char *)", to, " + ", begin), ", ",
               array->part(part), ", ", last ? bytes - begin : kPartBytes, ");"));
    }
  }

  void copy_bytes(const std::string& to, const std::string& from, int64_t bytes) {
    line(cat("(void)", site_.prelude.copy(), "(", to, ", ", from, ", ", bytes, ");"));
  }

  void write(const RunLaunch& step) {
    const kernel::Launch& launch = *step.launch;
    const kernel::Kernel& kernel = site_.program.kernels[static_cast<size_t>(launch.kernel)];
    std::vector<std::string> operands;
    for (size_t i = 0; i < step.operands.size(); ++i)
      operands.push_back(operand(step.operands[i], kernel.buffers[i].element));
    if (launch.ranges > 1) operands.push_back("(ptrdiff_t)range");
    for (const int64_t number : launch.integers) operands.push_back(index_text(number));
    const std::string call = cat(site_.kernels.symbol_of(launch), "(", join(operands, ", "), ");");
    if (launch.ranges > 1) return write_ranges(launch, call);
    if (tables_.empty()) return line(call);
    line("{");
    ++indent_;
    for (const std::string& table : std::exchange(tables_, {})) line(table);
    line(call);
    --indent_;
    line("}");
  }

  // A function of one range, which finds its places as run does, and the call of the hook.
  void write_ranges(const kernel::Launch& launch, const std::string& call) {
    const kernel::Signature& signature = site_.program.signature;
    const std::string name = cat(signature.prefix, "range_", ++range_functions_);
    std::string body;
    for (const std::string& table : std::exchange(tables_, {})) body += cat("  ", table, "\n");
    body += cat("  ", call, "\n");
    if (origin_ != nullptr) body = site_.lines.around(body, *origin_);
    const bool uses_arena = mentions_arena(body);
    ranges_ += cat(
        "static void ", name, "(void *instance, int32_t range) {\n  ", signature.prefix,
        "t *const self = (", signature.prefix, "t *)instance;\n",
        uses_arena ? "  unsigned char *const arena = (unsigned char *)self->arena;\n" : "", body,
        uses_arena || body.find("self") != std::string::npos ? "" : "  (void)self;\n", "}\n\n");
    line(cat(kThreadsHook, "(", launch.ranges, ", ", name, ", self);"));
  }

  void write(const RunCopy& copy) {
    const std::string to = pointer(copy.to);
    if (!copy.unless_equal) return copy_value(to, copy.from, copy.bytes);
    line(cat("if (", to, " != ", pointer(copy.from), ") {"));
    ++indent_;
    copy_bytes(to, pointer(copy.from), copy.bytes);
    --indent_;
    line("}");
  }

  std::string is_true(const RunAddress& pred) {
    return cat(scalar_at(pred, Scalar::kPred), " != 0");
  }

  // The one element of a value.
  std::string scalar_at(const RunAddress& address, Scalar element) {
    const std::string type = site_.prelude.memory(element);
    if (array_of(address) == nullptr) return cat("*(const ", type, " *)", pointer(address));
    return cat(site_.prelude.read(element), "(", type, ", ", operand(address, element), ", 0)");
  }

  void write(const RunLoop& loop) {
    line("for (;;) {");
    ++indent_;
    write(loop.condition);
    line(cat("if (!(", is_true(loop.holds), ")) {"));
    line("  break;");
    line("}");
    write(loop.body);
    --indent_;
    line("}");
  }

  void write(const RunChoice& choice) {
    line(choice.is_pred ? cat("switch (", is_true(choice.selector), " ? 0 : 1) {")
                        : cat("switch (", scalar_at(choice.selector, Scalar::kS32), ") {"));
    for (size_t branch = 0; branch < choice.branches.size(); ++branch) {
      const bool last = branch + 1 == choice.branches.size();
      line(last ? "default:" : cat("case ", branch, ":"));
      ++indent_;
      write(choice.branches[branch]);
      line("break;");
      --indent_;
    }
    line("}");
  }

  void write(const RunUserCall& call) {
    for (const RunAddress& operand : call.operands) check_reachable(operand, call.symbol);
    line("{");
    ++indent_;
    line(cat("const void *operands[] = {", pointers(call.operands), "};"));
    line(cat("void *results[] = {", pointers(call.results), "};"));
    line(cat(call.symbol, "(operands, results);"));
    --indent_;
    line("}");
  }

  // What a device reads must lie where pointers reach.
  void check_reachable(const RunAddress& address, const std::string& who) {
    if (site_.target.constants_apart && array_of(address) != nullptr)
      trouble_ = error(DiagnosticKind::kUnsupported,
                       cat(who, " is given the constant ",
                           plan_.values[static_cast<size_t>(address.value)].name,
                           ", which lies in flash: on ", site_.target.name,
                           " it cannot be read through a pointer"))
                     .note("make it an argument of the model");
  }
  void call_hook(const std::string& call) {
    line("{");
    line(cat("  const int32_t code = hlocc_device_", call, ";"));
    line("  if (code != 0) {");
    line("    return (int)code;");
    line("  }");
    line("}");
  }
  void write(const RunCache& cache) {
    line(cat("hlocc_device_", cache.clean ? "clean" : "invalidate", "(", pointer(cache.begin), ", ",
             cache.bytes, ");"));
  }

  void write(const RunTransfer& transfer) {
    if (transfer.sends) check_reachable(transfer.here, "a device");
    call_hook(cat(transfer.sends ? "put" : "get", "(self, ", transfer.queue, ", ", transfer.memory,
                  ", ", transfer.offset, ", ", pointer(transfer.here), ", ", transfer.bytes, ")"));
  }

  void write(const RunSubmit& submit) {
    line("{");
    ++indent_;
    line(cat("const size_t offsets[] = {",
             submit.offsets.empty() ? "0" : join(submit.offsets, ", "), "};"));
    call_hook(cat("submit(self, ", submit.queue, ", ", submit.memory, ", \"", submit.part,
                  "\", offsets, ", submit.operands, ", ", submit.results, ")"));
    --indent_;
    line("}");
  }

  void write(const RunWait& wait) { call_hook(cat("wait(self, ", wait.queue, ")")); }

  std::string pointers(const std::vector<RunAddress>& addresses) const {
    std::vector<std::string> texts;
    for (const RunAddress& address : addresses) texts.push_back(pointer(address));
    return texts.empty() ? "NULL" : join(texts, ", ");
  }

  const RunSite& site_;
  const planning::Plan& plan_;
  std::string out_, ranges_;
  const kernel::Origin* origin_ = nullptr;  // of the step that is being written
  int range_functions_ = 0;
  Status trouble_;
  size_t indent_ = 2;
  std::vector<std::string> tables_;  // of the launch that is being written
};

}  // namespace

Result<std::string> write_run(const RunSite& site) { return RunWriter(site).write(); }

}  // namespace hlocc::backends
