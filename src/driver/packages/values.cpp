// What the templates of packages are filled with. Lists say of each element whether it is the
// `first` or the `last`, for separators.
#include <algorithm>
#include <cctype>

#include "driver/packages/contents.h"
#include "driver/packages/rust_values.h"
#include "package/version.h"
#include "support/text.h"
#include "target/board_row.h"
#include "target/ecosystems.h"

namespace hlocc::driver {
namespace {

void mark_ends(TemplateValues& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    list[i]["first"] = i == 0;
    list[i]["last"] = i + 1 == list.size();
    list[i]["number"] = i;
  }
}

// Debian's names have no underscores, and no capitals.
std::string dashes(std::string text) {
  for (char& c : text) c = c == '_' ? '-' : static_cast<char>(std::tolower(c));
  return text;
}

TemplateValues names_json(const kernel::Signature& names) {
  return {{"class", names.class_name},
          {"stem", names.stem},
          {"prefix", names.prefix},
          {"macro", names.macro_prefix}};
}

// What the manifest among the files says.
TemplateValues manifest_of(const CompiledTarget& made) {
  for (const package::File& file : made.files) {
    if (!file.name.ends_with(".json")) continue;
    const Pieces::Bytes bytes = file.bytes.joined();
    const char* text = reinterpret_cast<const char*>(bytes.data());
    return TemplateValues::parse(text, text + bytes.size());
  }
  return TemplateValues::object();
}

// The files of one model for one target, and what they come to.
TemplateValues part_json(const PackageModel& model, const CompiledTarget& made, int pointer_bits) {
  TemplateValues out = names_json(model.names);
  out["part"] = model.names.stem;
  out.update(rust_part(manifest_of(made), pointer_bits));
  for (const package::File& file : made.files) {
    const bool is_manifest = file.name.ends_with(".json"), is_header = file.name.ends_with(".h");
    out[is_manifest ? "manifest" : is_header ? "header" : "code"] = file.name;
  }
  for (const char* key : {"ram_bytes", "arena_bytes", "flash_bytes", "weights_bytes", "code_bytes",
                          "stack_bytes", "expected_cycles"})
    out[key] = made.sizes.at(key).is_number() ? made.sizes.at(key) : TemplateValues("?");
  return out;
}

// What the board's row says, for build systems that link programs for it; all empty without one.
TemplateValues board_json(const Target& target) {
  BoardRow row = row_for(target);
  const std::string board = row.empty() ? "" : target.name == "host" ? "host" : target.board;
  TemplateValues sources = TemplateValues::array(), flags = TemplateValues::array();
  const auto add = [](TemplateValues& list, const std::string& words) {
    for (const std::string& word : split(words, ' '))
      if (!word.empty()) list.push_back(word);
  };
  if (!board.empty()) add(sources, "board_text.c");
  const bool is_bare = !row["script"].empty();
  if (is_bare) {
    add(sources, "board_measure.c board_semihost.c board_memory.c " + row["start"]);
    for (const char* region : {"vectors", "flash", "ram", "bulk"}) {
      const std::vector<std::string> words = split(row[region], ' ');
      add(flags, cat("-Wl,--defsym=__", region, "_origin=", words[0]));
      if (words.size() > 1) add(flags, cat("-Wl,--defsym=__", region, "_size=", words[1]));
    }
    add(flags, "-nostartfiles -nostdlib -Wl,--gc-sections -Wl,--no-warn-rwx-segments");
  } else if (row.contains("support")) {
    add(sources, row["support"]);
    add(flags, row["linkflags"]);
  } else if (!board.empty()) {
    add(sources, "board_measure.c board_linux.c");
    add(flags, row["compiler"] == "cc" ? "-pthread" : "-static");
  }
  TemplateValues cflags = TemplateValues::array();
  add(cflags, row["cflags"]);
  return {{"board", board},
          {"board_sources", sources},
          {"board_flags", flags},
          {"board_script", is_bare ? row["script"] : ""},
          {"board_is_bare", is_bare},
          {"board_has_support", row.contains("support")},
          {"compiler", row["compiler"]},
          {"cflags", row["cflags"]},
          {"cflags_list", cflags}};
}

// What each ecosystem calls the target; empty where it does not know it.
TemplateValues ecosystem_json(const PackageTarget& one, const std::string& package) {
  const EcosystemNames names = ecosystem_names(one.target, one.core);
  const std::string dashed = dashes(package);
  const bool is_debian = !names.deb.empty();
  TemplateValues idf = TemplateValues::array();
  for (const std::string& chip : split(names.idf, ' '))
    if (!chip.empty()) idf.push_back(chip);
  return {{"meson_family", names.meson},
          {"meson_system", one.target.bare_metal ? "none" : "linux"},
          {"conan_arch", names.conan},
          {"conan_os", one.target.bare_metal ? "baremetal" : "Linux"},
          {"vcpkg_arch", names.vcpkg},
          {"deb_arch", is_debian ? names.deb : "all"},
          {"deb_multiarch", is_debian},
          {"deb_root", cat("lib", dashed, "-", dashes(one.target.name))},
          {"deb_name", is_debian ? cat("lib", dashed, "-dev")
                                 : cat("lib", dashed, "-", dashes(one.target.name), "-dev")},
          {"deb_folder", is_debian ? names.triplet : cat(package, "/", one.target.name)},
          {"deb_module", is_debian ? package : cat(package, "-", one.target.name)},
          {"rust_triple", names.rust},
          {"rust_thumb", names.rust.starts_with("thumb")},
          {"kconfig", names.kconfig},
          {"idf", idf},
          {"arduino", names.arduino},
          {"cmsis_core", names.cmsis_core},
          {"cmsis_fpu", names.cmsis_fpu},
          {"cmsis_mve", names.cmsis_mve},
          {"cmsis_dsp", names.cmsis_dsp}};
}

TemplateValues target_json(const PackageTarget& one, const std::string& package) {
  const Target& target = one.target;
  TemplateValues out = {{"target", target.name},
                        {"id", one.id},
                        {"ID", to_upper(one.id)},
                        {"condition", one.condition},
                        {"triple", target.triple},
                        {"cpu", target.cpu},
                        {"is_source", target.backend == "c"},
                        {"is_library", target.backend != "c"},
                        {"bare_metal", target.bare_metal},
                        {"endian", target.byte_order == ByteOrder::kBig ? "big" : "little"}};
  out.update(ecosystem_json(one, package));
  out.update(board_json(target));
  return out;
}

// The test of one model: arrays in each order of bytes that a target has.
TemplateValues test_json(const GoldenTest& test, bool has_little, bool has_big) {
  const SelftestParts& any = has_little ? test.little : test.big;
  std::string data = any.data;
  if (has_little && has_big)
    data = cat("#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__\n", test.big.data, "#else\n",
               test.little.data, "#endif\n");
  return {{"data", data},
          {"inputs", any.inputs},
          {"checks", any.checks},
          {"check_count", any.count + 1},
          {"unchecked", any.unchecked}};
}

TemplateValues texts_json(const PackageSpec& spec, const PackageFlags& flags) {
  const PackageFormat& format = *spec.format;
  const std::string title = cat(spec.names.class_name, ", compiled by hlocc");
  const std::vector<std::string> numbers = split(flags.version, '.');
  const bool has_maintainer = !flags.maintainer.empty();
  return {{"format", format.name},
          {"format_title", format.title},
          {"validated", format.validated},
          {"built", format.built},
          {"ran", format.ran},
          {"selftest_output", selftest_output()},
          {"hlocc_version", package::version()},
          {"version", flags.version},
          {"version_major", numbers[0]},
          {"version_minor", numbers[1]},
          {"description", flags.description.empty() ? title : flags.description},
          {"maintainer", has_maintainer ? flags.maintainer : "unknown <unknown@localhost>"},
          {"license", flags.license},
          {"url", flags.url}};
}

}  // namespace

