// Places of the source that operations come from: names, lines, calls, and how they are told apart.
#include "stablehlo/programs.h"

namespace hlocc::tests {
namespace {

// "name file:line function<caller:line": what is known of where the first negation comes from.
std::string place_of(std::string_view location, std::string_view aliases = "") {
  const Result<hlo::Module> module = read_program(
      cat("module @m { func.func @main(%a: tensor<f32>) -> tensor<f32> {\n %0 = stablehlo.negate "
          "%a : tensor<f32> loc(",
          location, ")\n return %0 : tensor<f32> } }\n", aliases));
  if (!module) return module.error().message;
  const hlo::Computation& entry = module->entry_computation();
  const hlo::Metadata& from = entry[entry.root].metadata;
  std::string out = cat(from.op_name, "|", from.source_file, ":", from.source_line);
  for (int frame = from.stack_frame; frame > 0;) {
    const hlo::SourceFrame& one = module->frames[static_cast<size_t>(frame - 1)];
    out += cat("|", one.function > 0 ? module->source_functions[one.function - 1] : "?", "@",
               module->source_files[one.file - 1], ":", one.line);
    frame = one.caller;
  }
  return out;
}

TEST_CASE("a name around the line of an operation is no function's") {
  const auto functions = [](std::string_view location) {
    const Result<hlo::Module> module =
        read_program(cat("module @m { func.func @main(%a: tensor<f32>) -> tensor<f32> {\n %0 = "
                         "stablehlo.negate %a : tensor<f32> loc(",
                         location, ")\n return %0 : tensor<f32> } }\n"));
    REQUIRE(module);
    return module->source_functions.size();
  };
  CHECK(functions("\"x\"(\"f.py\":7:1)") == 0);
  CHECK(functions("\"x\"(\"g\"(\"f.py\":7:1))") == 1);
}

TEST_CASE("names and lines of operations") {
  const std::pair<const char*, const char*> rows[] = {
      {"unknown", "|:0"},
      {"\"x\"", "x|:0"},
      {"\"x:\"", "|:0"},
      {"\"f.py\":7:1", "|f.py:7|?@f.py:7"},
      {"\"f.py\":0:0", "|f.py:0|?@f.py:0"},
      {"\"f.py\":7:1 to :9", "|f.py:7|?@f.py:7"},
      {"\"f.py\":7:1 to 8:9", "|f.py:7|?@f.py:7"},
      {"\"x\"(\"f.py\":7:1)", "x|f.py:7|?@f.py:7"},
      {"\"x\"(\"g\"(\"f.py\":7:1))", "x|f.py:7|g@f.py:7"},
      {"\"x\"(\"h\"(\"g\"(\"f.py\":7:1)))", "x|f.py:7|g@f.py:7"},
      // A name that ends in a colon is the operation's kind, and what it stands around has a name.
      {"\"x:\"(\"y\"(\"g\"(\"f.py\":7:1)))", "y|f.py:7|g@f.py:7"},
      {"\"x\"(\"y\")", "x|:0"},
      {"\"n\"(\"x\"(callsite(\"f.py\":7:1 at \"m.py\":3:1)))", "n|f.py:7|?@f.py:7|?@m.py:3"},
      {"\"z\"(\"x\"(callsite(\"f.py\":7:1 at \"c\")))", "z|f.py:7|?@f.py:7"},
      {"loc(\"x\")", "x|:0"},
      {"callsite(\"g\"(\"f.py\":7:1) at \"h\"(\"m.py\":3:1))", "|f.py:7|g@f.py:7|h@m.py:3"},
      {"callsite(\"f.py\":7:1 at \"m.py\":3:1)", "|f.py:7|?@f.py:7|?@m.py:3"},
      {"\"x\"(callsite(\"g\"(\"f.py\":7:1) at \"h\"(\"m.py\":3:1)))", "x|f.py:7|g@f.py:7|h@m.py:3"},
      {"callsite(\"g\"(\"f.py\":7:1) at \"x\"(callsite(\"h\"(\"m.py\":3:1) at "
       "\"i\"(\"n.py\":4:1))))",
       "x|f.py:7|g@f.py:7|h@m.py:3|i@n.py:4"},
      {"fused[\"x\", \"y\"]", "x|:0"},
      {"fused[unknown, \"y\", \"z\"]", "y|:0"},
      {"fused<\"pass\">[\"f.py\":7:1, \"y\"]", "|f.py:7|?@f.py:7"},
      {"fused[]", "|:0"},
  };
  for (const auto& [location, place] : rows) {
    INFO(location);
    CHECK(place_of(location) == place);
  }
}

TEST_CASE("places have aliases, in any order") {
  CHECK(place_of("#loc1", "#loc1 = loc(\"x\"(#loc2))\n#loc2 = loc(\"f.py\":7:1)\n") ==
        "x|f.py:7|?@f.py:7");
  CHECK(place_of("#loc1", "#loc2 = loc(\"f.py\":7:1)\n#loc1 = loc(\"x\"(#loc2))\n") ==
        "x|f.py:7|?@f.py:7");
  // A name around a line alone is a function wherever an alias holds it.
  CHECK(place_of("\"x\"(#loc1)", "#loc1 = loc(\"g\"(\"f.py\":7:1))\n") == "x|f.py:7|g@f.py:7");
  CHECK(place_of("callsite(#loc1 at #loc1)", "#loc1 = loc(\"g\"(\"f.py\":7:1))\n") ==
        "|f.py:7|g@f.py:7|g@f.py:7");
}

TEST_CASE("places that are refused") {
  const std::pair<const char*, const char*> rows[] = {
      {"x", "expected a location"},
      {"#", "the name of an alias"},
      {"#loc7", "the name of a location that the file defines"},
      {"\"f.py\":x:1", "an integer"},
      {"\"f.py\":7:x", "an integer"},
      {"\"f.py\":7:1 to x", "an integer"},
      {"\"f.py\":-1:1", "the number of a line"},
      {"\"f.py\":2147483648:1", "the number of a line"},
      {"\"x\"(\"y\" \"z\")", "expected ')'"},
      {"callsite(\"x\" \"y\")", "'at'"},
      {"callsite \"x\" at \"y\"", "expected '('"},
      {"callsite(\"x\" at \"y\" \"z\")", "expected ')'"},
      {"fused(\"x\")", "expected '['"},
      {"fused[\"x\" \"y\"]", "expected ',' or ']'"},
      {"loc \"x\"", "expected '('"},
  };
  for (const auto& [location, message] : rows) {
    INFO(location);
    CHECK_THAT(place_of(location), Catch::Contains(message));
  }
}

std::string nested(std::string_view open, int count, std::string_view middle,
                   std::string_view close) {
  std::string out;
  for (int i = 0; i < count; ++i) out += open;
  out += middle;
  for (int i = 0; i < count; ++i) out += close;
  return out;
}

TEST_CASE("places nest a hundred deep, and have 64 calls") {
  CHECK(place_of(nested("loc(", 100, "\"x\"", ")")) == "x|:0");
  CHECK_THAT(place_of(nested("loc(", 101, "\"x\"", ")")),
             Catch::Contains("locations nest deeper than 100"));
  // callsite(1 at callsite(2 at ...)): those from the inside count.
  const auto calls = [](int count) {
    std::string text;
    for (int i = 1; i < count; ++i) text += cat("callsite(\"f.py\":", i, ":1 at ");
    text += cat("\"f.py\":", count, ":1") + std::string(static_cast<size_t>(count) - 1, ')');
    const std::string place = place_of(text);
    return std::pair(std::ranges::count(place, '@'), place.substr(place.rfind(':')));
  };
  CHECK(calls(64) == std::pair(std::ptrdiff_t{64}, std::string(":64")));
  CHECK(calls(65) == std::pair(std::ptrdiff_t{64}, std::string(":64")));
}

}  // namespace
}  // namespace hlocc::tests
