// What the files of the header writer share: the facts of one header, and the parts of the text.
#pragma once
#include <string>
#include <vector>

#include "kernel/program.h"
#include "package/c_types.h"
#include "planning/plan.h"

namespace hlocc::package {

// One leaf as the header shows it.
struct HeaderLeaf {
  const kernel::Leaf* leaf = nullptr;
  planning::Place place;  // its default place
  CType type;
  std::vector<std::string> bases;  // arg0, arg_mfcc, var_mfcc
  std::string slot;                // arguments[0], results[2]
  bool is_argument = false;
};

struct HeaderFacts {
  const kernel::Signature* signature = nullptr;
  const planning::Plan* plan = nullptr;
  std::vector<HeaderLeaf> arguments, results;
  int64_t arena_bytes = 1, variables = 0;

  const std::string& prefix() const { return signature->prefix; }
  const std::string& macro() const { return signature->macro_prefix; }
  std::vector<HeaderLeaf> leaves() const;  // arguments, then results
};

HeaderFacts header_facts(const kernel::Signature& signature, const planning::Plan& plan);

// The parts, in the order of the file.
std::string header_comment(const HeaderFacts& facts);
std::string header_macros(const HeaderFacts& facts);
std::string header_struct(const HeaderFacts& facts);
std::string header_init(const HeaderFacts& facts);
std::string header_c_accessors(const HeaderFacts& facts);
std::string header_class(const HeaderFacts& facts);

}  // namespace hlocc::package
