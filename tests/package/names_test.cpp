// What models, symbols and leaves are called, and which wishes are refused.
#include "package/names.h"

#include <catch2/catch.hpp>

#include "models.h"
#include "package/identifiers.h"
#include "package/taken_names.h"
#include "support/text.h"

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
  CHECK(stem_of_file("kws.v1.hlo", module) == "kws_v1");
  CHECK(stem_of_file("kws.v2.hlo.txt", module) == "kws_v2");
  CHECK(stem_of_file("out/.pb", module) == "jit_predict");
  CHECK(stem_of_file("hlo.tflite.mlir", module) == "hlo");
  Options options;
  options.stem = "kws_dscnn";
  Result<kernel::Signature> signature = make_signature(module, options);
  REQUIRE(signature.ok());
  CHECK(signature->class_name == "KwsDscnn");
  CHECK(signature->prefix == "kws_dscnn_");
  CHECK(signature->stem == "kws_dscnn");
}

TEST_CASE("class names that would not compile are refused") {
  for (const char* name : {"a b", "acme::", "::Kws", "acme:Kws", "acme::class", "3d",
                           // What every class has.
                           "Static", "Init", "Run", "error_msg", "results", "instance", "num_args",
                           "num_results", "num_variables", "LookupArgIndex", "LookupResultIndex",
                           "Reset", "Checkpoint", "Restore", "Did", "Same"}) {
    INFO(name);
    Options options;
    options.name = name;
    CHECK(!refusal(options).empty());
  }
}

TEST_CASE("names of headers, libraries, macros and types are not taken again") {
  const hlo::Module module = two_and_one();
  // Each is refused for a reason of its own, which the message says.
  const std::map<std::string, std::string> refused = {
      {"time", "time.h would hide <time.h>, a header of C"},
      {"acme::Stdint", "stdint.h would hide <stdint.h>, a header of C"},
      {"Pthread", "pthread.h would hide <pthread.h>, a header of POSIX"},
      {"Reent", "reent.h would hide <reent.h>, a header of newlib and picolibc"},
      {"ArmNeon", "arm_neon.h would hide <arm_neon.h>, a header of the compiler"},
      {"Obstack", "obstack.h would hide <obstack.h>, a header of glibc"},
      {"acme::C", "libc.a would be found by -lc, a library of C"},
      {"acme::m", "libm.a would be found by -lm, a library of C"},
      {"Gcc", "libgcc.a would be found by -lgcc, a library of the compiler"},
      {"Nosys", "libnosys.a would be found by -lnosys, a library of bare metal"},
      {"NULL", "NULL is a macro of C's headers"},
      {"acme::EOF", "EOF is a macro of C's headers"},
      {"INT_MAX", "INT_MAX is a macro of C's headers"},
      {"FLT_DECIMAL_DIG", "FLT_DECIMAL_DIG is a macro of C's headers"},
      {"offsetof", "offsetof is a macro of C's headers"},
      {"unix::Kws", "unix is a macro that compilers predefine"},
      {"linux", "linux is a macro that compilers predefine"},
      {"FILE", "FILE is a type of C's headers"},
      {"size_t", "size_t is a type of C's headers"},
      {"Size", "size_t is a type of C's headers"},
      {"Uint8", "uint8_t is a type of C's headers"},
      {"strlen", "strlen is a function of C's headers"},
      {"Mtx", "mtx_t is a type of C's headers"},
      {"Pid", "pid_t is a type of POSIX"},
      {"pthread_create::Kws", "pthread_create is a function of POSIX"},
      {"std::vector", "std is the namespace of C++'s library"}};
  for (const auto& [name, what] : refused) {
    Options options;
    options.name = name;
    CHECK(refusal(options) == cat("--name ", name, ": ", what));
  }
  // Just outside of each: another case, another namespace, headers in folders, longer names.
  for (const char* name :
       {"Ticker", "acme::Size", "acme::FILE_", "Unix", "Linux::Kws", "Vector", "acme::strlen2",
        "EKF", "Sys", "INT", "FLT", "File", "Null", "Standard", "INTERVAL", "INT_MAXIMUM"})
    CHECK(named(name).class_name == name);
  // errno and assert are headers before they are macros.
  for (const char* name : {"errno", "assert"}) CHECK(owner_of(TakenKind::kMacro, name).has_value());
}

