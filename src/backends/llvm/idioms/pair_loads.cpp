// See pair_loads.h. A pair is a piece of assembly whose results lie in two given registers; what
// multiplies them reads them there. Of a pair the second number comes earlier than it did: where
// the block's floats fill the registers, it does not.
#include "backends/llvm/idioms/pair_loads.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// Registers that pairs may take, which no other number has while one of them does; and how many
// floats a block may hold: LLVM keeps constants in some.
constexpr int kPairs = 8, kMostFloats = 30;

using Floats = std::set<const llvm::Value*>;

// The floats that are read behind each block.
class FloatsBehind {
 public:
  explicit FloatsBehind(const llvm::Function& function) {
    for (const llvm::Argument& argument : function.args()) follow(argument, nullptr);
    for (const llvm::Instruction& i : llvm::instructions(function)) follow(i, i.getParent());
  }
  const Floats& of(const llvm::BasicBlock& block) { return behind_[&block]; }

 private:
  void follow(const llvm::Value& value, const llvm::BasicBlock* made_in) {
    if (!value.getType()->isFloatTy()) return;
    std::vector<const llvm::BasicBlock*> todo;
    const auto reach_end = [&](const llvm::BasicBlock* block) {
      if (behind_[block].insert(&value).second && block != made_in) todo.push_back(block);
    };
    for (const llvm::Use& use : value.uses()) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user))
        reach_end(phi->getIncomingBlock(use));
      else if (user->getParent() != made_in)
        todo.push_back(user->getParent());
    }
    while (!todo.empty()) {
      const llvm::BasicBlock* block = todo.back();
      todo.pop_back();
      for (const llvm::BasicBlock* before : llvm::predecessors(block)) reach_end(before);
    }
  }

  std::map<const llvm::BasicBlock*, Floats> behind_;
};

struct Place {
  llvm::LoadInst* load;
  llvm::Value* base;
  int64_t offset;
};

// Loaded at `at`, as the first of the two is; the second was at `from`; read last at `last`: all in
// instructions of the block.
struct Pair {
  Place low, high;
  int64_t at = 0, from = 0, last = 0;
};

class BlockPairs {
 public:
  BlockPairs(llvm::BasicBlock& block, const Floats& behind) : block_(block), behind_(behind) {}

  void run() {
    for (llvm::Instruction& i : block_) place_of_[&i] = static_cast<int64_t>(place_of_.size());
    find();
    if (pairs_.empty()) return;
    count_floats();
    std::ranges::sort(pairs_, {}, &Pair::at);
    int64_t held_until[kPairs] = {};
    for (const Pair& pair : pairs_) {
      int64_t* const free =
          std::ranges::find_if(held_until, [&](int64_t until) { return until <= pair.at; });
      if (free == std::end(held_until) || !has_room(pair)) continue;
      *free = pair.last;
      for (int64_t n = pair.at; n < pair.from; ++n) ++floats_[static_cast<size_t>(n)];
      emit(pair, free - held_until);
    }
  }

