// Names: from a module's entry and the user's wishes (--name, --arg, --result, or the file's name)
// to the Signature that the header, the manifest, the library and its symbols are called after.
// Every wish that would not compile as C or C++ is a usage diagnostic here, so that no later stage
// meets a bad name.
#pragma once
#include "hlo/module.h"
#include "kernel/program.h"
#include "support/result.h"
#include "target/options.h"

namespace hlocc::package {

// "models/kws.v2.pb" -> kws; "-" and what has no name -> the module's own name; always a C
// identifier.
std::string stem_of_file(std::string_view path, const hlo::Module& module);

// "acme::TinyGpt" -> tiny_gpt.
std::string stem_of_class(std::string_view name);

// Leaves depth first, tokens dropped, shapes with the layouts of the entry; donation as
// Module::aliases says. Uses `name`, `stem`, `argument_names` and `result_names` of the options;
// `stem` must be set where `name` is empty.
Result<kernel::Signature> make_signature(const hlo::Module& module, const Options& options);

}  // namespace hlocc::package
