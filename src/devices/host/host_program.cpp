// See host_program.h. The instance is the struct that kernel/instance.h describes.
#include "devices/host/host_program.h"

#include <cstdlib>
#include <cstring>

#include "support/text.h"

namespace hlocc::device {
namespace {

using planning::Region;

struct FreePage {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Page = std::unique_ptr<std::byte, FreePage>;

Page new_page(int64_t bytes, int64_t align) {
  align = std::max<int64_t>(align, 64);
  const int64_t size = (std::max<int64_t>(bytes, 1) + align - 1) / align * align;
  Page page(static_cast<std::byte*>(
      std::aligned_alloc(static_cast<size_t>(align), static_cast<size_t>(size))));
  if (page != nullptr) std::memset(page.get(), 0, static_cast<size_t>(size));
  return page;
}

void copy_bytes(std::byte* to, const std::byte* from, int64_t bytes) {
  if (bytes > 0 && to != from) std::memcpy(to, from, static_cast<size_t>(bytes));
}

bool is_aligned(const std::byte* pointer, int64_t alignment) {
  return reinterpret_cast<uintptr_t>(pointer) % static_cast<uintptr_t>(alignment) == 0;
}

}  // namespace

class HostProgram::Instance {
 public:
  Instance(const kernel::InstanceLayout& layout, int64_t arena_bytes, int64_t arena_align)
      : layout_(layout),
        arena_(new_page(arena_bytes, arena_align)),
        self_(new_page(layout.bytes(), 8)) {
    if (is_there()) point(layout.arena_slot(), arena_.get());
  }
  bool is_there() const { return arena_ != nullptr && self_ != nullptr; }
  std::byte* self() { return self_.get(); }
  std::byte* state() { return self_.get() + layout_.state_offset(); }
  std::byte* home(const planning::Place& place) {
    return (place.region == Region::kState ? state() : arena_.get()) + place.offset;
  }
  void point(int64_t slot, std::byte* to) { std::memcpy(self() + slot, &to, sizeof to); }

 private:
  kernel::InstanceLayout layout_;
  Page arena_, self_;
};

HostProgram::~HostProgram() = default;

Result<std::unique_ptr<HostProgram>> HostProgram::load(const HostCode& code, const LinkObject& link,
                                                       DeviceHooks* hooks) {
  std::unique_ptr<HostProgram> made(new HostProgram());
  HLOCC_TRY_ASSIGN(made->object_, link(code.object));
  HLOCC_TRY_ASSIGN(void* run, backends::address_of(*made->object_, code.run_symbol));
  made->run_ = reinterpret_cast<int (*)(void*)>(run);
  made->hooks_ = hooks;
  made->layout_ = {static_cast<int>(sizeof(void*)), static_cast<int>(code.arguments.size()),
                   static_cast<int>(code.results.size()), code.state_bytes};
  made->arena_bytes_ = code.arena_bytes;
  made->arena_align_ = code.arena_align;
  made->arguments_ = code.arguments;
  made->results_ = code.results;
  made->initial_state_ = code.initial_state;
  return made;
}

std::unique_ptr<HostProgram::Instance> HostProgram::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Instance> last = std::move(idle_.back());
      idle_.pop_back();
      return last;
    }
  }
  auto fresh = std::make_unique<Instance>(layout_, arena_bytes_, arena_align_);
  if (!fresh->is_there()) return nullptr;
  for (const HostCode::Initial& initial : initial_state_)
    copy_bytes(fresh->state() + initial.offset, initial.bytes.data(),
               static_cast<int64_t>(initial.bytes.size()));
  return fresh;
}

Status HostProgram::call(std::span<std::byte* const> arguments,
                         std::span<std::byte* const> results) {
  if (arguments.size() != arguments_.size() || results.size() != results_.size())
    return error(DiagnosticKind::kArgument,
                 cat(arguments.size(), " arguments and ", results.size(), " results for ",
                     arguments_.size(), " and ", results_.size()));
  std::unique_ptr<Instance> instance = take();
  if (instance == nullptr)
    return error(DiagnosticKind::kLimit,
                 cat("out of memory: an arena of ", arena_bytes_, " bytes"));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const HostCode::LeafPlace& leaf = arguments_[i];
    std::byte* home = instance->home(leaf.place);
    const bool there =
        leaf.place.region == Region::kArena && is_aligned(arguments[i], leaf.alignment);
    if (!there) copy_bytes(home, arguments[i], leaf.place.bytes);
    instance->point(layout_.argument_slot(static_cast<int>(i)), there ? arguments[i] : home);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const planning::Place& place = results_[i].place;
    instance->point(layout_.result_slot(static_cast<int>(i)),
                    place.region == Region::kState ? instance->home(place) : results[i]);
  }
  HLOCC_TRY(run_with_hooks(hooks_, run_, instance->self()));
  for (size_t i = 0; i < results.size(); ++i)
    if (results_[i].place.region == Region::kState)
      copy_bytes(results[i], instance->home(results_[i].place), results_[i].place.bytes);
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(instance));
  return {};
}

}  // namespace hlocc::device
