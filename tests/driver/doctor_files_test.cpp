// What `doctor` reads of a manifest and of a header: each member beside one of another type, each
// word beside one that only looks like it (driver/doctor/files.cpp).
#include <catch2/catch.hpp>

#include "driver/doctor/doctor.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

ManifestFacts manifest(const std::string& text) {
  return tests::require(read_manifest(text, "kws.json"));
}

TEST_CASE("members of a manifest are read, and those of another type are passed over") {
  const ManifestFacts all = manifest(
      R"({"target": "cortex-m4f", "run_symbol": "kws_run_0f", "undefined": ["a", 1, "b"],
          "options": {"triple": "t", "weights_section": ".w", "features": "+dsp"},
          "memories": [{"name": "fast", "arena_bytes": 64}, {"name": "slow"}, 7,
                       {"name": "odd", "arena_bytes": "64"}, {"arena_bytes": 0}],
          "arena_bytes": 100, "arena_align": 16, "weights_bytes": 5, "stack_bytes": 0,
          "stack_is_lower_bound": true})");
  CHECK(all.target == "cortex-m4f");
  CHECK(all.run_symbol == "kws_run_0f");
  CHECK(all.triple == "t");
  CHECK(all.weights_section == ".w");
  CHECK(all.features == "+dsp");
  CHECK(all.undefined == std::vector<std::string>{"a", "b"});
  CHECK(all.arena_bytes == 100);
  CHECK(all.arena_align == 16);
  CHECK(all.weights_bytes == 5);
  CHECK(all.stack_bytes == 0);
  CHECK(all.stack_is_lower_bound);
  REQUIRE(all.memories.size() == 2);
  CHECK(all.memories[0].name == "fast");
  CHECK(all.memories[0].arena_bytes == 64);
  CHECK(all.memories[1].name.empty());
  const ManifestFacts
      none = manifest("{}"),
      odd = manifest(
          R"({"target": 1, "run_symbol": null, "undefined": "a", "options": [], "memories": {},
          "arena_bytes": 1.5, "arena_align": "16", "stack_is_lower_bound": 1})");
  for (const ManifestFacts* one : {&none, &odd}) {
    CHECK((one->target + one->run_symbol + one->triple + one->weights_section).empty());
    CHECK_FALSE(one->features);
    CHECK(one->undefined.empty());
    CHECK(one->memories.empty());
    CHECK_FALSE(one->arena_bytes);
    CHECK_FALSE(one->arena_align);
    CHECK_FALSE(one->stack_is_lower_bound);
  }
  // Members of another type within those that are read.
  const ManifestFacts inner = manifest(
      R"({"options": {"triple": 1, "weights_section": [], "features": 1},
          "undefined": [{}, "c"], "memories": [[], {"name": 1, "arena_bytes": 3},
          {"arena_bytes": 1.5}]})");
  CHECK((inner.triple + inner.weights_section).empty());
  CHECK(inner.features == "");
  CHECK(inner.undefined == std::vector<std::string>{"c"});
  REQUIRE(inner.memories.size() == 1);
  CHECK(inner.memories[0].name.empty());
  CHECK(inner.memories[0].arena_bytes == 3);
  // No features are not the same as features that are empty.
  CHECK(manifest(R"({"options": {"features": ""}})").features == "");
  CHECK_FALSE(manifest(R"({"options": {"triple": "t"}})").features);
  for (const char* wrong : {"", "[]", "1", "{", "{\"a\": }"}) {
    const Result<ManifestFacts> read = read_manifest(wrong, "kws.json");
    REQUIRE_FALSE(read);
    CHECK(read.error().to_string().starts_with("kws.json: error[format]: is no manifest"));
  }
}

// "SYMBOL BYTES", or the error.
std::string told_of_header(const std::string& header) {
  const Result<HeaderFactsRead> read = read_header(header, "kws.h");
  return read ? cat(read->run_symbol, " ", read->arena_bytes) : read.error().to_string();
}

TEST_CASE("words of a header are read where they stand as hlocc writes them") {
  const std::string arena = "#define KWS_ARENA_BYTES 1024\n", run = "int kws_run(kws_t *self);\n",
                    hashed = "#define kws_run kws_run_0123456789abcdef\n";
  CHECK(told_of_header(arena + run) == "kws_run 1024");
  CHECK(told_of_header(arena + hashed + run) == "kws_run_0123456789abcdef 1024");
  CHECK(told_of_header(arena + run + hashed) == "kws_run_0123456789abcdef 1024");
  CHECK(told_of_header(arena) == " 1024");
  CHECK(told_of_header(run) == "kws_run -1");
  // The first of each counts.
  CHECK(told_of_header(arena + "#define VWW_ARENA_BYTES 7\n" + run +
                       "int vww_run(vww_t *self);\n") == "kws_run 1024");
  CHECK(told_of_header(hashed + "#define vww_run vww_run_00\n") == "kws_run_0123456789abcdef -1");
  // Whatever stands in front of, between and behind them.
  for (const auto& [other, told] : std::vector<std::pair<std::string, const char*>>{
           {"#define KWS_STATE_BYTES 5\n", "kws_run 1024"},
           {"// KWS_ARENA_BYTES 7\n", "kws_run 1024"},
           {"abcdef\n", "kws_run 1024"},
           {"#define x k_run_00\n", "k_run_00 1024"},
           {"#define x _run_00\n", "kws_run 1024"},
           {"uint kws_run(void);\n", "kws_run 1024"},
           {"int kws_init(kws_t *self);\n", "kws_run 1024"},
           {"int kws_range_run(kws_t *self);\n", "kws_range_run 1024"},
           {"#define KWS_ARENA_BYTES 0\n", "kws_run 0"}}) {
    INFO(other);
    CHECK(told_of_header(other + arena + run) == told);
  }
  // Numbers of up to 18 digits behind a blank, and nothing of a word behind them.
  for (const auto& [text, told] : std::vector<std::pair<std::string, const char*>>{
           {" 0", " 0"},
           {" 7", " 7"},
           {" 123456789012345678\n", " 123456789012345678"},
           {" 1234567890123456789\n", ""},
           {" (7)\n", ""},
           {" x7\n", ""},
           {"\t7\n", ""},
           {" 7u\n", ""},
           {" 7_\n", ""},
           {" 7;\n", " 7"}}) {
    INFO(text);
    const std::string read = told_of_header("#define KWS_ARENA_BYTES" + text);
    CHECK(read.substr(0, read.find("kws.h")) == told);
  }
  // What only looks like them: a use of the macro, another result, no call, no hash behind it, a
  // name of nothing in front of it.
  const std::string none = "kws.h: error[format]: is no header of hlocc's";
  for (const char* other :
       {"", "char a[KWS_ARENA_BYTES];\n", "#define KWS_ARENA_BYTES\n",
        "void kws_run(kws_t *self);\n", "int kws_run;\n", "#define kws_run kws_run_0123g\n",
        "#define x _run_00\n", "#define kws_run kws_run_\n", "unsigned kws_runs(void);\n",
        "uint kws_run(void);\n", "int *kws_run(void);\n", "int kws_init(void);\n", "abcdef\n"}) {
    INFO(other);
    CHECK(told_of_header(other).starts_with(none));
  }
}

}  // namespace
}  // namespace hlocc::driver
