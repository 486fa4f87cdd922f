// What the files of the header writer share: the facts of one header, and the parts of the text.
#pragma once
#include <string>
#include <vector>

#include "kernel/program.h"
#include "package/c_types.h"
#include "package/origin.h"
#include "planning/plan.h"
#include "target/core_facts.h"
#include "target/target.h"

namespace hlocc::package {

// One leaf as the header shows it.
struct HeaderLeaf {
  const kernel::Leaf* leaf = nullptr;
  std::string hlo_name;
  planning::Place place;  // its default place
  CType type;
  std::vector<std::string> bases;  // arg0, arg_mfcc, var_mfcc
  std::string slot;                // arguments[0], results[2]
  bool is_argument = false;
  bool is_consumed = false;  // run writes over it
  bool is_streamed = false;  // pushed row by row; the leaf has the shape of a row
  int64_t align = 1;         // of a buffer of the caller's
};

struct HeaderFacts {
  const kernel::Signature* signature = nullptr;
  const planning::Plan* plan = nullptr;
  const Target* target = nullptr;
  const CoreNeeds* core = nullptr;
  const Origin* origin = nullptr;
  std::vector<HeaderLeaf> arguments, results;
  int64_t arena_bytes = 1, variables = 0;
  std::string hash, run_symbol;

  const std::string& prefix() const { return signature->prefix; }
  const std::string& macro() const { return signature->macro_prefix; }
  std::vector<HeaderLeaf> leaves() const;  // arguments, then results
  // The text with the prefix in the place of every "@p" and the macros' in that of every "@M".
  std::string fill(std::string_view text) const;
};

HeaderFacts header_facts(const kernel::Signature& signature, const planning::Plan& plan,
                         const Target& target, const CoreNeeds& core, const Origin& origin);

// Of several memories: the parameters of init ("void *arena_fast, void *arena_slow") and what is
// handed on ("arena_fast, arena_slow"); else of the one arena. `owned`: the last one's name there.
std::string arena_parameters(const HeaderFacts& facts, bool all = true);
std::string arena_arguments(const HeaderFacts& facts, const std::string& owned = "");
// ARENA_FAST_BYTES and its like for the preprocessor, or nothing.
std::string memory_macros(const HeaderFacts& facts);
std::string memory_macros(const std::vector<planning::ArenaPiece>& pieces);
// Of weights that init copies.
int64_t kept_bytes(const planning::Plan& plan);
// The section that an arena of this memory is for.
std::string section_of(const planning::ArenaPiece& piece);
// The rows of the class for the same: ArenaFastBytes.
std::vector<std::pair<std::string, int64_t>> memory_constants(const HeaderFacts& facts);
// The lines of the opening comment that say what the arena takes.
std::string memory_lines(const HeaderFacts& facts);
// What init calls to copy weights into a memory; empty where none are.
std::string keep_declaration(const HeaderFacts& facts);
// init up to the point where the instance has its arenas.
std::string init_arenas(const HeaderFacts& facts);

// State that starts as something else than zeros, such as the counters of random numbers: offset in
// the state, and the bytes there.
std::vector<std::pair<int64_t, const std::vector<std::byte>*>> initial_state(
    const planning::Plan& plan);

// What the header asks of a compiler, as one condition of the preprocessor: where it holds, the
// library runs. UINTPTR_MAX in it is of <stdint.h>.
std::string compiler_condition(const Target& target, const CoreNeeds& core);

// The parts, in the order of the file.
std::string header_comment(const HeaderFacts& facts);
std::string header_target_check(const HeaderFacts& facts);
std::string header_macros(const HeaderFacts& facts);
std::string header_struct(const HeaderFacts& facts);
std::string header_functions(const HeaderFacts& facts);
std::string header_leaf_functions(const HeaderFacts& facts);
// Of a plan with parts on a device, else empty: its driver's functions, what init hands to it, and
// what is given back; lines of error_msg and of the class.
std::string device_functions(const HeaderFacts& facts);
std::string device_messages(const HeaderFacts& facts);
std::string device_members(const HeaderFacts& facts);
// Of a signature with a stream, else empty: rows and error codes, begin, push and end, and what the
// class calls them.
std::string stream_macros(const HeaderFacts& facts);
std::string stream_messages(const HeaderFacts& facts);
std::string stream_functions(const HeaderFacts& facts);
std::string stream_members(const HeaderFacts& facts);
std::string header_class(const HeaderFacts& facts);

}  // namespace hlocc::package
