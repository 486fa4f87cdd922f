// A chain of ops as a loop over rows: which arrays between its entrance and its exit hold a window
// of rows, how many, and how far each runs ahead of the exit.
//
// An iteration makes a row of the exit, several, or a part of one: then of each array a row, and of
// those with fewer rows one in every `period` iterations. A stored array v makes its rows
// rate * t / period + lead ... + rate - 1 in iteration t; what its readers take of it begins at row
// rate * t / period + oldest. All other values are made of stored ones where they are needed and
// live for a row.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "hlo/module.h"
#include "transforms/rows/row_reads.h"

namespace hlocc::transforms {

// Rows of the exit an iteration: rows / iterations, of which one is 1.
struct Iteration {
  int64_t rows = 1, iterations = 1;
  // Of arrays of which an iteration makes fewer rows so many come together, in every second,
  // fourth, ... of them: of those that have at least `together_from` rows for one of the exit.
  int64_t together = 1, together_from = 1;
  // Values that are stored, though one reader takes each row once: they are made so many rows
  // before that, where they take fewer bytes than what they are made of would.
  std::map<hlo::InstructionId, int64_t> ahead;
};

// Rows low ... high of an array, beside a first one that is told.
struct RowSpan {
  int64_t low = 0, high = 0;
};

struct StoredRows {
  hlo::InstructionId value = hlo::kNone;
  int64_t dimension = 0;              // that counts its rows
  int64_t height = 0, row_bytes = 0;  // rows of the whole array; bytes of one
  // Iterations t that `period` does not divide make none.
  int64_t rate = 1, period = 1, lead = 0, oldest = 0;
  // What rows before the first and behind the last hold; none: no one reads them.
  std::optional<hlo::Literal> beyond;
  // The most that making its rows takes: they, and what convolutions and pools hand on before.
  int64_t making_bytes = 0;
  // Indices of the stored arrays, and whole values of the computation around, that it is made of.
  std::vector<size_t> reads;
  std::vector<RowSpan> taken;  // by `reads`: beside their rate * t / period
  std::vector<hlo::InstructionId> whole;

  int64_t rows() const { return rate + lead - oldest; }
  // Rows that an iteration makes: no more than the window holds.
  int64_t made() const { return std::min(rate, rows()); }
  int64_t first_made() const { return lead + rate - made(); }  // beside rate * t / period
  // Kept from one iteration to the next.
  bool is_kept() const { return rows() > made(); }
  int64_t kept_bytes() const { return (rows() - made()) * row_bytes; }
};

struct RowSchedule {
  hlo::InstructionId entrance = hlo::kNone, exit = hlo::kNone;
  // The exit is a reduction of the rows, added up as they come; else it is an array of them.
  bool is_reduced = false;
  // The rows of the exit may lie where those of the entrance did: nothing reads it any more, and no
  // row is written before all that lies there was taken into a window.
  bool is_over_entrance = false;
  // The entrance first, the rows of the exit (or those that it reduces) last, operands before
  // users.
  std::vector<StoredRows> stored;
  std::map<hlo::InstructionId, int64_t> dimension;  // of every value with rows in the chain
  // t counts from `first`, which is not above 0.
  int64_t first = 0, iterations = 0;
  // Where rows of the entrance arrive one an iteration (stream/stream_schedule.h), iteration i has
  // row i: the entrance of the loop is that row.
  bool rows_arrive = false;
  // Windows follow one another, so many rows of the entrance apart: arrays go on making rows, and
  // the exit is a window, too. 0: there is a first row and a last one.
  int64_t every = 0;

  // Iterations until all arrays make rows in the same one again.
  int64_t round() const;

  // What is alive while the loop runs, beside entrance and exit: rows that windows keep, and those
  // that the largest step works on.
  int64_t bytes() const;
  // What moves within the windows in all iterations, and what choosing between rows and borders
  // costs beside, as bytes that move.
  int64_t bytes_moved() const;
};

// None if what lies between is no chain of rows, has readers outside, or cannot be made in such
// iterations. `users` is Computation::users(). `dimension` counts the rows of an exit that is no
// reduction.
std::optional<RowSchedule> schedule_rows(const hlo::Module& module,
                                         const hlo::Computation& computation,
                                         const std::vector<std::vector<hlo::InstructionId>>& users,
                                         hlo::InstructionId entrance, hlo::InstructionId exit,
                                         Iteration iteration = {}, int64_t dimension = 1);

// Of a reduction, the dimension that counts its rows: the first of those that go which has several
// elements.
int64_t reduced_rows(const hlo::Computation& computation, const hlo::Instruction& reduction);

// Reductions whose rows may be taken one after the other: sums of integers, maxima and minima in
// any order, sums of floats in the order of the rows and of the elements of each. Lowering adds up
// floats so where their last dimension stays; elsewhere lanes have sums of their own, and narrow
// types are added up in wider ones.
bool reduces_rows(const hlo::Module& module, const hlo::Computation& computation,
                  const hlo::Instruction& op);
// One of floats: the order of its elements decides about bits.
bool is_ordered_sum(const hlo::Module& module, const hlo::Instruction& reduction);

}  // namespace hlocc::transforms
