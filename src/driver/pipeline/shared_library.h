// `compile A B --shared-arena`: several models in one library, which share kernels and one arena.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "driver/analyze/analysis.h"
#include "driver/cli/command_line.h"
#include "driver/pipeline/pipeline.h"
#include "package/build_lines.h"

namespace hlocc::driver {

// One operand of the command line: "kws.pb", or "Kws=kws.pb", where Kws is a C identifier.
struct ModelOperand {
  std::string name;  // empty: the module's own name decides
  std::string path;
};
ModelOperand read_operand(const std::string& word);

// A model that was read.
struct SharedModel {
  std::string class_name;  // acme::Kws
  std::string path, sha256;
  hlo::Module module;
  std::map<int, std::string> argument_names, result_names;  // of --arg Kws:0=mfcc
};
// Reads the operands and names each model beside the library; two modules of one name are numbered
// in the order of the command line, so that names never depend on files.
Result<std::vector<SharedModel>> load_models(const CommandLine& line);

struct SharedCompilation {
  std::vector<package::File> files;
  std::vector<planning::Plan> plans;  // by model
  std::vector<Analysis> models;
  Analysis total;
  package::BuildFiles built;
};
// As compile_module, for a target with the library's name in its options.
Result<SharedCompilation> compile_shared(const std::vector<SharedModel>& models,
                                         const Target& target, const std::set<package::Emit>& emit,
                                         const Watch& watch);

// What the command line can't have beside --shared-arena, and what it must have.
Status check_shared(const CommandLine& line);

}  // namespace hlocc::driver
