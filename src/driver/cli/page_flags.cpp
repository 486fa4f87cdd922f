// See page_flags.h.
#include "driver/cli/page_flags.h"

#include <CLI/CLI.hpp>

#include "driver/pipeline/backend_table.h"
#include "package/file_set.h"
#include "support/text.h"
#include "target/chips.h"

namespace hlocc::driver {

std::vector<const CLI::App*> page_verbs(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

Strings target_names() {
  Strings out = preset_names();
  for (std::string& chip : chip_names()) out.push_back(std::move(chip));
  return out;
}

Strings PageFlag::values() const {
  Strings out;
  const std::string& name = names.back();
  if (name == "--target") return target_names();
  if (name == "--float-abi") return {"hard", "softfp", "soft"};
  if (name == "-O") return {"0", "1", "2", "3", "s", "z"};
  if (name == "--emit")
    for (const auto& row : package::emit_table()) out.emplace_back(row.name);
  if (name == "--backend")
    for (const BackendInfo& row : backends()) out.emplace_back(row.name);
  return out;
}

std::vector<PageFlag> flags_of(const CLI::App& app) {
  std::vector<PageFlag> flags;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional()) continue;
    PageFlag flag;
    for (const std::string& name : option->get_snames()) flag.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) flag.names.push_back("--" + name);
    flag.what = option->get_description();
    flag.takes_value = option->get_items_expected_max() > 0;
    if (flag.takes_value) flag.value = option->get_type_name();
    flags.push_back(std::move(flag));
  }
  return flags;
}

std::string operand_words(const CLI::App& verb) {
  std::string text;
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_positional()) continue;
    const std::string many = option->get_items_expected_max() > 1 ? "..." : "";
    text += option->get_required() ? cat(" ", option->get_name(true), many)
                                   : cat(" [", option->get_name(true), many, "]");
  }
  return text;
}

Strings names_of(const std::vector<PageFlag>& flags) {
  Strings names;
  for (const PageFlag& flag : flags)
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

}  // namespace hlocc::driver
