// Archives of models (import/reader.cpp): which member is read, by its name and by the names of
// archives inside, and what is said where none can be told.
#include <catch2/catch.hpp>

#include "import/archive_bytes.h"
#include "import/reader.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

using Members = std::vector<std::pair<std::string, std::string>>;  // name, bytes

// All stored as they are.
std::string stored_zip(const Members& members) {
  std::vector<ZipPart> parts;
  for (const auto& [name, bytes] : members) parts.push_back({name, bytes, "", "", false});
  return zip_of(parts, "");
}

// A module's text under any name is read as what it is.
std::string module_called(const std::string& name) {
  return cat("HloModule ", name, "\nENTRY e { ROOT x = f32[2] parameter(0) }\n");
}

std::string told_of(const std::string& bytes, const std::string& member = "") {
  Choices choices;
  choices.member = member;
  const Result<Imported> read =
      read_model(std::as_bytes(std::span(bytes)), "a.task", Constants::kNeeded, choices);
  if (read) return "module " + read->module.name;
  std::string out = read.error().message;
  for (const std::string& note : read.error().notes) out += " | " + note;
  return out;
}

}  // namespace

TEST_CASE("a model in an archive is the only one, or the one that is named") {
  const std::string one = stored_zip({{"notes.txt", "x"}, {"a.tflite", module_called("first")}}),
                    two = stored_zip({{"a.tflite", module_called("first")},
                                      {"b.tflite", module_called("second")}}),
                    other = stored_zip({{"a.tflite/", ""}, {"a.tflite", module_called("first")}});
  CHECK(told_of(one) == "module first");
  CHECK(told_of(one, "a.tflite") == "module first");
  CHECK(told_of(one, "b.tflite") ==
        "--member: the archive has no \"b.tflite\" | --member a.tflite");
  CHECK(told_of(two) == "is an archive of 2 models | --member a.tflite, --member b.tflite");
  CHECK(told_of(two, "a.tflite") == "module first");
  CHECK(told_of(two, "b.tflite") == "module second");
  CHECK(told_of(two, "b.tflit").starts_with("--member: the archive has no \"b.tflit\""));
  CHECK(told_of(other) == "module first");
  CHECK(told_of(other, "a.tflite") == "module first");
  // A file of any name may be wanted.
  CHECK(told_of(stored_zip({{"model", module_called("any")}}), "model") == "module any");
}

TEST_CASE("an archive without models is told as one") {
  const std::string none = stored_zip({{"notes.txt", "x"}}),
                    named = stored_zip({{"notes.txt", "about a.tflite"}});
  CHECK(told_of(none).find("HLO") != std::string::npos);
  CHECK(told_of(named) == told_of(none));
  CHECK(told_of(named, "a.tflite") ==
        "--member: the archive has no \"a.tflite\" | it holds no .tflite file");
  CHECK(told_of(module_called("plain")) == "module plain");
  CHECK(told_of(module_called("plain"), "a.tflite") == "--member: the file is no zip archive");
}

TEST_CASE("a model in an archive inside is named by both") {
  const std::string inner = stored_zip({{"a.tflite", module_called("first")},
                                        {"b.tflite", module_called("second")}}),
                    single = stored_zip({{"a.tflite", module_called("single")}}),
                    outer = stored_zip({{"in.task", inner}, {"c.tflite", module_called("third")}}),
                    deep = stored_zip({{"out.task", stored_zip({{"in.task", single}})}});
  CHECK(told_of(outer, "in.task/b.tflite") == "module second");
  CHECK(told_of(outer, "c.tflite") == "module third");
  CHECK(told_of(outer, "in.task") ==
        "is an archive of 2 models | --member a.tflite, --member b.tflite");
  CHECK(told_of(outer, "in.task/c.tflite") ==
        "--member: the archive has no \"c.tflite\" | --member a.tflite, --member b.tflite");
  CHECK(told_of(outer, "in.tas/b.tflite").starts_with("--member: the archive has no"));
  CHECK(told_of(outer, "c.tflite/x") == "--member: the file is no zip archive");
  CHECK(told_of(deep) == "module single");
  CHECK(told_of(deep, "out.task/in.task/a.tflite") == "module single");
  CHECK(told_of(deep, "out.task") == "module single");
  std::string many = single;
  for (int i = 0; i < 3; ++i) many = stored_zip({{"in.task", many}});
  CHECK(told_of(many) == "module single");
  CHECK(told_of(stored_zip({{"in.task", many}})) == "archives so deep inside one another");
}

TEST_CASE("flags that a kind of file has no use for are refused") {
  const auto with = [](const auto& change) {
    Choices choices;
    change(choices);
    const std::string bytes = module_called("plain");
    const Result<Imported> read =
        read_model(std::as_bytes(std::span(bytes)), "a", Constants::kNeeded, choices);
    return read ? std::string() : read.error().message;
  };
  CHECK(with([](Choices& c) { c.dimensions["n"] = 1; }) == "--dim: HLO leaves no size open");
  CHECK(with([](Choices& c) { c.signature = "s"; }) ==
        "--signature: only .tflite files have signatures");
  CHECK(with([](Choices& c) { c.rounding = Rounding::kTflm; }) ==
        "--rounding: other files than .tflite say how they round");
}

}  // namespace hlocc::import
