// Walks from the exit to the entrance and collects, for each value, which rows its readers ask for.
// See row_schedule.h.
#include "transforms/rows/row_schedule.h"

#include <algorithm>
#include <numeric>

#include "hlo/dimensions.h"
#include "support/product.h"
#include "support/rounding.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Literal;
using hlo::Module;
using hlo::Opcode;

namespace {

int64_t divided_down(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// Rows low + rate * t ... of a value, for the stored array `reader`.
struct Request {
  InstructionId reader;
  int64_t low, count;
  bool operator==(const Request&) const = default;
};

// What is known of a value when the walk reaches it: all that its readers ask. The rate is that for
// a row of the exit.
struct Asked {
  int64_t dimension = 0, rate = 1;
  std::optional<Literal> beyond;
  std::vector<Request> requests;
};

class Walk {
 public:
  Walk(const Module& module, const Computation& c,
       const std::vector<std::vector<InstructionId>>& users, InstructionId entrance,
       InstructionId exit, Iteration iteration, int64_t dimension)
      : module_(module),
        c_(c),
        users_(users),
        iteration_(iteration),
        depends_(exit + 1),
        dimension_(dimension) {
    out_.entrance = entrance;
    out_.exit = exit;
  }

  std::optional<RowSchedule> schedule() {
    mark_dependent();
    if (!begin()) return std::nullopt;
    // Operands stand before their users, so that all readers of a value have asked by then.
    for (auto next = asked_.end(); next != asked_.begin();) {
      const InstructionId id = std::prev(next)->first;
      if (!visit(id)) return std::nullopt;
      next = asked_.find(id);
    }
    if (!finish()) return std::nullopt;
    return std::move(out_);
  }

 private:
  // Which values hang on the entrance.
  void mark_dependent() {
    depends_[out_.entrance] = true;
    for (InstructionId id = out_.entrance + 1; id <= out_.exit; ++id)
      depends_[id] = std::ranges::any_of(c_[id].operands,
                                         [&](InstructionId operand) { return depends_[operand]; });
  }

  bool begin() {
    const Instruction& exit = c_[out_.exit];
    if (!depends_[out_.exit] || out_.exit == out_.entrance || !exit.shape.is_array()) return false;
    out_.is_reduced = reduces_rows(module_, c_, exit);
    rows_of_ = out_.is_reduced ? exit.operands[0] : out_.exit;
    const int64_t dimension = out_.is_reduced ? reduced_rows(c_, exit) : dimension_;
    if (c_[rows_of_].shape.rank() <= dimension || rows_of_ == out_.entrance) return false;
    Asked& rows = asked_[rows_of_];
    rows.dimension = dimension;
    const auto made = pace(rows);
    if (!made) return false;
    rows.requests = {{rows_of_, 0, made->first}};
    return fits_height(c_[rows_of_].shape.dimensions[dimension], made->first);
  }

  // The last iteration may make fewer rows of the exit, where those that it makes of other arrays
  // beside are few of all.
  static bool fits_height(int64_t height, int64_t made) {
    constexpr int64_t kFewest = 16;
    return height > made && (round_up(height, made) - height) * kFewest <= height;
  }

  // Made where it is needed, once for each reader: what costs nothing, and padding, which a kernel
  // takes along.
  bool is_made_anew(InstructionId id, const Asked& asked) const {
    if (!depends_[id]) return true;
    return c_[id].opcode == Opcode::kPad && !asked.beyond;
  }

  // Rows that an iteration makes, and the iterations that it takes for one; none: these don't fit.
  std::optional<std::pair<int64_t, int64_t>> pace(const Asked& asked) const {
    const int64_t rows = asked.rate * iteration_.rows, in = iteration_.iterations;
    const int64_t together = asked.rate >= iteration_.together_from ? iteration_.together : 1,
                  made = std::max(ceil_div(rows, in), together);
    if (made * in % rows != 0) return std::nullopt;
    return std::pair(made, made * in / rows);
  }

  // All readers are of one step and take the same rows, no more than are made from one of its
  // iterations to the next.
  bool is_handed_on(const Asked& asked) const {
    const Request& first = asked.requests[0];
    const Asked& reader = asked_.at(first.reader);
    return !asked.beyond && first.count * reader.rate <= asked.rate * pace(reader)->first &&
           std::ranges::all_of(asked.requests, [&](const Request& r) { return r == first; });
  }

  bool visit(InstructionId id) {
    const Asked asked = asked_.at(id);
    if (!pace(asked)) return false;
    if (depends_[id]) out_.dimension[id] = asked.dimension;
    if (id == out_.entrance) return store(id, asked), true;
    const std::optional<RowReads> reads = row_reads(c_, c_[id], asked.dimension);
    if (!reads) return false;
    if (id == rows_of_ || iteration_.ahead.contains(id) ||
        !(is_made_anew(id, asked) || is_handed_on(asked))) {
      const StoredRows& stored = store(id, asked);
      const Request own{id, stored.first_made(), stored.made()};
      return ask_operands(id, asked, *reads, own);
    }
    if (!is_made_anew(id, asked) && is_read_by_kernel(id))
      handed_on_[asked.requests[0].reader].push_back(asked.requests[0].count *
                                                     narrowest_row(id, asked.dimension));
    return std::ranges::all_of(
        asked.requests, [&](const Request& r) { return ask_operands(id, asked, *reads, r); });
  }

  // By one that does not take along what makes the value.
  bool is_read_by_kernel(InstructionId id) const {
    return std::ranges::any_of(users_[id], [&](InstructionId user) {
      const Opcode opcode = c_[user].opcode;
      if (opcode == Opcode::kPad) return is_read_by_kernel(user);
      return opcode == Opcode::kConvolution || opcode == Opcode::kReduceWindow ||
             opcode == Opcode::kReduce;
    });
  }

  int64_t row_bytes(InstructionId id, int64_t dimension) const {
    const hlo::Shape& shape = c_[id].shape;
    return shape.byte_size() / shape.dimensions[dimension];
  }

  // What makes elements wider is left to those who read them (transforms/fusion/fuse_epilogue.h).
  int64_t narrowest_row(InstructionId id, int64_t dimension) const {
    int64_t bytes = row_bytes(id, dimension);
    while (c_[id].opcode == Opcode::kConvert) {
      id = c_[id].operands[0];
      bytes = std::min(bytes, row_bytes(id, dimension));
    }
    return bytes;
  }

  // The walk met the last of them first: each is alive with the next.
  int64_t making_bytes(const StoredRows& stored) const {
    const bool is_added_up = out_.is_reduced && stored.value == rows_of_;
    int64_t after = stored.made() * (is_added_up ? narrowest_row(stored.value, stored.dimension)
                                                 : stored.row_bytes);
    int64_t most = after;
    const auto found = handed_on_.find(stored.value);
    if (found == handed_on_.end()) return most;
    for (int64_t bytes : found->second) {
      most = std::max(most, bytes + after);
      after = bytes;
    }
    return most;
  }

  const StoredRows& store(InstructionId id, const Asked& asked) {
    const hlo::Shape& shape = c_[id].shape;
    StoredRows stored{.value = id,
                      .dimension = asked.dimension,
                      .height = shape.dimensions[asked.dimension],
                      .rate = pace(asked)->first,
                      .period = pace(asked)->second,
                      .lead = INT64_MIN,
                      .oldest = INT64_MAX,
                      .beyond = asked.beyond};
    stored.row_bytes = row_bytes(id, asked.dimension);
    for (const Request& r : asked.requests) {
      stored.lead = std::max(stored.lead, r.low + r.count - stored.rate);
      stored.oldest = std::min(stored.oldest, r.low);
    }
    if (const auto ahead = iteration_.ahead.find(id); ahead != iteration_.ahead.end())
      stored.lead += ahead->second;
    readers_[id] = asked.requests;
    return out_.stored.emplace_back(std::move(stored));
  }

  // What `id` takes of its operands to make the rows that are asked for.
  bool ask_operands(InstructionId id, const Asked& asked, const RowReads& reads,
                    const Request& request) {
    for (size_t i = 0; i < reads.size(); ++i) {
      const InstructionId operand = c_[id].operands[i];
      if (!reads[i]) {
        if (depends_[operand]) return false;
        whole_[request.reader].push_back(operand);
        continue;
      }
      const RowRead& read = *reads[i];
      if (!ask(operand, asked.rate * read.stride, read,
               {request.reader, request.low * read.stride - read.low,
                (request.count - 1) * read.stride + read.size}))
        return false;
    }
    return true;
  }

  bool ask(InstructionId operand, int64_t rate, const RowRead& read, const Request& request) {
    const auto [entry, is_new] = asked_.try_emplace(operand);
    Asked& asked = entry->second;
    if (is_new) {
      asked.dimension = read.dimension;
      asked.rate = rate;
    }
    if (asked.dimension != read.dimension || asked.rate != rate) return false;
    if (read.beyond && asked.beyond && !(*read.beyond == *asked.beyond)) return false;
    if (read.beyond) asked.beyond = read.beyond;
    if (std::ranges::find(asked.requests, request) == asked.requests.end())
      asked.requests.push_back(request);
    return true;
  }

  // Nothing outside reads what the chain makes, but its exit.
  bool is_closed() const {
    return std::ranges::all_of(out_.dimension, [&](const auto& value) {
      const InstructionId id = value.first;
      if (id == out_.entrance || id == out_.exit) return true;
      return id != c_.root && std::ranges::all_of(users_[id], [&](InstructionId user) {
               return out_.dimension.contains(user) || user == out_.exit;
             });
    });
  }

  bool finish() {
    if (!out_.dimension.contains(out_.entrance) || !is_closed()) return false;
    std::ranges::sort(out_.stored, {}, &StoredRows::value);
    std::map<InstructionId, size_t> index;
    for (size_t i = 0; i < out_.stored.size(); ++i) index[out_.stored[i].value] = i;
    for (size_t i = 0; i < out_.stored.size(); ++i) {
      StoredRows& stored = out_.stored[i];
      out_.first = std::min(out_.first, stored.period * divided_down(-stored.lead, stored.rate));
      stored.making_bytes = making_bytes(stored);
      stored.whole = whole_[stored.value];
      std::ranges::sort(stored.whole);
      stored.whole.erase(std::ranges::unique(stored.whole).begin(), stored.whole.end());
      for (const Request& r : readers_[stored.value])
        if (r.reader != stored.value) add_read(out_.stored[index.at(r.reader)], i, r);
    }
    out_.first = divided_down(out_.first, out_.round()) * out_.round();
    const StoredRows& last = out_.stored.back();
    out_.iterations = (ceil_div(last.height, last.rate) - 1) * last.period + 1 - out_.first;
    out_.is_over_entrance = fits_over_entrance();
    return true;
  }

  bool fits_over_entrance() const {
    const StoredRows &from = out_.stored.front(), &to = out_.stored.back();
    if (out_.is_reduced || out_.entrance == c_.root || !is_contiguous(from) || !is_contiguous(to) ||
        c_[from.value].shape.element_type != c_[to.value].shape.element_type)
      return false;
    if (!std::ranges::all_of(users_[out_.entrance],
                             [&](InstructionId user) { return out_.dimension.contains(user); }))
      return false;
    for (int64_t row = 0; row < to.height; row += to.rate) {
      const int64_t t = row / to.rate * to.period, newest = from.first_made() + from.made();
      const int64_t taken = std::min(from.height, from.rate * (t / from.period) + newest);
      if (std::min(row + to.rate, to.height) * to.row_bytes > taken * from.row_bytes) return false;
    }
    return true;
  }

  // A row after the other.
  bool is_contiguous(const StoredRows& rows) const {
    return product(std::span(c_[rows.value].shape.dimensions).first(rows.dimension)) == 1;
  }

  static void add_read(StoredRows& reader, size_t i, const Request& request) {
    const RowSpan rows{request.low, request.low + request.count - 1};
    const auto found = std::ranges::find(reader.reads, i);
    if (found == reader.reads.end()) {
      reader.reads.push_back(i);
      reader.taken.push_back(rows);
      return;
    }
    RowSpan& known = reader.taken[static_cast<size_t>(found - reader.reads.begin())];
    known = {std::min(known.low, rows.low), std::max(known.high, rows.high)};
  }

  const Module& module_;
  const Computation& c_;
  const std::vector<std::vector<InstructionId>>& users_;
  Iteration iteration_;
  std::vector<bool> depends_;
  const int64_t dimension_;  // of an exit that is no reduction
  InstructionId rows_of_ = hlo::kNone;
  std::map<InstructionId, Asked> asked_;
  std::map<InstructionId, std::vector<Request>> readers_;
  std::map<InstructionId, std::vector<InstructionId>> whole_;
  // Bytes of the rows that live for one step, by the stored array that they go into.
  std::map<InstructionId, std::vector<int64_t>> handed_on_;
  RowSchedule out_;
};

}  // namespace

std::optional<RowSchedule> schedule_rows(const Module& module, const Computation& computation,
                                         const std::vector<std::vector<InstructionId>>& users,
                                         InstructionId entrance, InstructionId exit,
                                         Iteration iteration, int64_t dimension) {
  return Walk(module, computation, users, entrance, exit, iteration, dimension).schedule();
}

}  // namespace hlocc::transforms
