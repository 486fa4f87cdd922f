// Takes the arrays of a RowSchedule, and finds anew what one row of each is made of: there all
// rates are in rows of the exit, here in rows of the entrance. See stream_schedule.h.
#include "transforms/stream/stream_schedule.h"

#include <algorithm>

#include "support/check.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::InstructionId;

namespace {

int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

class OneRow {
 public:
  OneRow(const Computation& c, const RowSchedule& rows) : c_(c) {
    for (size_t i = 0; i < rows.stored.size(); ++i) stored_[rows.stored[i].value] = i;
  }

  // What a row of a stored array takes of the others.
  std::map<size_t, RowSpan> taken_by(const StoredRows& stored) {
    out_.clear();
    ask_operands(stored.value, stored.dimension, {0, 0});
    return std::move(out_);
  }

 private:
  void ask_operands(InstructionId id, int64_t dimension, RowSpan span) {
    const std::optional<RowReads> reads = row_reads(c_, c_[id], dimension);
    HLOCC_CHECK(reads.has_value(), "a chain of rows has an op that has none");
    for (size_t i = 0; i < reads->size(); ++i) {
      if (!(*reads)[i]) continue;
      const RowRead& read = *(*reads)[i];
      const int64_t low = span.low * read.stride - read.low;
      ask(c_[id].operands[i], read.dimension,
          {low, low + (span.high - span.low) * read.stride + read.size - 1});
    }
  }
  void ask(InstructionId id, int64_t dimension, RowSpan span) {
    const auto found = stored_.find(id);
    if (found == stored_.end()) return ask_operands(id, dimension, span);
    const auto [known, is_new] = out_.try_emplace(found->second, span);
    known->second.low = std::min(known->second.low, span.low);
    known->second.high = std::max(known->second.high, span.high);
  }

  const Computation& c_;
  std::map<InstructionId, size_t> stored_;
  std::map<size_t, RowSpan> out_;
};

class StreamMaker {
 public:
  StreamMaker(const Computation& c, const RowSchedule& rows) : rows_(rows), one_row_(c, rows) {
    out_.entrance = rows.entrance;
    out_.exit = rows.exit;
    out_.is_reduced = rows.is_reduced;
  }

  StreamSchedule make() {
    for (const StoredRows& stored : rows_.stored) add(stored);
    StreamedRows& exit = out_.arrays.back();
    exit.last = exit.stored.height - 1;
    // Readers stand behind what they read.
    for (size_t i = out_.arrays.size(); i-- > 0;) wait_for(i);
    StreamedRows& entrance = out_.arrays.front();
    entrance.last = std::max(entrance.last, entrance.stored.height - 1);
    entrance.is_kept = entrance.rows > 1 || entrance.stored.beyond;
    out_.steps = std::max(entrance.stored.height, exit.last_step() + 1);
    return std::move(out_);
  }

 private:
  // A row is made as soon as the last that it takes has come.
  void add(const StoredRows& stored) {
    StreamedRows made{.stored = stored};
    made.rate = rows_.stored.front().rate / stored.rate;
    if (!out_.arrays.empty()) {
      taken_.push_back(one_row_.taken_by(stored));
      made.stored.reads.clear();
      for (const auto& [index, span] : taken_.back()) {
        const StreamedRows& read = out_.arrays[index];
        made.stored.reads.push_back(index);
        made.first = std::max(made.first, read.first + read.rate * span.high);
      }
    } else {
      taken_.emplace_back();
    }
    out_.arrays.push_back(std::move(made));
  }

  void wait_for(size_t reader_index) {
    StreamedRows& reader = out_.arrays[reader_index];
    const int64_t last = std::min(reader.last, reader.stored.height - 1);
    for (const auto& [index, span] : taken_[reader_index]) {
      StreamedRows& read = out_.arrays[index];
      const int64_t newest = floor_of(reader.first - read.first, read.rate);
      reader.newest.push_back(newest);
      reader.taken.push_back(span);
      read.rows = std::max(read.rows, newest - span.low + 1);
      read.last = std::max(read.last, reader.rate / read.rate * last + newest);
    }
  }

  const RowSchedule& rows_;
  OneRow one_row_;
  std::vector<std::map<size_t, RowSpan>> taken_;  // by array: of which others
  StreamSchedule out_;
};

}  // namespace

int64_t StreamSchedule::bytes(const Computation& computation) const {
  int64_t sum = computation[exit].shape.byte_size(), largest = 0;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const int64_t row = arrays[i].stored.row_bytes;
    if (arrays[i].is_kept && i + 1 < arrays.size()) sum += arrays[i].rows * row;
    if (i > 0) largest = std::max(largest, row);
  }
  return sum + largest;
}

// From the exit to the entrance: which rows of each array the exit is made of.
std::optional<BorderRead> border_read(const StreamSchedule& schedule) {
  const std::vector<StreamedRows>& arrays = schedule.arrays;
  std::vector<RowSpan> needed(arrays.size(), {INT64_MAX, INT64_MIN});
  needed.back() = {0, arrays.back().stored.height - 1};
  std::optional<BorderRead> first;
  for (size_t i = arrays.size(); i-- > 0;) {
    const int64_t last = arrays[i].stored.height - 1;
    if (needed[i].low > needed[i].high) continue;
    if (needed[i].low < 0 || needed[i].high > last)
      first = {i, std::max<int64_t>(0, -needed[i].low),
               std::max<int64_t>(0, needed[i].high - last)};
    const RowSpan inside{std::max<int64_t>(needed[i].low, 0), std::min(needed[i].high, last)};
    for (size_t k = 0; k < arrays[i].taken.size(); ++k) {
      const size_t read = arrays[i].stored.reads[k];
      const int64_t stride = arrays[i].rate / arrays[read].rate;
      needed[read].low = std::min(needed[read].low, inside.low * stride + arrays[i].taken[k].low);
      needed[read].high =
          std::max(needed[read].high, inside.high * stride + arrays[i].taken[k].high);
    }
  }
  return first;
}

std::optional<StreamSchedule> schedule_stream(const hlo::Module& module,
                                              const Computation& computation,
                                              const std::vector<std::vector<InstructionId>>& users,
                                              InstructionId entrance, InstructionId exit,
                                              int64_t dimension) {
  for (int64_t counted = 0; counted < std::max(1, computation[exit].shape.rank()); ++counted) {
    const std::optional<RowSchedule> rows =
        schedule_rows(module, computation, users, entrance, exit, {}, counted);
    if (rows && rows->stored.front().dimension == dimension)
      return StreamMaker(computation, *rows).make();
  }
  return std::nullopt;
}

RowSchedule schedule_of_row(const StreamSchedule& schedule, size_t index) {
  RowSchedule out;
  out.entrance = schedule.entrance;
  out.exit = schedule.exit;
  out.is_reduced = schedule.is_reduced;
  for (const StreamedRows& array : schedule.arrays) {
    StoredRows& stored = out.stored.emplace_back(array.stored);
    stored.rate = 1;
    stored.lead = stored.oldest = 0;
    stored.beyond.reset();
  }
  const StreamedRows& made = schedule.arrays[index];
  for (size_t i = 0; i < made.newest.size(); ++i) {
    StoredRows& read = out.stored[made.stored.reads[i]];
    read.lead = made.newest[i];
    read.oldest = read.lead - schedule.arrays[made.stored.reads[i]].rows + 1;
  }
  return out;
}

}  // namespace hlocc::transforms