 private:
  void find() {
    for (llvm::Instruction& i : block_) {
      if (i.mayWriteToMemory()) open_.clear();
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) meet(*load);
    }
  }

  // Pairs the load with one that no write stands between.
  void meet(llvm::LoadInst& load) {
    if (!load.isSimple() || !load.getType()->isFloatTy() || load.getAlign().value() < 4 ||
        !last_use(load))
      return;
    const llvm::DataLayout& layout = load.getDataLayout();
    llvm::APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    llvm::Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(
        layout, offset, /*AllowNonInbounds=*/true);
    const Place place{&load, base, offset.getSExtValue()};
    const auto beside = std::ranges::find_if(open_, [&](const Place& other) {
      return other.base == base && std::abs(other.offset - place.offset) == 4;
    });
    if (beside == open_.end()) return open_.push_back(place);
    Pair pair{*beside, place, place_of_[beside->load], place_of_[&load],
              std::max(*last_use(load), *last_use(*beside->load))};
    if (pair.low.offset > pair.high.offset) std::swap(pair.low, pair.high);
    pairs_.push_back(pair);
    open_.erase(beside);
  }

  // None where it is read outside of the block.
  std::optional<int64_t> last_use(const llvm::Value& value) const {
    int64_t last = -1;
    for (const llvm::User* user : value.users()) {
      const auto* i = llvm::cast<llvm::Instruction>(user);
      if (i->getParent() != &block_ || llvm::isa<llvm::PHINode>(i)) return std::nullopt;
      last = std::max(last, place_of_.at(i));
    }
    return last;
  }

  // What is held before each instruction.
  void count_floats() {
    const auto end = static_cast<int64_t>(place_of_.size());
    std::vector<int64_t> changes(static_cast<size_t>(end) + 1);
    const auto held = [&](int64_t from, int64_t to) {
      ++changes[static_cast<size_t>(from)];
      --changes[static_cast<size_t>(to)];
    };
    Floats from_outside = behind_;
    for (llvm::Instruction& i : block_) {
      if (i.getType()->isFloatTy()) {
        from_outside.erase(&i);
        const int64_t from = llvm::isa<llvm::PHINode>(i) ? 0 : place_of_[&i] + 1;
        held(from, behind_.contains(&i) ? end : std::max(from, last_use(i).value_or(-1) + 1));
      }
    }
    changes[0] += static_cast<int64_t>(from_outside.size());
    int64_t now = 0;
    for (const int64_t change : changes) floats_.push_back(now += change);
  }

  bool has_room(const Pair& pair) const {
    const auto first = floats_.begin() + pair.at;
    return *std::max_element(first, floats_.begin() + pair.from + 1) < kMostFloats;
  }

  // Side effects keep it in its order with stores.
  void emit(const Pair& pair, int64_t registers) {
    constexpr int64_t kReach = 1020;
    const bool low_first = pair.low.load->comesBefore(pair.high.load);
    llvm::IRBuilder<> b(low_first ? pair.low.load : pair.high.load);
    llvm::Value* base = pair.low.base;
    int64_t offset = pair.low.offset;
    if (std::abs(offset) > kReach || offset % 4 != 0) {
      base = b.CreateGEP(b.getInt8Ty(), base, b.getInt32(static_cast<uint32_t>(offset)));
      offset = 0;
    }
    llvm::Type* const numbers = llvm::StructType::get(b.getFloatTy(), b.getFloatTy());
    const std::string text =
        cat("vldr d", std::to_string(registers), ", [$2, #", std::to_string(offset), "]");
    const std::string places = cat("={s", std::to_string(2 * registers), "},={s",
                                   std::to_string(2 * registers + 1), "},r");
    llvm::CallInst* const call = b.CreateCall(
        llvm::InlineAsm::get(llvm::FunctionType::get(numbers, {base->getType()}, false), text,
                             places, /*hasSideEffects=*/true),
        {base});
    call->setDoesNotThrow();
    llvm::Value *const low = b.CreateExtractValue(call, 0), *const high =
                                                                b.CreateExtractValue(call, 1);
    replace(pair.low.load, low);
    replace(pair.high.load, high);
  }
  static void replace(llvm::LoadInst* load, llvm::Value* value) {
    load->replaceAllUsesWith(value);
    load->eraseFromParent();
  }

  llvm::BasicBlock& block_;
  const Floats& behind_;
  std::map<const llvm::Instruction*, int64_t> place_of_;
  std::vector<Place> open_;
  std::vector<Pair> pairs_;
  std::vector<int64_t> floats_;
};

}  // namespace

void pair_loads(llvm::Module& module, const Target& target) {
  if (!target.has(Isa::kDsp) || !target.f32_unit || target.vector_bits > 0) return;
  for (llvm::Function& function : module) {
    FloatsBehind behind(function);
    for (llvm::BasicBlock& block : function) BlockPairs(block, behind.of(block)).run();
  }
}

}  // namespace hlocc::backends
