// Targets of the readers of what stands beside a model, or around it: archives, arrays of NumPy's,
// config files, dumps of profiles.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "driver/analyze/profile.h"
#include "driver/cli/command_tree.h"
#include "driver/cli/config.h"
#include "fuzz/libfuzzer/targets.h"
#include "import/npy.h"
#include "import/proto/wire.h"
#include "import/zip.h"

namespace hlocc::fuzz {

// Members lie in the archive, one beside the other, and are as long as they say.
void run_zip(Input input) {
  const auto members = import::read_zip_directory(input);
  if (!members) return must_be_sound(members.error());
  for (const import::ZipMember& member : *members) {
    must(member.data <= input.size() && member.packed_size <= input.size() - member.data,
         "a member lies in its archive");
    for (const import::ZipMember& other : *members)
      must(&other == &member || other.header >= member.data + member.packed_size ||
               member.header >= other.data + other.packed_size,
           "members lie beside one another");
    constexpr uint64_t kMostBytes = uint64_t{1} << 22;
    if (member.size > kMostBytes) continue;
    const auto content = import::read_zip_member(input, member);
    if (!content) {
      must_be_sound(content.error());
      continue;
    }
    must(content->bytes.size() == member.size, "a member has the bytes that it says");
    must(member.method == 8 || content->bytes.data() == input.data() + member.data,
         "what is stored is read in place");
  }
}

// The first byte draws the type that is asked for, the second the sizes.
void run_npy(Input input) {
  if (input.size() < 2) return;
  const auto byte = [&](size_t i) { return std::to_integer<size_t>(input[i]); };
  constexpr auto last = static_cast<size_t>(hlo::PrimitiveType::kC128);
  const auto type = static_cast<hlo::PrimitiveType>(byte(0) % (last + 1));
  static const hlo::Dimensions sizes[] = {{}, {3}, {2, 3}, {0, 5}, {4, 1, 2}};
  hlo::Shape shape = hlo::Shape::array(type, sizes[byte(1) % std::size(sizes)]);
  if (!shape.is_array()) shape = hlo::Shape::token();
  if (byte(1) >= 128 && shape.rank() > 0) shape.dynamic.assign(shape.dimensions.size(), true);
  const Result<hlo::Literal> literal = import::read_npy(input.subspan(2), shape);
  if (!literal) return must_be_sound(literal.error());
  const std::vector<std::byte> written = import::write_npy(*literal);
  const Result<hlo::Literal> again = import::read_npy(written, shape);
  must(again.ok() && *again == *literal, "an array is read as it was written");
}

void run_config(Input input) {
  static const CLI::App* compile = [] {
    static CLI::App app;
    static driver::CommandLine line;
    static driver::CommandTexts texts;
    driver::build_command_tree(app, line, texts);
    return app.get_subcommand("compile");
  }();
  const auto values = driver::read_config(import::as_text(input), "config.json", *compile);
  if (!values) {
    must_be_sound(values.error());
    return must(values.error().location.line > 0, "what is wrong with a config has a line");
  }
  for (const driver::ConfigValue& value : *values)
    must(value.word().starts_with('-'), "a value is a flag");
}

void run_profile(Input input) {
  const auto dumps = driver::read_dumps(import::as_text(input), "log");
  if (!dumps) return must_be_sound(dumps.error());
  for (const driver::ProfileDump& dump : *dumps) {
    std::vector<driver::Layer> layers(std::min<size_t>(dump.steps.size(), 100));
    const driver::Profile profile = driver::join_profile(dump, layers);
    must(!driver::to_text(profile, 1e6).empty(), "a profile prints");
    must(!driver::to_page(profile, std::nullopt).empty(), "a profile has a page");
    must(driver::to_json(profile, 1e6).is_object(), "a profile is JSON");
  }
}

}  // namespace hlocc::fuzz
