// MLIR text -> Program. Every operation has a generic form, "dialect.op"(%x) <{...}> ({...}) :
// types, and most have a pretty one of their own. The pretty forms of StableHLO are lists of
// operands, of name = value and of lone words in front of the types: they are read by one function,
// which calls each value what the generic form calls it (`pretty` of ops.def). While, reduce and
// functions have more than that.
#pragma once
#include "import/stablehlo/node.h"

namespace hlocc::import::stablehlo {

class Parser {
 public:
  explicit Parser(Source& source) : source_(source), cursor_(source.cursor) {}

  // The whole file.
  Result<Program> program();

 private:
  // --- program.cpp ---
  Status top_level(Program& program);
  Status module_body(Program& program);
  Status module(Program& program);
  Status generic_module(Program& program, Node node);
  Status alias();
  Status resources();
  Status resource_dialect();
  Status resource_blobs();
  Status function(Program& program);
  Result<Function> generic_function(Node node);
  Result<std::vector<std::vector<Attribute>>> attribute_lists(const Attribute& list, size_t count);
  Status function_results(Function& function);

  // --- operation.cpp ---
  Result<Node> operation();
  Status results(Node& node);
  Status generic(Node& node);
  Status pretty(Node& node);
  Status pretty_item(Node& node, std::string_view pretty, int& words);
  Status use(Node& node);
  Status types(Node& node);
  Status body(Region& region, std::string_view close);
  Result<Region> region();
  Status arguments(std::vector<Argument>& out, std::string_view open = "(");
  Status argument(std::vector<Argument>& out);
  Result<size_t> location();
  // Work and memory of what a file may have in any number.
  Status charge(size_t bytes);

  // --- structured.cpp ---
  Status reduce(Node& node);
  Status reducer(Node& node);
  Status applied_reducer(Node& node, std::string_view op);
  Status while_loop(Node& node);

  Source& source_;
  TextCursor& cursor_;
  int depth_ = 0;
};

}  // namespace hlocc::import::stablehlo
