// A chain of ops as a program that takes one row of its entrance a step: when each array of the
// chain makes a row, and how many of its rows are kept.
//
// Step i takes row i of the entrance; steps behind the last row make what lies below the image. An
// array makes its row y in step first + rate * y, after those that it is made of.
#pragma once
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

// Rows low ... high of an array, beside stride * y.
struct RowSpan {
  int64_t low = 0, high = 0;
};

struct StreamedRows {
  StoredRows stored;            // value, dimension, height, row_bytes, beyond, reads, whole
  int64_t rate = 1, first = 0;  // rows of the entrance for one of its own; step of row 0
  int64_t rows = 1;             // kept, with the newest
  int64_t last = 0;             // number of the last row that a reader waits for
  std::vector<int64_t> newest;  // by `stored.reads`: what has come there, beside stride * y
  std::vector<RowSpan> taken;   // by `stored.reads`: what a row is made of
  bool is_kept = true;          // false: the entrance's row, which no one needs later

  int64_t last_step() const { return first + rate * last; }
  // Of the last row that the array has; behind it come those beyond.
  int64_t last_made() const { return first + rate * (std::min(last, stored.height - 1)); }
};

struct StreamSchedule {
  hlo::InstructionId entrance = hlo::kNone, exit = hlo::kNone;
  bool is_reduced = false;           // RowSchedule's
  std::vector<StreamedRows> arrays;  // the entrance first, the exit's rows last
  int64_t steps = 0;
  // Windows follow one another, so many rows apart; 0: there is one. Then arrays go on making rows,
  // and the exit is a window, too.
  int64_t every = 0;

  // What is alive while rows come: windows, the exit, and the rows that the largest step works on.
  int64_t bytes(const hlo::Computation& computation) const;
};

// None if what lies between is no chain of rows (schedule_rows), or these are not counted by
// `dimension` of the entrance.
std::optional<StreamSchedule> schedule_stream(
    const hlo::Module& module, const hlo::Computation& computation,
    const std::vector<std::vector<hlo::InstructionId>>& users, hlo::InstructionId entrance,
    hlo::InstructionId exit, int64_t dimension);

// A layer whose rows beside the image the exit depends on: they would be others in another window.
struct BorderRead {
  size_t array = 0;                // that has these rows, by index
  int64_t before = 0, behind = 0;  // rows before the first, behind the last
};
std::optional<BorderRead> border_read(const StreamSchedule& schedule);

// As RowsOfChain wants it to make one row of array `index`.
RowSchedule schedule_of_row(const StreamSchedule& schedule, size_t index);

}  // namespace hlocc::transforms
