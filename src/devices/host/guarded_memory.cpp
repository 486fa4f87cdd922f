// See guarded_memory.h.
#include "devices/host/guarded_memory.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "support/text.h"

namespace hlocc::device {
namespace {

// What the handler of a signal may look at: nothing else is handed to it. Its words are made
// beforehand, because a handler may not allocate.
struct Watched {
  struct Words {
    std::string before, behind;
  };
  std::vector<GuardedMemory::Block> blocks;
  std::vector<Words> words;  // one of each block
  int64_t page = 0;
};
std::atomic<const Watched*>& watched() {
  static std::atomic<const Watched*> all = nullptr;
  return all;
}

void fill(std::byte* from, std::byte* to, GuardFill what) {
  constexpr bool kLittle = std::endian::native == std::endian::little;
  for (; from < to; ++from) *from = guard_byte(what, reinterpret_cast<uintptr_t>(from), kLittle);
}

bool holds(const std::byte* from, const std::byte* to, GuardFill what) {
  constexpr bool kLittle = std::endian::native == std::endian::little;
  for (; from < to; ++from)
    if (*from != guard_byte(what, reinterpret_cast<uintptr_t>(from), kLittle)) return false;
  return true;
}

// The process ends here if a guard was touched.
void on_fault(int, siginfo_t* info, void*) {
  const Watched& all = *watched().load();
  const std::byte* at = static_cast<const std::byte*>(info->si_addr);
  for (size_t i = 0; i < all.blocks.size(); ++i) {
    const GuardedMemory::Block& block = all.blocks[i];
    const bool before = at >= block.begin - all.page && at < block.begin,
               behind = at >= block.end && at < block.end + all.page;
    if (!before && !behind) continue;
    const std::string& words = before ? all.words[i].before : all.words[i].behind;
    if (::write(STDERR_FILENO, words.data(), words.size()) < 0) ::_exit(1);
    ::_exit(1);
  }
  // Somewhere else: the instruction faults again, and ends the process as it would have.
  ::signal(SIGSEGV, SIG_DFL);
  ::signal(SIGBUS, SIG_DFL);
}

void watch(const std::vector<GuardedMemory::Block>& blocks, int arguments, int64_t page) {
  auto* all = new Watched{blocks, {}, page};
  const auto said = [&](size_t block, GuardHarm harm) {
    return describe_finding(guard_finding(static_cast<int>(block), harm), arguments) + "\n";
  };
  for (size_t i = 0; i < blocks.size(); ++i)
    all->words.push_back({said(i, GuardHarm::kBefore), said(i, GuardHarm::kBehind)});
  watched().store(all);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &action, nullptr);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

GuardedMemory::GuardedMemory(const std::vector<Size>& sizes, int arguments)
    : page_(::sysconf(_SC_PAGESIZE)) {
  for (const Size& size : sizes) {
    const int64_t inside = (size.bytes + page_) / page_ * page_, whole = inside + 2 * page_;
    void* pages =
        ::mmap(nullptr, static_cast<size_t>(whole), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    Block block{.bytes = size.bytes, .align = size.align};
    if (pages != MAP_FAILED) {
      block.begin = static_cast<std::byte*>(pages) + page_;
      block.end = block.begin + inside;
    }
    there_ = there_ && pages != MAP_FAILED &&
             ::mprotect(block.begin, static_cast<size_t>(inside), PROT_READ | PROT_WRITE) == 0;
    blocks_.push_back(block);
  }
  if (there_) watch(blocks_, arguments, page_);
}

GuardedMemory::~GuardedMemory() {
  ::signal(SIGSEGV, SIG_DFL);
  ::signal(SIGBUS, SIG_DFL);
  delete watched().exchange(nullptr);
  for (const Block& block : blocks_)
    if (block.begin != nullptr)
      ::munmap(block.begin - page_, static_cast<size_t>(block.end - block.begin + 2 * page_));
}

void GuardedMemory::begin_round(const GuardRound& round) {
  for (size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    const uintptr_t last =
        reinterpret_cast<uintptr_t>(block.end) - static_cast<uintptr_t>(block.bytes);
    block.data = round.behind ? block.end - block.bytes -
                                    static_cast<int64_t>(last % static_cast<uintptr_t>(block.align))
                              : block.begin;
    const GuardFill own = i == 0 ? round.arena : i == 1 ? round.instance : round.results;
    fill(block.begin, block.end, round.around);
    fill(block.data, block.data + block.bytes, own);
  }
}

int GuardedMemory::check(const GuardRound& round) const {
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    if (!holds(block.begin, block.data, round.around))
      return guard_finding(static_cast<int>(i), GuardHarm::kBefore);
    if (!holds(block.data + block.bytes, block.end, round.around))
      return guard_finding(static_cast<int>(i), GuardHarm::kBehind);
  }
  return 0;
}

}  // namespace hlocc::device
