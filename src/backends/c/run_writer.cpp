// See run_writer.h.
#include "backends/c/run_writer.h"

#include <map>
#include <utility>

#include "backends/c/c_text.h"
#include "backends/common/run_checks.h"
#include "planning/interface.h"
#include "planning/timed_steps.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::ProgramValueId;
using kernel::Scalar;
using kernel::ValueRole;
using planning::Place;

// As RunWriter::place writes it.
bool mentions_arena(const std::string& code) {
  return code.find("(void *)arena") != std::string::npos ||
         code.find("(void *)(arena + ") != std::string::npos;
}

class RunWriter {
 public:
  explicit RunWriter(const RunSite& site) : site_(site), plan_(site.plan) {
    if (site.target.options.profile)
      profile_ = planning::profile_identity(site.program, site.plan, site.target);
  }

  Result<std::string> write() {
    const kernel::Signature& signature = site_.program.signature;
    mark(kProfileBegin);
    write_steps(plan_.steps);
    mark(kProfileEnd);
    deliver_results();
    HLOCC_TRY(std::move(trouble_));
    const std::string arena =
        mentions_arena(out_) ? "    unsigned char *const arena = (unsigned char *)self->arena;\n"
                             : "";
    return wrapped(cat(ranges_, "/* Computes the results from the arguments. */\nint ",
                       planning::run_symbol(signature, plan_, site_.target), "(", signature.prefix,
                       "t *self) {\n  if (self == NULL || self->arena == NULL) {\n    return ",
                       signature.macro_prefix, "ERROR_NULL;\n  }\n  {\n", arena, out_,
                       "  }\n  return ", signature.macro_prefix, "OK;\n}\n"));
  }

 private:
  void line(const std::string& text) { out_ += std::string(2 * indent_, ' ') + text + "\n"; }

  void write_steps(const kernel::Steps& steps) {
    for (const kernel::Step& step : steps) {
      if (planning::takes_time(step, plan_)) mark(profile_step_++);
      std::visit([&](const auto& what) { write_step(what); }, step.what);
    }
  }

  // Tells a profile what begins now.
  void mark(int32_t step) {
    if (!profile_.empty()) line(cat(kProfileHook, "(\"", profile_, "\", ", step, ");"));
  }

  std::string place(const Place& place) {
    if (place.region == planning::Region::kState)
      return cat("(void *)((unsigned char *)self->state + ", place.offset, ")");
    if (place.region == planning::Region::kArena) {
      return place.offset == 0 ? "(void *)arena" : cat("(void *)(arena + ", place.offset, ")");
    }
    const auto array = site_.weights.arrays.find(place.offset);
    // What is empty lies nowhere.
    return array == site_.weights.arrays.end() ? "NULL" : "(const void *)" + array->second.name;
  }

  const WeightArray* array_of(ProgramValueId id) const { return site_.weights.find(plan_, id); }

  std::string pointer(ProgramValueId id) {
    const kernel::ProgramValue& value = plan_.values[static_cast<size_t>(id)];
    if (value.role == ValueRole::kArgument) return cat("self->arguments[", value.leaf, "]");
    return place(plan_.places[static_cast<size_t>(id)]);
  }

  std::string operand(ProgramValueId id, Scalar element) {
    const WeightArray* array = array_of(id);
    if (array == nullptr) return pointer(id);
    const std::string type = site_.prelude.memory(element);
    if (array->parts == 1) return address(type, array->name);
    std::vector<std::string> parts;
    for (int part = 0; part < array->parts; ++part)
      parts.push_back(address(type, array->part(part)));
    const std::string table = cat("parts", tables_.size());
    tables_.push_back(cat("const ", site_.prelude.from(), "(", type, ") ", table, "[] = {",
                          join(parts, ", "), "};"));
    return table;
  }
  std::string address(const std::string& type, const std::string& array) {
    return cat(site_.prelude.at(), "(", type, ", ", array, ")");
  }

