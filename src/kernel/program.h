// Program: a tree of steps over values. Steps name values, not places: planning decides where each
// value lies, what may share memory, and where bytes must be copied. Plain data with a text form;
// backends compile it into `run` or write it as a launch plan.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "hlo/literal.h"
#include "kernel/kernel.h"
#include "kernel/origin.h"
#include "support/result.h"

namespace hlocc::kernel {

using ProgramValueId = int32_t;
using KernelId = int32_t;

// Who gives a value its bytes. kTemporary: a step. kArgument: the caller, in the arena or in a
// buffer of its own. kState: like an argument, but it lives in the instance and keeps its bytes
// between runs (donated arguments, RNG counters).
enum class ValueRole : uint8_t { kTemporary, kArgument, kState, kConstant };

struct ProgramValue {
  std::string name;               // of the HLO instruction that defines it
  Scalar element = Scalar::kF32;  // complex values: the real type, twice the elements
  int64_t elements = 0;
  ValueRole role = ValueRole::kTemporary;
  int leaf = kNone;  // argument leaf, for kArgument and kState
  // kConstant: elements in this machine's byte order; backends store them in the target's.
  // kState without a leaf (RNG counters): the initial bytes.
  std::shared_ptr<const std::vector<std::byte>> data;
  // The memory that it lies in. 0 is that of the processor that runs the steps: kernels, copies and
  // all edges of control work there alone. The others are devices': only temporaries lie in them.
  int memory = 0;

