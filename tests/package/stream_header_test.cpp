// The header of a model whose rows are pushed one by one: what stands in the place of run, and what
// rows have that go on behind a result. Programs that push rows are e2e's.
#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

#include "models.h"
#include "package/header_writer.h"
#include "package/manifest.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

kernel::Signature rows_signature() {
  Options options;
  options.name = "Rows";
  options.argument_names = {{0, "x"}};
  options.stream = StreamOption{0, 0};
  const hlo::Shape f32 = hlo::Shape::array(hlo::PrimitiveType::kF32, {8, 3});
  return *make_signature(module_of({f32, f32}, f32), options);
}

// Windows that follow one another by `spacing` rows; 0: each begins anew.
planning::Plan rows_plan(int32_t spacing) {
  planning::Plan plan = plan_of(rows_signature());
  kernel::ProgramValue state{.name = "stream", .element = kernel::Scalar::kS32, .elements = 2};
  state.role = kernel::ValueRole::kState;
  if (spacing > 0) {
    std::vector<std::byte> words(12);
    std::memcpy(words.data() + 8, &spacing, sizeof spacing);
    state.elements = 3;
    state.data = std::make_shared<const std::vector<std::byte>>(std::move(words));
  }
  plan.stream = {.state_offset = 0, .iterations = 9, .ticket_offset = 4};
  plan.values = {state};
  plan.places = {{planning::Region::kState, 0, 12}};
  plan.state_bytes = 12;
  return plan;
}

std::string header_with(int32_t spacing) {
  return write_header(rows_signature(), rows_plan(spacing), this_machine(), this_core(), {});
}

TEST_CASE("a streamed argument has no accessors and no place to set, others have") {
  const std::string header = header_with(0);
  for (const char* missing : {"rows_arg0_data(", "rows_set_arg0_data(", "set_arg_x_data(",
                              "case 0: return set_arg0_data"})
    CHECK(header.find(missing) == std::string::npos);
  for (const char* there :
       {"rows_arg1_data(", "rows_set_arg1_data(", "case 1: return set_arg1_data", "rows_push_arg0(",
        "#define ROWS_STREAM_ROWS 8\n", "push_x("})
    CHECK(header.find(there) != std::string::npos);
}

TEST_CASE("rows go on behind a result where windows follow one another, by one row too") {
  for (const int spacing : {0, 1, 3}) {
    INFO(spacing);
    const std::string header = header_with(spacing);
    const std::string macro = cat("#define ROWS_STREAM_EVERY ", spacing, "\n");
    CHECK((header.find(macro) != std::string::npos) == (spacing > 0));
    CHECK((header.find("ROWS_STREAM_EVERY") != std::string::npos) == (spacing > 0));
    CHECK((header.find("Behind a result rows go on") != std::string::npos) == (spacing > 0));
    const auto json = nlohmann::json::parse(
        write_manifest(rows_signature(), rows_plan(spacing), this_machine(), {}, {}));
    CHECK(json["stream"]["rows"] == 8);
    CHECK(json["stream"].value("every", 0) == spacing);
  }
}

}  // namespace
}  // namespace hlocc::package
