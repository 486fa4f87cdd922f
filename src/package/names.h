// Names: from a module's entry and the user's requests (--name, --arg, --result, or the file's
// name) to the Signature that the header, the manifest, the library and its symbols are called
// after. Every request that would not compile as C or C++ is a usage diagnostic here, so that no
// later stage meets a bad name.
#pragma once
#include <map>

#include "hlo/module.h"
#include "kernel/program.h"
#include "support/result.h"
#include "target/options.h"

namespace hlocc::package {

// "models/kws.v2.pb" -> kws_v2: the file's name less the suffixes of models; "-" and what has no
// name -> the module's own name. Always a C identifier, with _model behind it where library, header
// or class would shadow others (taken_names.h): "time.pb" -> time_model.
std::string stem_of_file(std::string_view path, const hlo::Module& module);

// "acme::TinyGpt" -> tiny_gpt.
std::string stem_of_class(std::string_view name);

// What HLO calls the leaves of the entry's parameters: where a parameter came from in the program
// (x, s['gain']), else the name of its instruction unless an exporter has just numbered it; leaves
// of a tuple with their place in it (s.0). Empty where there is nothing.
std::vector<std::string> hlo_argument_names(const hlo::Module& module);

// Requests of the command line, by number or by HLO's name (not for results, which have none), as
// the names that Options hold. `flag` is --arg or --result.
Result<std::map<int, std::string>> names_by_leaf(const std::map<std::string, std::string>& requests,
                                                 const std::vector<std::string>& hlo_names,
                                                 const char* flag);

// Leaves depth first, tokens dropped, shapes with the layouts of the entry; donation as
// Module::aliases says. Uses `name`, `stem`, `argument_names` and `result_names` of the options;
// `stem` must be set where `name` is empty.
Result<kernel::Signature> make_signature(const hlo::Module& module, const Options& options);

// What messages call the leaves: as header, manifest and `inspect` do, and argI or resultI where
// these have no name of their own.
struct LeafNames {
  std::vector<std::string> arguments, results;
};
LeafNames leaf_names(const hlo::Module& module);
// "result0", "result1 (state_h)": the place, and the name where there is one.
std::vector<std::string> result_labels(const hlo::Module& module);

// Of a library of several models: names after --name, and no leaves.
Result<kernel::Signature> make_library_signature(const std::string& name);

}  // namespace hlocc::package
