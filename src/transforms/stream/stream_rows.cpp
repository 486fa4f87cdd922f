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

namespace hlocc::transforms {
namespace {

bool is_elementwise(const Instruction& i) {
  return hlo::info(i.opcode).family == hlo::Family::kElementwise;
}

struct StreamEnd {
  InstructionId exit = kNone;
  int64_t bytes = 0;  // estimated peak while rows come and behind
  StreamSchedule schedule;
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
        out.push_back({id, schedule->bytes(c_), *std::move(schedule)});
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

  // The op that wants all rows of what it reads.
  InstructionId obstacle() const {
    std::vector<bool> has_rows(c_.instructions.size());
    has_rows[entrance_] = true;
    for (InstructionId id = entrance_ + 1; id < size(); ++id) {
      if (!depends_[id]) continue;
      has_rows[id] =
          c_[id].shape.is_array() && schedule_stream(module_, c_, users_, entrance_, id, axis_);
      const auto had = [&](InstructionId operand) {
        return !depends_[operand] || has_rows[operand];
      };
      if (!has_rows[id] && std::ranges::all_of(c_[id].operands, had)) return id;
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

Diagnostic no_rows(const Module& module, InstructionId parameter, InstructionId obstacle) {
  const Computation& c = module.entry_computation();
  const auto name = [](const Instruction& i) {
    return i.metadata.hlo_name.empty() ? i.name : i.metadata.hlo_name;
  };
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
  std::vector<StreamEnd> found = ends.all();
  if (found.empty()) return no_rows(module, parameter, ends.obstacle());
  const size_t n = std::min<size_t>(context.target.decisions.stream_end, found.size() - 1);
  make_stream_loop(module, found[n].schedule, true);
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