  void copy_value(const std::string& to, ProgramValueId from, int64_t bytes) {
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

  void write_step(const kernel::Launch& launch) {
    const kernel::Kernel& kernel = site_.program.kernels[static_cast<size_t>(launch.kernel)];
    std::vector<std::string> operands;
    for (size_t i = 0; i < launch.operands.size(); ++i)
      operands.push_back(operand(launch.operands[i], kernel.buffers[i].element));
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
    const bool uses_arena = mentions_arena(body);
    ranges_ += cat(
        "static void ", name, "(void *instance, int32_t range) {\n  ", signature.prefix,
        "t *const self = (", signature.prefix, "t *)instance;\n",
        uses_arena ? "  unsigned char *const arena = (unsigned char *)self->arena;\n" : "", body,
        uses_arena || body.find("self") != std::string::npos ? "" : "  (void)self;\n", "}\n\n");
    line(cat(kThreadsHook, "(", launch.ranges, ", ", name, ", self);"));
  }

  void write_step(const kernel::Copy& copy) {
    const CopyNeed need = need_of(copy, plan_);
    const int64_t bytes = plan_.values[static_cast<size_t>(copy.from)].bytes();
    if (need == CopyNeed::kAlways) copy_value(pointer(copy.to), copy.from, bytes);
    if (need == CopyNeed::kUnlessHome)
      copy_unless_home(pointer(copy.to), pointer(copy.from), bytes);
  }

  void copy_unless_home(const std::string& to, const std::string& from, int64_t bytes) {
    line(cat("if (", to, " != ", from, ") {"));
    ++indent_;
    copy_bytes(to, from, bytes);
    --indent_;
    line("}");
  }

  std::string is_true(ProgramValueId pred) { return cat(scalar_at(pred, Scalar::kPred), " != 0"); }

  // The one element of a value.
  std::string scalar_at(ProgramValueId id, Scalar element) {
    const std::string type = site_.prelude.memory(element);
    if (array_of(id) == nullptr) return cat("*(const ", type, " *)", pointer(id));
    return cat(site_.prelude.read(element), "(", type, ", ", operand(id, element), ", 0)");
  }

  void write_step(const kernel::WhileStep& step) {
    line("for (;;) {");
    ++indent_;
    write_steps(step.condition);
    line(cat("if (!(", is_true(step.condition_value), ")) {"));
    line("  break;");
    line("}");
    write_steps(step.body);
    --indent_;
    line("}");
  }

  void write_step(const kernel::ConditionalStep& step) {
    const bool is_pred = plan_.values[static_cast<size_t>(step.selector)].element == Scalar::kPred;
    line(is_pred ? cat("switch (", is_true(step.selector), " ? 0 : 1) {")
                 : cat("switch (", scalar_at(step.selector, Scalar::kS32), ") {"));
    for (size_t branch = 0; branch < step.branches.size(); ++branch) {
      const bool last = branch + 1 == step.branches.size();
      line(last ? "default:" : cat("case ", branch, ":"));
      ++indent_;
      write_steps(step.branches[branch]);
      line("break;");
      --indent_;
    }
    line("}");
  }

  void write_step(const kernel::UserCall& call) {
    for (const ProgramValueId id : call.operands) check_reachable(id, call.symbol);
    line("{");
    ++indent_;
    line(cat("const void *operands[] = {", pointers(call.operands), "};"));
    line(cat("void *results[] = {", pointers(call.results), "};"));
    line(cat(call.symbol, "(operands, results);"));
    --indent_;
    line("}");
  }

  // What a device reads must lie where pointers reach.
  void check_reachable(ProgramValueId id, const std::string& who) {
    if (site_.target.constants_apart && array_of(id) != nullptr)
      trouble_ = error(DiagnosticKind::kUnsupported,
                       cat(who, " is given the constant ",
                           plan_.values[static_cast<size_t>(id)].name, ", which lies in flash: on ",
                           site_.target.name, " it cannot be read through a pointer"))
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
  void keep_cache(const char* what, const std::string& begin, int64_t bytes) {
    line(cat("hlocc_device_", what, "(", begin, ", ", bytes, ");"));
  }

  void write_step(const kernel::Transfer& transfer) {
    const Place &from = plan_.places[static_cast<size_t>(transfer.from)],
                &to = plan_.places[static_cast<size_t>(transfer.to)];
    if (from.memory != 0 && to.memory != 0) {
      trouble_ = error(DiagnosticKind::kUnsupported, "a transfer between two devices' memories");
      return;
    }
    if (from.bytes == 0) return;
    const bool sends = from.memory == 0;
    const Place& far = sends ? to : from;
    if (sends) check_reachable(transfer.from, "a device");
    const std::string near = pointer(sends ? transfer.from : transfer.to);
    keep_cache(sends ? "clean" : "invalidate", near, from.bytes);
    call_hook(cat(sends ? "put" : "get", "(self, ", transfer.queue, ", ", far.memory, ", ",
                  far.offset, ", ", near, ", ", from.bytes, ")"));
    if (!sends) coming_[transfer.queue].push_back({near, from.bytes});
  }

  void write_step(const kernel::Submit& submit) {
    std::vector<std::string> offsets;
    int memory = 1;
    for (const auto* ids : {&submit.operands, &submit.results})
      for (const ProgramValueId id : *ids) {
        const Place& far = plan_.places[static_cast<size_t>(id)];
        memory = far.memory;
        offsets.push_back(cat(far.offset));
      }
    line("{");
    ++indent_;
    line(cat("const size_t offsets[] = {", offsets.empty() ? "0" : join(offsets, ", "), "};"));
    call_hook(cat("submit(self, ", submit.queue, ", ", memory, ", \"", submit.part, "\", offsets, ",
                  submit.operands.size(), ", ", submit.results.size(), ")"));
    --indent_;
    line("}");
  }

  void write_step(const kernel::Wait& wait) {
    call_hook(cat("wait(self, ", wait.queue, ")"));
    for (const auto& [begin, bytes] : coming_[wait.queue]) keep_cache("invalidate", begin, bytes);
    coming_.erase(wait.queue);
  }

  std::string pointers(const std::vector<ProgramValueId>& ids) {
    std::vector<std::string> texts;
    for (const ProgramValueId id : ids) texts.push_back(pointer(id));
    return texts.empty() ? "NULL" : join(texts, ", ");
  }

  // Results go where their slots say.
  void deliver_results() {
    for (size_t leaf = 0; leaf < site_.program.results.size(); ++leaf) {
      if (site_.program.signature.results[leaf].donated) continue;
      const Place& home = plan_.result_places[leaf];
      copy_unless_home(cat("self->results[", leaf, "]"), place(home), home.bytes);
    }
  }

  const RunSite& site_;
  const planning::Plan& plan_;
  std::string out_, ranges_;
  int range_functions_ = 0;
  Status trouble_;
  size_t indent_ = 2;
  std::string profile_;              // the plan's identity; empty: no marks
  int32_t profile_step_ = 0;         // the number of the next one: planning/timed_steps.h
  std::vector<std::string> tables_;  // of the launch that is being written
  std::map<int, std::vector<std::pair<std::string, int64_t>>> coming_;  // by queue: what it brings
};

}  // namespace

Result<std::string> write_run(const RunSite& site) {
  HLOCC_TRY(check_bindings(site.plan));
  return RunWriter(site).write();
}

}  // namespace hlocc::backends
