// See batch.h.
#include "driver/verify/batch.h"

#include "driver/verify/guard.h"
#include "driver/verify/stream_case.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// How a program's output ends.
std::string last_words(const std::string& output) { return printable_end(output, 300); }

// Each of them fails for what is no fault of its own.
void give_up(std::span<const CompiledCase> cases, const Diagnostic& why,
             std::vector<CaseOutcome>& outcomes) {
  for (const CompiledCase& one : cases) outcomes[one.facts.number] = CaseOutcome::of(why);
}

void run_linked(std::span<const CompiledCase> batch, const BatchTools& tools, bool guard,
                std::vector<CaseOutcome>& outcomes) {
  for (size_t first = 0; first < batch.size(); ++first) {
    const ChildOutcome ran = tools.run(first);
    if (ran.environment) return give_up(batch.subspan(first), environment_of(ran), outcomes);
    for (; first < batch.size() && tools.has_results(batch[first].facts); ++first)
      outcomes[batch[first].facts.number] = tools.compare(batch[first].facts);
    if (first < batch.size())
      outcomes[batch[first].facts.number] =
          CaseOutcome::failed(how_it_died(ran, batch[first].facts, guard));
  }
}

}  // namespace

std::string lack_of_room(const CompiledCase& one, const Board& board, bool guard) {
  const int64_t ram = one.ram_bytes + (guard ? guard_room(one.facts) : 0);
  if (board.flash_bytes > 0 && kFlashReserve + one.flash_bytes > board.flash_bytes)
    return cat("needs ", one.flash_bytes, " bytes of flash, the board has ", board.flash_bytes);
  if (board.bulk_bytes > 0 && ram > board.bulk_bytes)
    return cat("needs ", ram, " bytes of RAM, the board has ", board.bulk_bytes);
  return "";
}

bool CaseBatch::has_room_for(const CompiledCase& one) const {
  if (static_cast<int64_t>(cases_.size()) >= board_.cases) return false;
  return board_.flash_bytes == 0 || flash_ + one.flash_bytes <= board_.flash_bytes;
}

void CaseBatch::add(CompiledCase one) {
  flash_ += one.flash_bytes;
  cases_.push_back(std::move(one));
}

void CaseBatch::clear() {
  cases_.clear();
  flash_ = kFlashReserve;
}

void run_case_batch(std::span<const CompiledCase> batch, const BatchTools& tools, bool guard,
                    std::vector<CaseOutcome>& outcomes) {
  if (batch.empty()) return;
  const Result<ChildOutcome> linked = tools.link(batch);
  if (!linked.ok()) return give_up(batch, linked.error(), outcomes);
  if (linked->environment) return give_up(batch, environment_of(*linked), outcomes);
  if (linked->finished) return run_linked(batch, tools, guard, outcomes);
  if (batch.size() == 1) {
    outcomes[batch[0].facts.number] =
        CaseOutcome::failed("does not link: " + last_words(linked->output));
    return;
  }
  run_case_batch(batch.first(batch.size() / 2), tools, guard, outcomes);
  run_case_batch(batch.subspan(batch.size() / 2), tools, guard, outcomes);
}

int64_t output_bytes(const BatchCase& one, bool guard) {
  if (one.stream) return stream_file_bytes(one);
  if (guard) return guard_file_bytes(one);
  int64_t bytes = 1;
  for (const int64_t size : one.result_bytes) bytes += size;
  return bytes;
}

std::string how_it_died(const ChildOutcome& ran, const BatchCase& one, bool guard) {
  if (const std::string death = guard ? guard_death(ran.output, one) : ""; !death.empty())
    return death;
  if (ran.failure == "exit code 124")
    return cat("ran longer than ", kBoardSeconds, " s on the board");
  if (ran.failure.empty()) return "the program ended without results";
  const std::string words = last_words(ran.output);
  return cat("the program died on the board: ", ran.failure, words.empty() ? "" : ": ", words);
}

}  // namespace hlocc::driver
