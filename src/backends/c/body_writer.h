// The body of a kernel's function, statement by statement. A value's text moves to its one use
// where nothing in between could change what it reads; all others get a variable.
#pragma once
#include <map>
#include <set>

#include "backends/c/kernel_writer.h"
#include "backends/c/lane_runs.h"
#include "backends/c/packed_simd.h"
#include "backends/c/value_uses.h"
#include "backends/c/vector_functions.h"

namespace hlocc::backends {

// Longer texts get a variable.
inline constexpr size_t kLongestText = 64;

// A buffer in the text.
struct BufferText {
  std::string name;
  bool unshared = true;  // overlaps no other of which one is written
  Held held = Held::kMemory;
  bool aligned = false;  // to words of 32 bits
};

class BodyWriter {
 public:
  // buffers: by BufferId. single_values: they are variables, not arrays.
  BodyWriter(const kernel::Kernel& kernel, const KernelSite& site, std::vector<BufferText> buffers,
             bool single_values);

  void name_value(kernel::ValueId id, const std::string& name) { known(id).code = {name}; }
  Status write_region(const kernel::Region& region);
  std::string take() { return std::move(out_); }
  // Its instructions keep their order: tiles take all registers.
  bool keeps_order() const { return words_.any() || vectors_.has_sums(); }

 private:
  // What is known of a value: its text, or the name of its variable. Of a vector it is the text of
  // lane number `l`, and `array` the name of the array that holds all lanes, if there is one.
  struct Known {
    Code code;
    std::string array = {};
    bool reads_memory = false;
    // Of a vector that is a value: its text. `same`: all lanes are what the code says.
    std::string vector = {};
    bool same = false;
    kernel::Type held = {};  // of bytes: the type of the vector whose lanes have them
    // Of a vector in words: their names.
    std::vector<std::string> words = {};
    // Of a product that its one use adds to a sum: what is multiplied.
    std::vector<std::string> factors = {};
    // An array of what its one use converts it to.
    std::string widened = {};
    // Those that a loop changes, and that the text reads.
    std::set<kernel::ValueId> variables;
  };

  Status write_op(const kernel::Op& op);
  Status write_value(const kernel::Op& op);
  Status write_load(const kernel::Op& op);
  Status write_store(const kernel::Op& op);
  void find_sums(const kernel::Region& region);
  void write_sum(const kernel::Op& op, int product);
  Status write_loop(const kernel::Op& op);
  Status write_if(const kernel::Op& op);
  Status write_while(const kernel::Op& op);

  // Of words.
  void write_words(const kernel::Op& op);
  void write_dot_of_words(const kernel::Op& op);
  std::vector<std::string> spread_words(const kernel::Op& op);
  std::vector<std::string> even_and_odd(kernel::Scalar byte, const std::string& word);
  std::string word_from(const kernel::Access& access, kernel::Type type, int word);
  void finish_dots();
  std::string load_word(const kernel::Access& access, kernel::Type type, int word);
  std::string word_place(kernel::Access access, kernel::Type type, int word);
  std::string word_call(WordFunction function, kernel::Scalar scalar, const std::string& operands);
  std::string keep_word(const std::string& text);

  // Of vectors as values.
  Status write_vectors(const kernel::Op& op);
  Status write_vector_store(const kernel::Op& op);
  std::string vector_of(kernel::ValueId id, Known& into);
  std::string scaled_text(const kernel::Op& op, Known& into);
  std::string loaded_text(const kernel::Op& op, Known& into);
  std::string computed_text(const kernel::Op& op, Known& into);
  bool passes_on(const kernel::Op& op);
  std::string address(const kernel::Access& access, Known& into);
  void define_vector(const kernel::Op& op, Known made);
  void spill(std::span<const kernel::ValueId> ids);
  std::string initial_of(kernel::ValueId id);
  static Known outside(const Known& variable);
  static const std::string& variable_of(const Known& known) {
    if (!known.vector.empty()) return known.vector;
    return known.array.empty() ? known.code.text : known.array;
  }

  // Of lanes.
  Status write_free(const kernel::Op& op);
  void define_array(const kernel::Op& op, const std::vector<std::string>& lanes);
  Status write_across(const kernel::Op& op);
  Status write_reduce(const kernel::Op& op);
  void write_dot(const kernel::Op& op);
  Status fold(const kernel::Op& op, const Code& a, const Code& b, Code& out);
  std::string lane(kernel::ValueId id, int lane);
  const std::string& array_of(kernel::ValueId id);
  std::string new_array(kernel::Type type);
  void lane_line(int lanes, const std::string& text);
  void close_lanes();
  const kernel::Op* user_in(const kernel::Region& region, kernel::ValueId id) const;
  void find_accumulators(const kernel::Region& body);
  void find_widened(const kernel::Region& region);

  void line(const std::string& text) { out_ += std::string(2 * indent_, ' ') + text + "\n"; }
  void define(const kernel::Op& op, Known made);
  // A variable that begins as `initial`, if there is one, known as `id`.
  std::string declare(kernel::ValueId id, const std::string& initial);
  // A variable of this type, of a vector each lane of one.
  std::string keep(kernel::Type type, const std::string& text);
  void assign(std::span<const kernel::ValueId> to, std::span<const kernel::ValueId> from);
  std::string fresh_name() { return "v" + std::to_string(next_++); }
  std::string counter_name() const;

  Known& known(kernel::ValueId id) { return known_[static_cast<size_t>(id)]; }
  // Its text, and `into` reads what the text reads.
  const Code& take_over(kernel::ValueId id, Known& into);
  Code affine(const kernel::Affine& affine, Known& into);
  std::string element(const kernel::Access& access, int lanes, Known& into);

  const kernel::Kernel& kernel_;
  const KernelSite& site_;
  const std::vector<BufferText> buffers_;
  const bool single_values_;
  const ValueUses uses_;
  const PackedSimd words_;
  const VectorValues vectors_;
  VectorFunctions vector_functions_;
  const LaneRuns runs_;
  std::vector<Known> known_;
  std::map<kernel::ValueId, kernel::ValueId> accumulates_;  // a sum, and what carries it
  std::string out_;
  // Loads of four bytes that are converted to 32 bits in their region, and nothing else.
  std::set<kernel::ValueId> widened_;
  // Products that their one use adds to a sum in a tile of such, which is done before more is read.
  std::set<kernel::ValueId> products_;
  // Of the region that is being written: pointers that its reads of words share, and sums of dots
  // since the last of them.
  struct WordPointer {
    kernel::BufferId buffer;
    kernel::Affine at;
    std::string name;
  };
  std::vector<WordPointer> word_pointers_;
  std::vector<kernel::ValueId> spilled_;  // vectors whose lanes lie in an array of the region
  std::vector<std::string> unfinished_;
  // The loop over lanes that is being written, and its lanes; 0: none. And whether it stores.
  std::string lanes_out_;
  int open_lanes_ = 0, open_run_ = -1;
  bool run_stores_ = false;
  size_t indent_ = 1;
  int depth_ = 0, next_ = 0;
};

}  // namespace hlocc::backends