  int64_t bytes() const { return elements * scalar_bytes(element); }
};

// Result `result` (an index into Launch::operands, of a buffer the kernel writes) may share memory
// with operand `operand` (one that it reads) as long as writing stays at most `bytes` ahead of
// reading; 0 is elementwise in place.
struct Overlap {
  int result = 0, operand = 0;
  int64_t bytes = 0;
};
// The kernel writes only part of operand `result` (or reads it too: inout): before the launch it
// must hold the bytes of value `from`, as large as the result. Planning shares the memory, or
// copies. Without an Update an out buffer need not hold anything before the launch, and the launch
// writes all of it. An inout buffer needs an Update, unless it binds a kState value without a leaf:
// that one is changed in place.
struct Update {
  int result = 0;
  ProgramValueId from = kNone;
};

inline constexpr int kMostRanges = 64;

struct Step;
using Steps = std::vector<Step>;
struct Launch;
// The kernel's scratch in the arena, as large as the launch needs it.
std::vector<Buffer> arena_scratch(const Kernel& kernel, const Launch& launch);

// An operand that the kernel reads as indices into a palette (palettes/unpack.h): what that takes
// off the constants, of the first launch that reads them, and adds to this one.
struct PaletteUse {
  int operand = 0, bits = 0;
  int64_t bytes_saved = 0;
  double cycles_added = 0;
};

// One value for each bound buffer of the kernel, and one integer for each of its parameters, in
// their order. In several ranges the kernel's first parameter is the number of a range: it runs
// once for each of 0 to ranges - 1, in any order or at the same time, and `integers` are those of
// the parameters behind it (ranges/split_kernel.h).
struct Launch {
  KernelId kernel = kNone;
  std::vector<ProgramValueId> operands;
  std::vector<int64_t> integers;
  std::vector<Overlap> overlaps;
  std::vector<Update> updates;
  // Elements of the kernel's arena scratch, in its order, where this launch makes do with less than
  // the kernel's buffers say; empty: as they say.
  std::vector<int64_t> scratch;
  int ranges = 1;
  std::vector<PaletteUse> palettes;  // for reports: no code depends on them
};
// Bytes of `from` become the value `to`.
struct Copy {
  ProgramValueId from = kNone, to = kNone;
};
// Runs of bytes of other temporaries, one behind the other, become the value `to`. Planning lets
// the values lie in each other where it can, and nothing moves; else a backend copies run by run.
struct Join {
  struct Run {
    ProgramValueId from = kNone;
    int64_t offset = 0, bytes = 0;  // of the run in `from`
    bool operator==(const Run&) const = default;
  };
  std::vector<Run> runs;
  ProgramValueId to = kNone;
};
// carried[i] is the value that condition and body read; it starts as initial[i] and becomes next[i]
// after each iteration; result[i] is what it was when the condition failed. `condition_value` is a
// pred scalar that `condition` computes.
struct WhileStep {
  std::vector<ProgramValueId> initial, carried, next, result;
  Steps condition;
  ProgramValueId condition_value = kNone;
  Steps body;
};
// `selector` is an s32 or pred scalar: pred true takes branch 0, false branch 1; s32 out of range
// the last branch. yields[b][i] of the branch taken becomes results[i].
struct ConditionalStep {
  ProgramValueId selector = kNone;
  std::vector<Steps> branches;
  std::vector<std::vector<ProgramValueId>> yields;
  std::vector<ProgramValueId> results;
};
// A function of the user's: void symbol(const void *const *operands, void *const *results).
struct UserCall {
  std::string symbol;
  std::vector<ProgramValueId> operands, results;
};

// Begins to bring the bytes of `from` to `to`, which lies in another memory. What a queue is given
// it does one after the other, while the steps go on. Until a Wait for the queue no other may
// write `from`, or read or write `to`.
struct Transfer {
  ProgramValueId from = kNone, to = kNone;
  int queue = 0;
};
// Begins a part of the program on a device: a function `part` of operands and results that all lie
// in that device's memory. They are the queue's until a Wait for it.
struct Submit {
  std::string part;
  std::vector<ProgramValueId> operands, results;
  int queue = 0;
};
// What computes a part where there is no device: (part, operands, results).
using PartFunction = std::function<Status(const std::string&, std::span<const std::span<std::byte>>,
                                          std::span<const std::span<std::byte>>)>;
// Goes on when all that the queue was given is done.
struct Wait {
  int queue = 0;
};

struct Step {
  std::variant<Launch, Copy, Join, WhileStep, ConditionalStep, UserCall, Transfer, Submit, Wait>
      what;
  Origin origin;
};

// One argument or result leaf as the header shows it.
struct Leaf {
  int index = 0;
  std::string name;  // the user's, or empty
  hlo::Shape shape;  // with the entry layout
  bool donated = false;
  int partner = kNone;    // donated: the result (argument) leaf that shares its memory
  int64_t bytes() const;  // in memory: packed where the layout says so
};

// An argument whose rows come one after the other (--stream): its leaf has the shape of one row.
struct Stream {
  int leaf = 0;
  int64_t axis = 0, rows = 0;  // of the leaf's shape, and how many there are
};

struct Signature {
  std::string class_name;    // acme::Kws
  std::string prefix;        // acme_kws_
  std::string macro_prefix;  // ACME_KWS_
  std::string stem;          // kws
  std::vector<Leaf> arguments, results;
  std::optional<Stream> stream;
  // The memories that the arena is handed out over, the fastest first; empty: it is one.
  std::vector<std::string> memories;
};

// The one while among a program's outer steps that reads the streamed argument takes one row an
// iteration. What is before it begins a window, what is behind it ends one.
struct StreamSteps {
  int leaf = kNone;
  // kState of two s32: what the next call of `run` does (StreamPhase), and the caller's count.
  ProgramValueId state = kNone;
  int64_t iterations = 0;  // at least as many as there are rows
};
enum class StreamPhase : uint8_t { kBegin, kRow, kEnd };

struct Program {
  Signature signature;
  std::vector<Kernel> kernels;
  std::vector<ProgramValue> values;
  Steps steps;
  std::vector<ProgramValueId> arguments;  // by leaf: a kArgument or kState value
  std::vector<ProgramValueId> results;    // by leaf: the value that must be there after run
  std::optional<StreamSteps> stream;

  // True if the value is the argument whose rows the caller brings one by one: it has no place.
  bool is_streamed(ProgramValueId value) const {
    return stream && arguments[static_cast<size_t>(stream->leaf)] == value;
  }
};

// Gives the program, of a signature with a stream, its state, which is zeros at first.
void add_stream(Program& program, int64_t iterations);
// True for the while over the rows of the streamed argument.
bool takes_rows(const Program& program, const Step& step);
// The caller counts rows: what the loop's condition computes is not needed.
void drop_stream_condition(const Program& program, Steps& steps);

std::string to_text(const Program& program);
// The steps alone, for a plan's text; values are printed by `name`.
std::string to_text(const Steps& steps, const std::vector<Kernel>& kernels,
                    const std::vector<ProgramValue>& values);
// Calls `visit` for each step, outer steps before their bodies, in order.
void for_each_step(const Steps& steps, const std::function<void(const Step&)>& visit);
// The launches among them, to be changed.
void for_each_launch(Steps& steps, const std::function<void(Launch&)>& visit);
// True if a step of them, at any depth, works with a queue.
bool uses_queues(const Steps& steps);
// Every id in range, each temporary defined before it is read, by exactly one step; operands fit
// the kernels' buffers.
Status verify(const Program& program);

}  // namespace hlocc::kernel
