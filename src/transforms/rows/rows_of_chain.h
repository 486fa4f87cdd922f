// The instructions that make the rows of one stored array in one iteration, of windows of others.
#pragma once
#include <map>
#include <optional>

#include "transforms/rewriter.h"
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

// Where a computation finds what rows are made of.
struct RowValues {
  InstructionId iteration = kNone;  // s32, from 0
  InstructionId entrance = kNone;
  std::map<InstructionId, InstructionId> whole;  // by their id around the loop
  std::map<size_t, InstructionId> windows;       // by stored array, after this iteration's rows
};

// A constant as counters of rows and starts of slices are.
InstructionId index_s32(Rewriter& r, int64_t value);

// A value that is copied into the computation that reads it: constants, and arrays of one constant.
bool is_copied(const Computation& outer, InstructionId value);

class RowsOfChain {
 public:
  RowsOfChain(const Module& module, ComputationId outer, const RowSchedule& schedule)
      : module_(module), outer_(outer), s_(schedule) {}

  // Every iteration that the array's period divides makes at least one row of it.
  bool is_always_made(size_t index) const;
  // A pred: this one, which the period divides, makes one.
  InstructionId is_made(Rewriter& r, size_t index, InstructionId iteration) const;
  // A pred: the array's period divides this iteration.
  InstructionId is_due(Rewriter& r, const StoredRows& stored, InstructionId iteration) const;
  // The number of the first row that an iteration makes.
  InstructionId first_row(Rewriter& r, const StoredRows& stored, InstructionId iteration) const;
  // The rows; those outside of the array hold what lies beyond it.
  InstructionId rows(Rewriter& r, size_t index, const RowValues& at) const;
  // Of the exit, whose last iteration may make fewer: the first `count` of them.
  InstructionId exit_rows(Rewriter& r, const RowValues& at, int64_t count) const;
  // Rows that the exit's last iteration makes.
  int64_t last_exit_rows() const;
  // A pred: this iteration makes all rows of the exit that one can, or (`last`) the fewer ones.
  InstructionId is_exit_made(Rewriter& r, InstructionId iteration, bool last) const;

  // What `rows` reads, in the order in which `unpack` takes it out of a tuple again.
  std::vector<InstructionId> needed(size_t index, const RowValues& at,
                                    std::optional<InstructionId> carried) const;
  // Gives the carried value, or the tuple where there is none.
  InstructionId unpack(Rewriter& r, InstructionId packed, size_t index, const RowValues& around,
                       std::optional<InstructionId> carried, RowValues& at) const;

 private:
  const Computation& outer() const { return module_.computations[outer_]; }
  // The first iteration, from 0, that its period divides.
  int64_t phase(const StoredRows& stored) const { return -s_.first % stored.period; }
  // Iterations, from 0, that make rows of the array: [first, last].
  std::pair<int64_t, int64_t> made_in(const StoredRows& stored) const;
  bool has_rows_beyond(const StoredRows& stored) const;
  // The first of the rows that iteration i, from 0, makes, if it makes any.
  int64_t row_made(const StoredRows& stored, int64_t i) const {
    return stored.rate * ((i + s_.first) / stored.period) + stored.first_made();
  }
  InstructionId slice_of_entrance(Rewriter& r, const StoredRows& stored, InstructionId row,
                                  int64_t count, const RowValues& at) const;
  InstructionId loaded(Rewriter& r, const StoredRows& stored, const RowValues& at) const;
  // Iterations, from 0, all of whose rows lie inside of the array: [first, last].
  std::pair<int64_t, int64_t> inside_in(const StoredRows& stored) const;
  // The rows, with what lies beyond the array in the iterations that make such.
  InstructionId within_array(Rewriter& r, const StoredRows& stored, InstructionId rows,
                             InstructionId iteration) const;
  InstructionId masked(Rewriter& r, const StoredRows& stored, InstructionId rows,
                       InstructionId iteration) const;

  const Module& module_;
  ComputationId outer_;
  const RowSchedule& s_;
};

}  // namespace hlocc::transforms
