// A program as it is written: functions of operations, whichever of MLIR's two forms they were
// printed in. Names and values of attributes are pieces of the text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "hlo/shape.h"
#include "import/stablehlo/source.h"

namespace hlocc::import::stablehlo {

// %15#2
struct Use {
  std::string_view name;
  int64_t index = 0;
  size_t at = 0;
};

// %15:3 = ..., one value unless it says how many.
struct Definition {
  std::string_view name;
  int64_t count = 1;
};

struct Node;

struct Argument {
  std::string_view name;
  hlo::Shape type;
  std::vector<Attribute> attributes;
  size_t location = 0;  // of loc(...), 0: none
};

struct Region {
  std::vector<Argument> arguments;
  std::vector<Node> body;
};

struct Node {
  std::string_view name;  // "stablehlo.add", "chlo.erf", "func.call", "return"
  size_t at = 0, location = 0;
  int line = 0;
  std::vector<Use> operands;
  std::vector<Definition> results;
  std::vector<Attribute> attributes;
  std::vector<Region> regions;
  // Of operands only where they are written.
  std::vector<hlo::Shape> operand_types, result_types;

  const Attribute* find(std::string_view attribute) const;
};

struct Function {
  std::string name;
  bool is_public = false, has_body = true;
  size_t at = 0;
  Region region;
  std::vector<hlo::Shape> result_types;
  std::vector<std::vector<Attribute>> result_attributes;  // where they are written
};

struct Program {
  std::string name = "main";
  std::vector<Attribute> attributes;
  std::vector<Function> functions;
};

}  // namespace hlocc::import::stablehlo
