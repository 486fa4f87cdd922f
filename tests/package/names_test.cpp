// What models, symbols and leaves are called, and which wishes are refused.
#include "package/names.h"

#include <catch2/catch.hpp>

#include "models.h"
#include "package/identifiers.h"

namespace hlocc::package {
namespace {

using hlo::PrimitiveType;
using hlo::Shape;

hlo::Module two_and_one() {
  const Shape f32 = Shape::array(PrimitiveType::kF32, {4});
  return module_of({f32, f32}, f32);
}

kernel::Signature named(const std::string& name) {
  Options options;
  options.name = name;
  Result<kernel::Signature> signature = make_signature(two_and_one(), options);
  REQUIRE(signature.ok());
  return *signature;
}

std::string refusal(Options options, const hlo::Module& module = two_and_one()) {
  if (options.name.empty()) options.stem = "m";
  Result<kernel::Signature> signature = make_signature(module, options);
  REQUIRE(!signature.ok());
  CHECK(signature.error().kind == DiagnosticKind::kUsage);
  return signature.error().message;
}

TEST_CASE("--name decides about class, prefix and stem") {
  const kernel::Signature kws = named("acme::Kws");
  CHECK(kws.class_name == "acme::Kws");
  CHECK(kws.prefix == "acme_kws_");
  CHECK(kws.macro_prefix == "ACME_KWS_");
  CHECK(kws.stem == "kws");
  CHECK(named("TinyGpt").stem == "tiny_gpt");
  CHECK(named("a::b::TinyGpt").prefix == "a_b_tiny_gpt_");
}

TEST_CASE("without --name the file's name decides") {
  const hlo::Module module = two_and_one();
  CHECK(stem_of_file("models/kws_dscnn.snapshot.pb", module) == "kws_dscnn");
  CHECK(stem_of_file("-", module) == "jit_predict");
  CHECK(stem_of_file("dir.with.dots/3d-net.pb", module) == "_3d_net");
  Options options;
  options.stem = "kws_dscnn";
  Result<kernel::Signature> signature = make_signature(module, options);
  REQUIRE(signature.ok());
  CHECK(signature->class_name == "KwsDscnn");
  CHECK(signature->prefix == "kws_dscnn_");
  CHECK(signature->stem == "kws_dscnn");
}

TEST_CASE("class names that would not compile are refused") {
  for (const char* name : {"a b", "acme::", "::Kws", "acme:Kws", "acme::class", "Run", "3d"}) {
    INFO(name);
    Options options;
    options.name = name;
    CHECK(!refusal(options).empty());
  }
}

TEST_CASE("leaves come depth first without tokens") {
  const kernel::Signature zoo = zoo_signature();
  REQUIRE(zoo.arguments.size() == 6);
  CHECK(to_string(zoo.arguments[1].shape) == "s4[5]{0:E(4)}");
  CHECK(zoo.arguments[1].bytes() == 3);
  CHECK(zoo.arguments[2].shape.layout.minor_to_major == hlo::Dimensions{0, 1});
  CHECK(zoo.arguments[4].donated);
  CHECK(zoo.arguments[4].partner == 0);
  CHECK(zoo.results[0].donated);
  CHECK(zoo.results[0].partner == 4);
  CHECK(argument_bases(zoo.arguments[4]) == std::vector<std::string>{"arg4", "arg_h", "var_h"});
}

TEST_CASE("names of leaves are checked") {
  Options options;
  options.argument_names = {{0, "x-y"}};
  CHECK(refusal(options) == "--arg 0=x-y: 'x-y' is no C identifier");
  options.argument_names = {{2, "x"}};
  CHECK(refusal(options) == "--arg 2=x: there is no such leaf");
  options.argument_names = {{0, "x"}, {1, "x"}};
  CHECK(refusal(options) == "--arg 1=x: the name is given twice");
  options.argument_names = {{0, "x"}, {1, "x_data"}};
  CHECK(refusal(options) ==
        "the names of leaves clash: arg_x and arg_x_data would both make arg_x_data");
  options.argument_names = {{0, "x"}, {1, "X"}};
  options.result_names = {{0, "x"}};
  options.stem = "m";
  CHECK(make_signature(two_and_one(), options).ok());
}

TEST_CASE("aliases that cannot be are refused") {
  hlo::Module module = two_and_one();
  const auto check = [&](hlo::Alias alias) {
    module.aliases = {alias};
    Options options;
    options.stem = "m";
    Result<kernel::Signature> signature = make_signature(module, options);
    REQUIRE(!signature.ok());
    CHECK(signature.error().kind == DiagnosticKind::kStructure);
  };
  check({{0}, 0, {}, false});
  check({{}, 2, {}, false});
  module.entry_parameters[1] = Shape::scalar(PrimitiveType::kF32);
  check({{}, 1, {}, false});
}

}  // namespace
}  // namespace hlocc::package
