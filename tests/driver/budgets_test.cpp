// Budgets as people write them, what exceeds them, and what is said then.
#include "driver/pipeline/budgets.h"

#include <catch2/catch.hpp>

#include "driver/cli/text_table.h"

namespace hlocc::driver {
namespace {

Analysis model() {
  Analysis out;
  out.target = "chip";
  out.class_name = "acme::Kws";
  out.arena_bytes = 1000;
  out.instance_bytes = 24;
  out.weights_bytes = 4000;
  out.code_bytes = 90;
  out.table_bytes = 6;
  out.has_code = true;
  out.stack_bytes = 128;
  out.ram_cures = {"less of it"};
  out.flash_cures = {"smaller code"};
  return out;
}

TEST_CASE("bytes and clocks") {
  CHECK(*parse_bytes("65536", "--ram") == 65536);
  CHECK(*parse_bytes("64K", "--ram") == 65536);
  CHECK(*parse_bytes("64kib", "--ram") == 65536);
  CHECK(*parse_bytes("1.5M", "--ram") == 1572864);
  CHECK(*parse_bytes("0", "--ram") == 0);
  // Eighteen digits, and as many bytes as a number tells apart.
  CHECK(*parse_bytes("000000000000000001", "--ram") == 1);
  CHECK(*parse_bytes("9000000000000000", "--ram") == 9000000000000000);
  for (const char* wrong : {"", "K", "-1", "64Q", "1.5", "1.5.5K", "64 K", ".5K", "5.K", "1e3",
                            "99999999G", "0000000000000000001", "9000000000000001"}) {
    const auto refused = parse_bytes(wrong, "--ram");
    INFO(wrong);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == DiagnosticKind::kUsage);
    CHECK(refused.error().message.starts_with(std::string("--ram ") + wrong));
  }
  CHECK(*parse_clock("80MHz", "--clock") == 80e6);
  CHECK(*parse_clock("32.768kHz", "--clock") == Approx(32768));
  CHECK(*parse_clock("1.2GHz", "--clock") == Approx(1.2e9));
  CHECK(*parse_clock("16000000", "--clock") == 16e6);
  CHECK(*parse_clock("1", "--clock") == 1);
  CHECK(*parse_clock("0.5Hz", "--clock") == 0.5);
  for (const char* wrong : {"", "0", "0MHz", "80M", "fast"})
    CHECK_FALSE(parse_clock(wrong, "--clock"));
}

TEST_CASE("a budget holds what is exactly as large, and not a byte more") {
  const Analysis found = model();
  CHECK(over_budget(found, {}, true).empty());
  CHECK(over_budget(found, {.ram = 1024, .flash = 4096, .stack = 128}, true).empty());
  const std::vector<Diagnostic> over =
      over_budget(found, {.ram = 1023, .flash = 4095, .stack = 127}, true);
  REQUIRE(over.size() == 3);
  CHECK(over[0].message ==
        "chip: acme::Kws needs 1024 bytes of RAM (arena 1000, instance 24): the budget is 1023, 1 "
        "are missing");
  CHECK(over[0].notes.back() == "cure: less of it");
  CHECK(over[1].notes.back() == "cure: smaller code");
  CHECK(over[2].message.starts_with("chip: acme::Kws needs 128 bytes of stack"));
  for (const Diagnostic& one : over) CHECK(one.kind == DiagnosticKind::kBudget);
}

TEST_CASE("the chip's own memories count where nobody sets a budget") {
  Analysis found = model();
  found.chip_ram = 1023;
  found.chip_flash = 4096;
  REQUIRE(over_budget(found, {}, true).size() == 1);
  CHECK(over_budget(found, {}, true)[0].message.find("the chip has 1023") != std::string::npos);
  CHECK(over_budget(found, {}, false).empty());
  CHECK(over_budget(found, {.ram = 2000}, true).empty());
  // A budget of nothing is one, and so is a chip of one byte.
  found.chip_ram = 5000;
  REQUIRE(over_budget(found, {.ram = 0}, true).size() == 1);
  CHECK(over_budget(found, {.ram = 0}, true)[0].message.find("the budget is 0, 1024 are missing") !=
        std::string::npos);
  found.chip_ram = 1;
  CHECK(over_budget(found, {}, true).size() == 1);
  found.chip_ram = 0;
  CHECK(over_budget(found, {}, true).empty());
}

TEST_CASE("the three layers with most flash are named, and none that takes none") {
  Analysis found = model();
  const auto told = [&] { return over_budget(found, {.flash = 1}, true)[0].notes[0]; };
  CHECK(told() == "cure: smaller code");
  for (const auto& [name, bytes] : std::vector<std::pair<const char*, int64_t>>{
           {"a", 0}, {"b", 30}, {"c", 10}, {"d", 40}, {"e", 20}}) {
    Layer layer;
    layer.launch.kernel = name;
    layer.flash_bytes = bytes;
    found.layers.push_back(layer);
  }
  CHECK(told() == "the largest in flash: d (40), b (30), e (20) bytes");
  found.layers.resize(2);
  CHECK(told() == "the largest in flash: b (30) bytes");
  found.layers[0].flash_bytes = 1;
  CHECK(told() == "the largest in flash: b (30), a (1) bytes");
  found.layers[1].flash_bytes = 1;
  CHECK(told() == "the largest in flash: a (1), b (1) bytes");
}

TEST_CASE("the three largest values of the peak are named, and its layer") {
  Analysis found = model();
  CHECK(largest_values(found).empty());
  CHECK(what_holds(found).empty());
  found.layers.resize(1);
  found.layers[0].launch.kernel = "conv";
  found.peak = 0;
  std::string told = "the largest values at the peak: ";
  for (const auto& [name, bytes] :
       std::vector<std::pair<const char*, int64_t>>{{"a", 40}, {"b", 30}, {"c", 20}, {"d", 10}}) {
    found.values.push_back({.name = name, .bytes = bytes});
    if (bytes > 10)
      told += (bytes == 40 ? "" : ", ") + (name + (" (" + std::to_string(bytes))) + ")";
    CHECK(largest_values(found) == told + " bytes");
  }
  CHECK(what_holds(found) == told + " bytes; it is in conv");
}

TEST_CASE("a stack that nobody knows is in no budget") {
  Analysis found = model();
  found.has_code = false;
  found.stack_bytes = 0;
  CHECK(over_budget(found, {.ram = 1024}, true).empty());
  REQUIRE(over_budget(found, {.stack = 1000000}, true).size() == 1);
  CHECK(over_budget(found, {.stack = 0}, true).size() == 1);
  CHECK(over_budget(found, {.stack = 1000000}, true)[0].message.find("is not known") !=
        std::string::npos);
}

TEST_CASE("limits of work and memory as people write them") {
  CHECK(parse_limits("work=40G")->work == int64_t{40} << 30);
  CHECK(parse_limits("work=40G")->memory == 0);
  CHECK(parse_limits("memory=512M,work=1000")->memory == 512 << 20);
  CHECK(parse_limits("memory=512M,work=1000")->work == 1000);
  for (const char* wrong :
       {"", "work", "work=", "work=x", "wrk=1", "work=1,work=2", "work=0", "work=1,", "1G"}) {
    const Result<Limits> limits = parse_limits(wrong);
    REQUIRE(!limits);
    CHECK(limits.error().kind == DiagnosticKind::kUsage);
  }
  CHECK(parse_limits("wrok=1").error().notes == std::vector<std::string>{"did you mean `work`?"});
}

TEST_CASE("columns of a table are as wide as their widest cell") {
  CHECK(to_text({{"name", "n", "what"}, {"a", "10", "b"}}, 1, 1) ==
        "name   n  what\na     10  b\n");
}

}  // namespace
}  // namespace hlocc::driver