TEST_CASE("a file's name that is taken gets a word behind it") {
  const hlo::Module module = two_and_one();
  const std::map<std::string, std::string> stems = {
      {"m.hlo", "m_model"},          {"time.pb", "time_model"},
      {"string.pb", "string_model"}, {"run.pb", "run_model"},
      {"init.pb", "init_model"},     {"static.pb", "static_model"},
      {"gcc.pb", "gcc_model"},       {"stdint.pb", "stdint_model"},
      {"i.pb", "i_model"},           {"size.pb", "size_model"},
      {"runs.pb", "runs"},           {"timer.pb", "timer_model"},
      {"ticker.pb", "ticker"},       {"m1.pb", "m1"},
      {"vector.pb", "vector"},       {"class.pb", "class"},
      {"time.v2.pb", "time_v2"}};
  for (const auto& [file, stem] : stems) {
    CHECK(stem_of_file(file, module) == stem);
    Options options;
    options.stem = stem;
    CHECK(make_signature(module, options).ok());
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

kernel::Signature signature_of(const hlo::Module& module, Options options = {}) {
  options.stem = "m";
  Result<kernel::Signature> signature = make_signature(module, options);
  if (!signature.ok()) FAIL(signature.error().to_string());
  return *signature;
}

std::vector<std::string> argument_names(const hlo::Module& module) {
  std::vector<std::string> out;
  for (const kernel::Leaf& leaf : signature_of(module).arguments) out.push_back(leaf.name);
  return out;
}

TEST_CASE("arguments are called after what HLO calls them") {
  using Names = std::vector<std::string>;
  hlo::Module module = two_and_one();
  name_parameters(module, {"s['gain']", "x"});
  CHECK(argument_names(module) == Names{"s_gain", "x"});
  CHECK(hlo_argument_names(module)[0] == "s['gain']");
  // Numbers of an exporter are no names; those of the text are.
  name_parameters(module, {"", "args[0]"});
  CHECK(argument_names(module) == Names{"", "args_0"});
  module.entry_computation().instructions[0].name = "features";
  CHECK(argument_names(module) == Names{"features", "args_0"});
  for (const char* generic : {"Arg_0", "p.3", "p0", "param_1.2", "parameter.7", "arg12", "3"}) {
    module.entry_computation().instructions[0].name = generic;
    INFO(generic);
    CHECK(argument_names(module) == Names{"", "args_0"});
  }
  // Two with one identifier: nobody has it. A name whose accessors others have is left out.
  name_parameters(module, {"s['gain']", "s.gain"});
  CHECK(argument_names(module) == Names{"", ""});
  name_parameters(module, {"x", "x_data"});
  CHECK(argument_names(module) == Names{"x", ""});
  name_parameters(module, {"3d", "!!"});
  CHECK(argument_names(module) == Names{"_3d", ""});
}

TEST_CASE("leaves of a tuple are called after their place in it") {
  const Shape f32 = Shape::array(PrimitiveType::kF32, {4});
  hlo::Module module =
      module_of({Shape::make_tuple({f32, Shape::token(), Shape::make_tuple({f32})})}, f32);
  name_parameters(module, {"state"});
  CHECK(argument_names(module) == std::vector<std::string>{"state_0", "state_2_0"});
  CHECK(hlo_argument_names(module) == std::vector<std::string>{"state.0", "state.2.0"});
}

TEST_CASE("a donated result is called after its argument") {
  hlo::Module module = two_and_one();
  name_parameters(module, {"x", "hidden"});
  module.aliases = {{{}, 1, {}, false}};
  CHECK(signature_of(module).results[0].name == "hidden");
  Options options;
  options.result_names = {{0, "y"}};
  CHECK(signature_of(module, options).results[0].name == "y");
}

TEST_CASE("results are called after notes of their root, and two of one name after none") {
  const Shape f32 = Shape::array(PrimitiveType::kF32, {4});
  hlo::Module module = module_of({f32}, Shape::make_tuple({f32, f32, f32}));
  name_parameters(module, {"x"});
  module.entry_computation().root = 0;
  auto& notes = module.entry_computation().instructions[0].frontend_attributes;
  notes["result_name.0"] = notes["result_name.1"] = "y";
  notes["result_name.2"] = "z";
  const kernel::Signature signature = signature_of(module);
  CHECK(signature.results[0].name.empty());
  CHECK(signature.results[1].name.empty());
  CHECK(signature.results[2].name == "z");
}

TEST_CASE("--arg takes what HLO calls the argument") {
  const auto named = [](std::map<std::string, std::string> wishes, std::vector<std::string> names) {
    hlo::Module module = two_and_one();
    name_parameters(module, names);
    Result<std::map<int, std::string>> out =
        names_by_leaf(wishes, hlo_argument_names(module), "--arg");
    if (!out.ok()) return out.error().message;
    std::string text;
    for (const auto& [leaf, name] : *out) text += std::to_string(leaf) + "=" + name + " ";
    return text;
  };
  CHECK(named({{"s['gain']", "gain"}}, {"s['gain']", "x"}) == "0=gain ");
  // The same model exported with its arguments in another order keeps the names where they belong.
  CHECK(named({{"s['gain']", "gain"}, {"x", "y"}}, {"x", "s['gain']"}) == "0=y 1=gain ");
  CHECK(named({{"s['gain']", "gain"}}, {"x", "s['bias']"}) ==
        "--arg s['gain']=gain: HLO calls no leaf s['gain']");
  CHECK(named({{"0", "a"}, {"x", "b"}}, {"x", "y"}) == "--arg x=b: leaf 0 has a name already");
  CHECK(named({{"x", "b"}}, {"x", "x"}) == "--arg x=b: HLO calls 2 leaves x");
  CHECK(named({{"1", "b"}}, {"", ""}) == "1=b ");
  const Result<std::map<int, std::string>> near =
      names_by_leaf({{"s['gian']", "g"}}, {"s['gain']"}, "--arg");
  REQUIRE(!near.ok());
  CHECK(near.error().to_string().find("did you mean `s['gain']`?") != std::string::npos);
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