TemplateValues package_values(const PackageSpec& spec, const PackageFlags& flags,
                              const std::vector<PackagedModel>& models) {
  TemplateValues out = texts_json(spec, flags);
  out["package"] = spec.names.stem;
  out["dashed"] = dashes(spec.names.stem);
  out["PACKAGE"] = to_upper(spec.names.stem);
  out["package_class"] = spec.names.class_name;
  const auto has_order = [&](ByteOrder order) {
    return std::ranges::any_of(
        spec.targets, [&](const PackageTarget& one) { return one.target.byte_order == order; });
  };
  TemplateValues& all_models = out["models"] = TemplateValues::array();
  for (size_t i = 0; i < models.size(); ++i) {
    TemplateValues one = names_json(spec.models[i].names);
    one["model"] = spec.models[i].names.stem;
    one["file"] = spec.models[i].path.substr(spec.models[i].path.rfind('/') + 1);
    one.update(
        test_json(models[i].test, has_order(ByteOrder::kLittle), has_order(ByteOrder::kBig)));
    const GoldenTest& test = models[i].test;
    one.update(rust_test(has_order(ByteOrder::kLittle) ? test.little : test.big,
                         manifest_of(models[i].targets[0])));
    all_models.push_back(std::move(one));
  }
  TemplateValues& targets = out["targets"] = TemplateValues::array();
  for (size_t t = 0; t < spec.targets.size(); ++t) {
    TemplateValues one = target_json(spec.targets[t], spec.names.stem);
    TemplateValues& parts = one["parts"] = TemplateValues::array();
    for (size_t i = 0; i < models.size(); ++i)
      parts.push_back(
          part_json(spec.models[i], models[i].targets[t], spec.targets[t].target.pointer_bits));
    mark_ends(parts);
    targets.push_back(std::move(one));
  }
  mark_ends(all_models);
  mark_ends(targets);
  out["has_boards"] =
      std::ranges::any_of(targets, [](const auto& one) { return one["board"] != ""; });
  out["first_target"] = targets[0]["target"];
  out["has_memories"] = !spec.targets[0].target.options.memories.empty();
  return out;
}

}  // namespace hlocc::driver
