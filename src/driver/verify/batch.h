// Which cases of `verify --target` go into one program, and what becomes of them while programs do
// not link or die. What links and runs them is the caller's (ahead.cpp).
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "driver/verify/ahead_case.h"
#include "driver/verify/board.h"
#include "driver/verify/verdict.h"

namespace hlocc::driver {

// How long a program may run on a board.
inline constexpr int kBoardSeconds = 200;
// What start-up code, the program itself and the linker's padding take of the flash.
inline constexpr int64_t kFlashReserve = 64 * 1024;

// Why a case has no room on the board even alone; empty: it has. `guard`: what is between guards
// takes room, too.
std::string lack_of_room(const CompiledCase& one, const Board& board, bool guard);

// The cases of one program.
class CaseBatch {
 public:
  explicit CaseBatch(const Board& board) : board_(board) {}
  bool has_room_for(const CompiledCase& one) const;
  void add(CompiledCase one);
  void clear();
  std::span<const CompiledCase> cases() const { return cases_; }

 private:
  const Board& board_;
  std::vector<CompiledCase> cases_;
  int64_t flash_ = kFlashReserve;
};

// What a program of a batch is made and run by. Errors of `link`: no case is to blame.
struct BatchTools {
  std::function<Result<ChildOutcome>(std::span<const CompiledCase>)> link;
  std::function<ChildOutcome(size_t first)> run;  // from that case on
  std::function<bool(const BatchCase&)> has_results;
  std::function<CaseOutcome(const BatchCase&)> compare;
};
// Links and runs; a batch that does not link is halved until the culprit stands alone, a program
// that dies is started again behind the case that killed it. Outcomes are by the cases' numbers.
void run_case_batch(std::span<const CompiledCase> batch, const BatchTools& tools, bool guard,
                    std::vector<CaseOutcome>& outcomes);

// Bytes of the output file of a case that ran through.
int64_t output_bytes(const BatchCase& one, bool guard);
// Why a program left no results of a case.
std::string how_it_died(const ChildOutcome& ran, const BatchCase& one, bool guard);

}  // namespace hlocc::driver
