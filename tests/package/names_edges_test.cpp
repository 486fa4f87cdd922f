// Names beside what they may be: exporters' numbers and words that only look like them, members
// that others have, places of aliases at the ends of what there is.
#include <catch2/catch.hpp>

#include "models.h"
#include "package/c_types.h"
#include "package/identifiers.h"
#include "package/library_files.h"
#include "package/names.h"

namespace hlocc::package {
namespace {

using hlo::PrimitiveType;
using hlo::Shape;

const Shape kFour = Shape::array(PrimitiveType::kF32, {4});

hlo::Module with_names(const std::vector<std::string>& op_names) {
  hlo::Module module = module_of({kFour, kFour}, kFour);
  name_parameters(module, op_names);
  return module;
}

Result<kernel::Signature> sign(const hlo::Module& module, Options options = {}) {
  if (options.name.empty()) options.stem = "m";
  return make_signature(module, options);
}

std::string first_name(const std::string& hlo_name, const std::string& class_name = "") {
  Options options;
  options.name = class_name;
  Result<kernel::Signature> signature = sign(with_names({hlo_name, "other"}), options);
  REQUIRE(signature.ok());
  return signature->arguments[0].name;
}

TEST_CASE("an argument's name is left out where its members would be called like the class") {
  CHECK(first_name("x", "Kws") == "x");
  for (const char* name : {"arg_x", "arg_x_data", "set_arg_x_data", "arg_x_size", "arg_x_count"})
    CHECK(first_name("x", name).empty());
}

TEST_CASE("an argument without a name takes none from others") {
  const hlo::Module module = with_names({"", "_data"});
  CHECK(sign(module)->arguments[0].name.empty());
  CHECK(sign(module)->arguments[1].name == "_data");
}

TEST_CASE("words with numbers that no exporter makes are names") {
  hlo::Module module = with_names({"", ""});
  const auto name_of = [&](const std::string& name) {
    module.entry_computation().instructions[0].name = name;
    return sign(module)->arguments[0].name;
  };
  CHECK(name_of("Arg_0x") == "Arg_0x");
  CHECK(name_of("p0_in") == "p0_in");
  CHECK(name_of("layer_0") == "layer_0");
  CHECK(name_of("arg_").empty());
  CHECK(name_of("Arg_0.1").empty());
}

TEST_CASE("stretches of other characters are one underscore, and none at the ends") {
  CHECK(first_name("a..b") == "a_b");
  CHECK(first_name("a_-_b") == "a_b");
  CHECK(first_name("--a--") == "a");
  CHECK(first_name("a b_") == "a_b");
  CHECK(first_name("_a-b") == "a_b");
  CHECK(first_name("a__b") == "a__b");  // is an identifier already
}

TEST_CASE("aliases name places that are there, at both ends") {
  const Shape tuple = Shape::make_tuple({kFour, kFour});
  hlo::Module module = module_of({tuple, kFour}, Shape::make_tuple({kFour, kFour, kFour}));
  const auto fits = [&](std::vector<hlo::Alias> aliases) {
    module.aliases = std::move(aliases);
    return sign(module).ok();
  };
  CHECK(fits({{{0}, 0, {0}, false}, {{1}, 0, {1}, false}, {{2}, 1, {}, false}}));
  for (const hlo::Alias& wrong : {hlo::Alias{{-1}, 0, {0}, false},
                                  {{3}, 0, {0}, false},
                                  {{0}, -1, {0}, false},
                                  {{0}, 2, {}, false},
                                  {{0}, 0, {2}, false},
                                  {{0}, 0, {-1}, false},
                                  {{0, 0}, 0, {0}, false},
                                  {{0}, 0, {}, false},
                                  {{}, 1, {}, false}})
    CHECK_FALSE(fits({wrong}));
  CHECK_FALSE(fits({{{0}, 0, {0}, false}, {{1}, 0, {0}, false}}));
  CHECK_FALSE(fits({{{0}, 0, {0}, false}, {{0}, 0, {1}, false}}));
  REQUIRE(fits({{{1}, 0, {1}, false}}));
  CHECK(sign(module)->arguments[1].partner == 1);
}

TEST_CASE("leaves are numbered from 0") {
  const auto fits = [](int index, bool argument) {
    Options options;
    (argument ? options.argument_names : options.result_names) = {{index, "x"}};
    return sign(with_names({"", ""}), options).ok();
  };
  CHECK((fits(0, true) && fits(1, true) && fits(0, false)));
  CHECK_FALSE((fits(-1, true) || fits(2, true) || fits(1, false)));
  Options options;
  options.argument_names = {{2, "x"}};
  CHECK(sign(with_names({"", ""}), options).error().notes[0] ==
        "the model has 2 arguments, counted from 0");
  options.argument_names.clear();
  options.result_names = {{2, "x"}};
  CHECK(sign(with_names({"", ""}), options).error().notes[0] ==
        "the model has 1 result, counted from 0");
  for (const char* wish : {"-1", "0x", "99999999999"})
    CHECK_FALSE(names_by_leaf({{wish, "a"}}, {"x"}, "--arg").ok());
  CHECK(names_by_leaf({{"0", "a"}}, {"x"}, "--arg").ok());
}

TEST_CASE("parameters that the entry does not have are called nothing") {
  hlo::Module module = module_of({kFour, kFour}, kFour);
  name_parameters(module, {"x"});
  CHECK(hlo_argument_names(module) == std::vector<std::string>{"x", ""});
}

TEST_CASE("messages call leaves by their names, or by their numbers where they have none") {
  hlo::Module module = with_names({"x", ""});
  CHECK(leaf_names(module).arguments == std::vector<std::string>{"x", "arg1"});
  CHECK(leaf_names(module).results == std::vector<std::string>{"result0"});
  CHECK(result_labels(module) == std::vector<std::string>{"result0"});
  module.aliases = {{{}, 0, {}, false}};
  CHECK(leaf_names(module).results == std::vector<std::string>{"x"});
  CHECK(result_labels(module) == std::vector<std::string>{"result0 (x)"});
  // A module that has no signature has leaves all the same.
  module.aliases = {{{}, 7, {}, false}};
  CHECK(leaf_names(module).arguments == std::vector<std::string>{"arg0", "arg1"});
}

TEST_CASE("files and modules give stems and classes") {
  const hlo::Module module = module_of({}, kFour);
  for (const char* path : {"-", "", ".pb", "folder/.pb"})
    CHECK(stem_of_file(path, module) == "jit_predict");
  CHECK(stem_of_file("kws", module) == "kws");
  hlo::Module named = module;
  for (const auto& [name, class_name] :
       {std::pair{"jit_f", "F"}, {"jit_", "Jit"}, {"jit_net", "Net"}, {"kit_f", "KitF"}}) {
    named.name = name;
    CHECK(class_of_module(named) == class_name);
  }
}

TEST_CASE("models of a library have names that begin in their own way") {
  const auto apart = [](const std::string& library, const std::string& one,
                        const std::string& other) {
    const auto signature = [](const std::string& name) {
      Options options;
      options.name = name;
      return *sign(with_names({"", ""}), options);
    };
    const kernel::Signature first = signature(one), second = signature(other);
    std::vector<LibraryModel> models(2);
    models[0].signature = &first;
    models[1].signature = &second;
    return check_names_apart(signature(library), models).ok();
  };
  CHECK(apart("All", "Kws", "Vad"));
  CHECK_FALSE(apart("All", "Kws", "KwsBig"));
  CHECK_FALSE(apart("All", "KwsBig", "Kws"));
  CHECK_FALSE(apart("Kws", "KwsBig", "Vad"));
  CHECK(apart("All", "Kws", "Kwsbig"));
}

TEST_CASE("packed elements are bytes in C, those that fill bytes are not packed") {
  for (const int bits : {0, 1, 2, 4, 8}) {
    Shape shape = Shape::array(PrimitiveType::kU8, {4});
    shape.layout.element_bits = bits;
    CHECK(c_type(shape).packed_bits == (bits < 8 ? bits : 0));
  }
}

TEST_CASE("indexed accessors are there unless a leaf takes their names") {
  std::vector<kernel::Leaf> leaves(2);
  CHECK_FALSE(has_indexed_accessors({}));
  CHECK(has_indexed_accessors(leaves));
  for (const char* name : {"data", "size"}) {
    leaves[1].name = name;
    CHECK_FALSE(has_indexed_accessors(leaves));
  }
  kernel::Leaf leaf;
  CHECK(named_bases(leaf, "h", "arg") == std::vector<std::string>{"arg_h"});
  leaf.donated = true;
  CHECK(named_bases(leaf, "h", "arg") == std::vector<std::string>{"arg_h", "var_h"});
  CHECK(named_bases(leaf, "h", "result") == std::vector<std::string>{"result_h"});
}

}  // namespace
}  // namespace hlocc::package
