// With --stream: the chain behind an argument becomes a loop that takes one row of it a step, and
// the argument becomes that row. Why it pays: the image is never in memory.
//
// A chain may end at any array through which all goes that depends on the argument. An end far
// behind needs many windows, an early one a large array: both are estimated, the driver tries the
// best few.
#include <algorithm>

#include "support/text.h"
#include "transforms/pass.h"
#include "transforms/stream/stream_loop.h"
#include "transforms/stream/stream_schedule.h"

namespace hlocc::transforms {
namespace {

struct StreamEnd {
  InstructionId exit = kNone;
  int64_t bytes = 0;  // estimated peak while rows come and behind
  RowSchedule schedule;
};

class StreamEnds {
 public:
  StreamEnds(const Module& module, InstructionId entrance, int64_t axis)
      : module_(module),
        c_(module.entry_computation()),
        users_(c_.users()),
        entrance_(entrance),
        axis_(axis),
        depends_(c_.instructions.size()) {
    depends_[entrance] = true;
    for (InstructionId id = entrance + 1; id < size(); ++id)
      depends_[id] = std::ranges::any_of(c_[id].operands,
                                         [&](InstructionId operand) { return depends_[operand]; });
  }

  // Best first.
  std::vector<StreamEnd> all() const {
    std::vector<StreamEnd> out;
    for (InstructionId id : cuts())
      if (auto schedule = schedule_stream(module_, c_, users_, entrance_, id, axis_))
        out.push_back({id, schedule->bytes() + bytes_of(id), *std::move(schedule)});
    // Behind an end, arrays are made as wholes.
    int64_t behind = 0;
    for (size_t i = out.size(); i-- > 0;) {
      const int64_t own = c_[out[i].exit].shape.byte_size();
      if (i + 1 < out.size()) behind = std::max(behind, own + bytes_of(out[i + 1].exit));
      out[i].bytes = std::max(out[i].bytes, behind);
    }
    std::ranges::stable_sort(out, {}, &StreamEnd::bytes);
    return out;
  }

  // As far behind as rows go, but for sums of them: where windows follow one another, all that is
  // made of rows is kept, and the rest is what all rows are wanted for.
  std::optional<RowSchedule> last() const {
    const std::vector<InstructionId> ends = cuts();
    for (auto id = ends.rbegin(); id != ends.rend(); ++id)
      if (!reduces_rows(module_, c_, c_[*id]) &&
          schedule_stream(module_, c_, users_, entrance_, *id, axis_))
        return schedule_stream(module_, c_, users_, entrance_, smallest_up_to(*id), axis_);
    return std::nullopt;
  }

  // Of an array and those that elementwise ops make it of, the one of the fewest bytes.
  InstructionId smallest_up_to(InstructionId end) const {
    InstructionId smallest = end;
    for (InstructionId id = end; is_elementwise(c_[id]);) {
      const std::vector<InstructionId>& operands = c_[id].operands;
      const auto is_made = [&](InstructionId operand) { return depends_[operand]; };
      if (std::ranges::count_if(operands, is_made) != 1) break;
      id = *std::ranges::find_if(operands, is_made);
      if (id == entrance_ || users_[id].size() != 1) break;
      if (bytes_of(id) < bytes_of(smallest)) smallest = id;
    }
    return smallest;
  }

  // Of the ops that make `reader` of `read`, the one that has borders.
  InstructionId border_op(InstructionId read, InstructionId reader) const {
    InstructionId found = reader;
    for (InstructionId id = reader; id > read; --id) {
      const Opcode opcode = c_[id].opcode;
      const bool has_border = opcode == Opcode::kPad || opcode == Opcode::kConvolution ||
                              opcode == Opcode::kReduceWindow;
      if (has_border && std::ranges::count(users_[read], id) > 0) found = id;
    }
    return found;
  }

  // The op that wants all rows of what it reads.
  InstructionId obstacle() const {
    for (InstructionId id = entrance_ + 1; id < size(); ++id) {
      if (!depends_[id]) continue;
      if (!c_[id].shape.is_array() || !schedule_stream(module_, c_, users_, entrance_, id, axis_))
        return id;
    }
    return kNone;
  }

 private:
  InstructionId size() const { return static_cast<InstructionId>(c_.instructions.size()); }
  int64_t bytes_of(InstructionId id) const { return c_[id].shape.byte_size(); }

  // Arrays through which all goes, and behind which something other than the next elementwise op
  // comes.
  std::vector<InstructionId> cuts() const {
    std::vector<InstructionId> out;
    InstructionId open = entrance_;  // the last reader of what came before
    for (InstructionId id = entrance_; id < size(); ++id) {
      if (!depends_[id]) continue;
      if (id != entrance_ && open <= id && c_[id].shape.is_array() && is_end(id)) out.push_back(id);
      for (InstructionId user : users_[id]) open = std::max(open, user);
      if (id == c_.root) open = size();
    }
    return out;
  }

  bool is_end(InstructionId id) const {
    if (id == c_.root || reduces_rows(module_, c_, c_[id])) return true;
    return std::ranges::any_of(users_[id],
                               [&](InstructionId user) { return !is_elementwise(c_[user]); });
  }

