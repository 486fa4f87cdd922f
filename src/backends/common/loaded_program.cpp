// See loaded_program.h.
#include "backends/common/loaded_program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernel/instance.h"
#include "support/out_of_memory.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using Bytes = std::vector<std::byte>;
using planning::Place;
using planning::Region;

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, FreeMemory>;

Memory allocate(int64_t bytes, int64_t align) {
  align = std::max<int64_t>(align, 64);
  const int64_t size = (std::max<int64_t>(bytes, 1) + align - 1) / align * align;
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(align, size)));
  if (memory == nullptr) out_of_memory();
  std::memset(memory.get(), 0, size);
  return memory;
}

class ProgramInMemory : public LoadedProgram {
 public:
  ProgramInMemory(std::unique_ptr<LinkedObject> object, const kernel::Program& program,
                  const planning::Plan& plan, void* run)
      : object_(std::move(object)),
        layout_(kernel::instance_layout(program.signature, plan.state_bytes, 8 * sizeof(void*))),
        arena_(allocate(plan.arena_bytes, plan.arena_align)),
        instance_(allocate(layout_.bytes(), 8)),
        argument_places_(plan.argument_places),
        result_places_(plan.result_places),
        run_(reinterpret_cast<int (*)(void*)>(run)) {
    std::byte* arena = arena_.get();
    put_pointer(layout_.arena_slot(), arena);
    for (size_t i = 0; i + 1 < plan.pieces.size(); ++i)
      put_pointer(layout_.arena_slot(static_cast<int>(i) + 1), arena + plan.pieces[i].begin);
    for (int i = 0; i < layout_.arguments; ++i)
      put_pointer(layout_.argument_slot(i), home(argument_places_[i]));
    for (int i = 0; i < layout_.results; ++i)
      put_pointer(layout_.result_slot(i), home(result_places_[i]));
    for (size_t i = 0; i < plan.values.size(); ++i) {
      const kernel::ProgramValue& value = plan.values[i];
      if (value.role == kernel::ValueRole::kState && value.data != nullptr)
        std::memcpy(state() + plan.places[i].offset, value.data->data(), value.data->size());
    }
  }

  Status put(std::span<const Bytes> arguments) override {
    if (static_cast<int>(arguments.size()) != layout_.arguments)
      return error(DiagnosticKind::kArgument,
                   cat(arguments.size(), " arguments for ", layout_.arguments));
    for (int i = 0; i < layout_.arguments; ++i) {
      const Place& place = argument_places_[i];
      if (arguments[i].empty() && place.region == Region::kState) continue;
      if (static_cast<int64_t>(arguments[i].size()) != place.bytes)
        return error(DiagnosticKind::kArgument, cat("argument ", i, " has ", arguments[i].size(),
                                                    " bytes instead of ", place.bytes));
      if (place.bytes > 0) std::memcpy(home(place), arguments[i].data(), place.bytes);
    }
    return {};
  }

  Result<std::vector<Bytes>> run(std::span<const Bytes> arguments) override {
    HLOCC_TRY(put(arguments));
    const int code = run_again();
    if (code != 0) return error(DiagnosticKind::kRun, cat("run returned ", code));
    std::vector<Bytes> results;
    for (const Place& place : result_places_)
      results.emplace_back(home(place), home(place) + place.bytes);
    return results;
  }

  void keep_weights(void* keep) { reinterpret_cast<void (*)(void*)>(keep)(instance_.get()); }
  int run_again() override { return run_(instance_.get()); }

 private:
  std::byte* state() { return instance_.get() + layout_.state_offset(); }
  std::byte* home(const Place& place) {
    return (place.region == Region::kState ? state() : arena_.get()) + place.offset;
  }
  void put_pointer(int64_t offset, std::byte* pointer) {
    std::memcpy(instance_.get() + offset, &pointer, sizeof pointer);
  }

  std::unique_ptr<LinkedObject> object_;
  kernel::InstanceLayout layout_;
  Memory arena_, instance_;
  std::vector<Place> argument_places_, result_places_;
  int (*run_)(void*);
};

}  // namespace

Result<void*> address_of(LinkedObject& code, const std::string& symbol) {
  if (void* address = code.address(symbol)) return address;
  if (!code.refusal().empty())
    return error(DiagnosticKind::kEnvironment,
                 cat("cannot put the code into memory: ", code.refusal()));
  return error(DiagnosticKind::kInternal, cat("the object does not define ", symbol));
}

Status check_callable(const planning::Plan& plan) {
  Status callable;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    const auto* call = std::get_if<kernel::UserCall>(&step.what);
    if (call == nullptr || !callable) return;
    callable = error(DiagnosticKind::kUnsupported,
                     cat("custom-call ", join(step.origin.hlo, ", "), " calls \"", call->symbol,
                         "\", which is a function of yours and not here to run"))
                   .note("compile the model ahead of time, and link the function to the library");
  });
  return callable;
}

Result<std::unique_ptr<LoadedProgram>> load_program(std::unique_ptr<LinkedObject> code,
                                                    const std::string& run_symbol,
                                                    const kernel::Program& program,
                                                    const planning::Plan& plan) {
  HLOCC_TRY_ASSIGN(void* run, address_of(*code, run_symbol));
  void* keep = nullptr;
  if (!plan.kept.empty()) {
    // <prefix>run_<hash> and <prefix>keep_<hash> (planning/interface.h).
    const std::string& prefix = program.signature.prefix;
    HLOCC_TRY_ASSIGN(keep,
                     address_of(*code, prefix + "keep_" + run_symbol.substr(prefix.size() + 4)));
  }
  auto made = std::make_unique<ProgramInMemory>(std::move(code), program, plan, run);
  if (keep != nullptr) made->keep_weights(keep);
  return std::unique_ptr<LoadedProgram>(std::move(made));
}

}  // namespace hlocc::backends
