// A kernel prepared for the evaluator: a tree of nodes with every table look-up done, values as
// slots of one register file. What is left to do per op is a jump and the op itself, so that whole
// networks run in seconds.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "kernel/evaluate/scalar_math.h"
#include "kernel/kernel.h"
#include "support/result.h"

namespace hlocc::kernel {

struct MappedLoops;
struct Overlap;
class GroupWatch;

// Told of every element that a kernel is about to load or store; false ends the run.
class AccessWatch {
 public:
  virtual ~AccessWatch() = default;
  virtual bool load(int buffer, int64_t at) = 0;
  virtual bool store(int buffer, int64_t at) = 0;
  virtual std::string fault() const = 0;  // why
};

class CompiledKernel {
 public:
  explicit CompiledKernel(const Kernel& kernel);
  // Buffers as in evaluate(); arena scratch may be missing, it is then made here. `overlaps` are
  // taken at their word: an element that is read after the result was written where it would lie is
  // a diagnostic. What `watch` refuses is one too. A mapped kernel runs group by group and, in
  // each, phase by phase between barriers, in shuffled order; GroupWatch watches it, not `watch`.
  Status run(std::span<const std::span<std::byte>> buffers, std::span<const int64_t> integers,
             std::span<const Overlap> overlaps = {}, AccessWatch* watch = nullptr);

 private:
  enum class Action : uint8_t {
    kApply,
    kSelect,
    kMulShift,
    kSaturate,
    kMove,
    kSplat,
    kInsert,
    kShuffle,
    kReduce,
    kDot,
    kMatrix,
    kLoad,
    kStore,
    kNothing,
    kLoop,
    kIf,
    kWhile,
    kGroups,
    kBarrier,
  };
  // base + sum of scale * register.
  struct Address {
    int64_t offset = 0;
    std::vector<std::pair<int, int64_t>> terms;
  };
  struct Block;
  struct Node {
    Action action = Action::kNothing;
    int lanes = 1;
    int result = 0;
    int operand[3] = {},
        step[3] = {};  // first slot; slots from lane to lane (0: a scalar beside vectors)
    ScalarOp op;
    ScalarOp widen;  // of tiles of small floats
    RoundedShift by;
    // memory
    int buffer = 0;
    Address at, upper;  // loops: lower and upper bound
    int64_t stride = 1;
    int indices = -1, mask = -1, mask_step = 0, otherwise = -1;
    // vectors
    std::vector<int> picks;
    int group = 1, rows = 1, columns = 1;
    // control
    int counter = 0;
    std::vector<std::pair<int, int>> enter,
        leave;  // (to, from) slots: initial values in, results out
    std::vector<Block> blocks;
    // mapped kernels
    int number = 0;      // of the op, as verify counts
    bool waits = false;  // for the whole group: it is a barrier or a mapped loop, or holds one
  };
  struct Block {
    std::vector<Node> nodes;
    std::vector<std::pair<int, int>>
        next;  // (to, from): what an iteration hands to the next, or an `if` to its results
    int condition = 0;
  };
  struct View {
    std::byte* data = nullptr;
    int64_t elements = 0;
    Scalar element = Scalar::kF32;
    int bytes = 1;
    bool canonical = true;  // stored bytes extended by class are the value's bits, nothing to cut
    bool negative = false;  // sign-extends
    bool covers = false, covered = false;  // the result, the operand of an overlap
  };
  // One overlap: which bytes of the operand are no longer there.
  struct Cover {
    int result = 0, operand = 0;
    int64_t ahead = 0;
    std::vector<bool> lost;
  };

  Block translate(const Region& region);
  Node translate(const Op& op);
  void translate_memory(const Op& op, Node& node) const;
  void translate_control(const Op& op, Node& node);
  void translate_vector(const Op& op, Node& node) const;
  void preload(const Op& op);
  Address translate(const Affine& affine) const;
  void pair_up(const std::vector<ValueId>& to, const std::vector<ValueId>& from, size_t skip,
               std::vector<std::pair<int, int>>& pairs) const;

  Status bind(std::span<const std::span<std::byte>> buffers);
  bool run(const std::vector<Node>& nodes);
  bool run(const Node& node);
  void apply(const Node& node);
  void reduce(const Node& node);
  void dot(const Node& node);
  void mul_shift(const Node& node);
  void saturate(const Node& node);
  void matrix(const Node& node);
  bool load(const Node& node);
  bool store(const Node& node);
  bool loop(const Node& node);
  bool while_loop(const Node& node);
  void move(const std::vector<std::pair<int, int>>& pairs);
  // --- mapped kernels: compiled_groups.cpp ---
  void watch_groups(std::span<const std::span<std::byte>> buffers);
  void note_op(const Node& node);
  bool run_groups(const Node& node);
  void begin_group(const MappedLoops& loops, int64_t group);
  void swap_thread(size_t thread);
  void shuffle();
  bool end_phase();
  bool each_thread(const std::function<bool()>& work);
  bool run_together(const std::vector<Node>& nodes);
  bool come_together(const Node& node);
  bool loop_together(const Node& node);
  bool branch_together(const Node& node);
  // Of a value that all threads must have alike; none, and a fault, where they have not.
  std::optional<int64_t> common(const std::function<int64_t()>& value, const char* what);
  bool move_each(const std::vector<std::pair<int, int>>& pairs);
  int64_t address(const Address& at) const;
  int64_t lane_address(const Node& node, int64_t base, int lane) const;
  bool is_left_out(const Node& node, int lane) const;  // by its mask
  bool out_of_range(const Node& node, int64_t at);
  bool is_refused(const Node& node, int64_t at);
  void lay_over(std::span<const Overlap> overlaps);
  void cover(int buffer, int64_t at);
  bool is_lost(int buffer, int64_t at);
  static uint64_t read(const View& view, int64_t at);
  static void write(const View& view, int64_t at, uint64_t bits);

  const Kernel& kernel_;
  std::vector<int> slot_;  // by ValueId
  std::vector<uint64_t> registers_;
  std::vector<View> views_;
  std::vector<Cover> covers_;
  std::vector<std::vector<std::byte>> scratch_;
  std::vector<uint64_t> moved_;
  AccessWatch* watch_ = nullptr;
  Block body_;
  std::string fault_;
  int op_number_ = -1;

  // Of a mapped kernel: registers by thread, what each has in the stack, and the order of the next
  // phase.
  std::vector<std::vector<uint64_t>> threads_;
  std::vector<std::vector<std::byte>> own_;  // by buffer: all threads' scratch in the stack
  std::vector<size_t> order_;
  uint64_t random_ = 0;
  std::unique_ptr<AccessWatch> own_watch_;
  GroupWatch* groups_ = nullptr;
};

}  // namespace hlocc::kernel