  const Module& module_;
  const Computation& c_;
  std::vector<std::vector<InstructionId>> users_;
  InstructionId entrance_;
  int64_t axis_;
  std::vector<bool> depends_;
};

std::string name(const Instruction& i) {
  return i.metadata.hlo_name.empty() ? i.name : i.metadata.hlo_name;
}

std::string rows_text(int64_t count, const char* where) {
  return count == 0 ? "" : cat(count, count == 1 ? " row " : " rows ", where);
}

Status check_spacing(const Module& module, InstructionId parameter, int64_t axis, int64_t every) {
  const std::string request = cat("--every ", every);
  const int64_t rows = module.entry_computation()[parameter].shape.dimensions[axis];
  if (every > rows)
    return error(DiagnosticKind::kUsage,
                 cat(request, ": a window has ", rows, " rows, some would be in none"))
        .note(cat("--every ", rows, " at most"));
  if (!module.aliases.empty())
    return error(DiagnosticKind::kUnsupported,
                 cat(request, ": argument ", module.aliases[0].parameter,
                     " is state that each result changes"))
        .note("without --every each window begins anew");
  return {};
}

// Rows beside the image would be others in the next window.
Diagnostic not_causal(const Module& module, const StreamEnds& ends, const RowSchedule& schedule,
                      const BorderRead& border) {
  const Computation& c = module.entry_computation();
  const StoredRows& array = schedule.stored[border.array];
  InstructionId reader = schedule.exit;
  for (size_t i = schedule.stored.size(); i-- > border.array;) {
    const std::vector<size_t>& reads = schedule.stored[i].reads;
    if (std::ranges::find(reads, border.array) != reads.end()) reader = schedule.stored[i].value;
  }
  const Instruction& op = c[ends.border_op(array.value, reader)];
  const std::string before = rows_text(border.before, "before the first"),
                    behind = rows_text(border.behind, "behind the last");
  return error(DiagnosticKind::kUnsupported,
               cat("--every ", schedule.every, ": %", name(op), ": ", hlo::opcode_name(op.opcode),
                   " pads ", before, before.empty() || behind.empty() ? "" : " and ", behind,
                   ": what it makes of them is another in each window"))
      .at({module.file, op.line})
      .note(
          "windows keep their rows where no result depends on padding along them (VALID); "
          "without --every each window begins anew");
}

// Each array makes whole rows of the new ones.
Diagnostic not_divided(const Module& module, const RowSchedule& schedule) {
  const Computation& c = module.entry_computation();
  InstructionId first = kNone;
  for (const StoredRows& array : schedule.stored)
    if (first == kNone && schedule.every % array.period != 0) first = array.value;
  return error(DiagnosticKind::kUnsupported,
               cat("--every ", schedule.every, ": %", name(c[first]),
                   " makes a row of more rows than that, or of a number that does not divide it"))
      .at({module.file, c[first].line})
      .note(cat("the strides of this model want a multiple of ", schedule.round()));
}

Diagnostic no_rows(const Module& module, InstructionId parameter, InstructionId obstacle) {
  const Computation& c = module.entry_computation();
  std::string why = "no op of the model takes its rows one by one";
  if (obstacle != kNone)
    why = cat("%", name(c[obstacle]), ": ", hlo::opcode_name(c[obstacle].opcode),
              " wants all rows at once");
  return error(DiagnosticKind::kUnsupported, cat("--stream ", name(c[parameter]), ": ", why))
      .at({module.file, obstacle == kNone ? 0 : c[obstacle].line})
      .note(
          "convolutions, pools, elementwise ops and what only moves rows take them one by one: "
          "without --stream the model gets the array as a whole");
}

Result<RowSchedule> following_windows(const Module& module, const StreamEnds& ends,
                                      InstructionId parameter, int64_t every) {
  std::optional<RowSchedule> schedule = ends.last();
  if (!schedule) return no_rows(module, parameter, ends.obstacle());
  schedule->every = every;
  if (const std::optional<BorderRead> border = border_read(*schedule))
    return not_causal(module, ends, *schedule, *border);
  if (every % schedule->round() != 0) return not_divided(module, *schedule);
  return *std::move(schedule);
}

}  // namespace

Status stream_rows(Module& module, const PassContext& context) {
  const std::optional<StreamOption>& stream = context.target.options.stream;
  if (!stream) return {};
  const InstructionId parameter = stream_parameter(module, stream->leaf);
  if (parameter == kNone)
    return error(DiagnosticKind::kUnsupported,
                 cat("--stream: argument ", stream->leaf, " is an element of a tuple"))
        .note("make it a parameter of its own");
  const StreamEnds ends(module, parameter, stream->axis);
  if (const int64_t every = window_spacing(module); every > 0) {
    HLOCC_TRY(check_spacing(module, parameter, stream->axis, every));
    HLOCC_TRY_ASSIGN(RowSchedule schedule, following_windows(module, ends, parameter, every));
    schedule.rows_arrive = true;
    make_stream_loop(module, schedule);
    hlo::compact(module);
    return {};
  }
  std::vector<StreamEnd> found = ends.all();
  if (found.empty()) return no_rows(module, parameter, ends.obstacle());
  const size_t n = std::min<size_t>(context.target.decisions.stream_end, found.size() - 1);
  found[n].schedule.rows_arrive = true;
  make_stream_loop(module, found[n].schedule);
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
