// Which cells and figures of two runs of a matrix are held against each other, figure by figure and
// status by status (driver/matrix/gates.cpp); what is told of them stands in matrix_spec_test.cpp.
#include "driver/matrix/gates.h"

#include <catch2/catch.hpp>

#include "support/text.h"

namespace hlocc::driver {
namespace {

using Cells = std::vector<CellResult>;

CellResult moved_cell(const char* id, nlohmann::ordered_json sizes,
                      CellStatus status = CellStatus::kCompiled) {
  CellResult out;
  out.id = id;
  out.status = status;
  out.sizes = std::move(sizes);
  return out;
}

// "a RAM 1 2; ..."
std::string told_of_movements(const Cells& before, const Cells& after) {
  std::vector<std::string> out;
  for (const Movement& one : movements(before, after))
    out.push_back(cat(one.id, " ", one.figure, " ", static_cast<int>(one.before), " ",
                      static_cast<int>(one.after)));
  return join(out, "; ");
}

TEST_CASE("figures move that both runs know") {
  const auto told = [](nlohmann::ordered_json before, nlohmann::ordered_json after) {
    return told_of_movements({moved_cell("a", std::move(before))},
                             {moved_cell("a", std::move(after))});
  };
  CHECK(told({{"ram_bytes", 1}}, {{"ram_bytes", 2}}) == "a RAM 1 2");
  CHECK(told({{"ram_bytes", 2}}, {{"ram_bytes", 1}}) == "a RAM 2 1");
  CHECK(told({{"ram_bytes", 1}}, {{"ram_bytes", 1}}).empty());
  CHECK(told({{"ram_bytes", 1}}, nlohmann::ordered_json::object()).empty());
  CHECK(told(nlohmann::ordered_json::object(), {{"ram_bytes", 1}}).empty());
  CHECK(told({{"ram_bytes", "1"}}, {{"ram_bytes", 2}}).empty());
  CHECK(told({{"ram_bytes", nullptr}}, {{"ram_bytes", 2}}).empty());
  CHECK(told({{"flash_bytes", 1}, {"stack_bytes", 2}, {"expected_cycles", 3}, {"weights", 4}},
             {{"flash_bytes", 5}, {"stack_bytes", 6}, {"expected_cycles", 7}, {"weights", 8}}) ==
        "a flash 1 5; a stack 2 6; a cycles 3 7");
}

TEST_CASE("only cells with files in both runs are compared") {
  const auto told = [](CellStatus before, CellStatus after) {
    return told_of_movements({moved_cell("a", {{"ram_bytes", 1}}, before)},
                             {moved_cell("a", {{"ram_bytes", 2}}, after)});
  };
  using enum CellStatus;
  for (const CellStatus has : {kCompiled, kKnown}) {
    CHECK(told(has, kCompiled) == "a RAM 1 2");
    CHECK(told(has, kKnown) == "a RAM 1 2");
    for (const CellStatus none : {kFailed, kLeftOut}) {
      CHECK(told(has, none).empty());
      CHECK(told(none, has).empty());
    }
  }
  CHECK(told_of_movements({moved_cell("a", {{"ram_bytes", 1}})},
                          {moved_cell("b", {{"ram_bytes", 2}})})
            .empty());
}

TEST_CASE("percentages are of what was, where there was any") {
  CHECK(Movement{"a", "RAM", 1, 2}.percent() == 100);
  CHECK(Movement{"a", "RAM", 200, 150}.percent() == -25);
  CHECK(Movement{"a", "RAM", 0, 5}.percent() == 0);
}

TEST_CASE("a difference has a percentage where there was a figure") {
  const auto change = [](int before, int after) {
    const std::vector<std::string> lines =
        split(difference_text({moved_cell("a", {{"ram_bytes", before}})},
                              {moved_cell("a", {{"ram_bytes", after}})}, 0),
              '\n');
    REQUIRE(lines.size() >= 2);
    const size_t at = lines[1].find_last_not_of(" %");
    return lines[1].substr(0, at + 1).substr(lines[1].find_last_of(' ', at) + 1);
  };
  CHECK(change(0, 7) == "7");
  CHECK(change(1, 2) == "+100.0");
  CHECK(change(2, 3) == "+50.0");
}

TEST_CASE("a gate is broken by what grows beyond it") {
  const auto told = [](int after, const MatrixGates& gates, const char* key = "ram_bytes") {
    return join(
        broken_gates({moved_cell("a", {{key, 100}})}, {moved_cell("a", {{key, after}})}, gates),
        "; ");
  };
  CHECK(told(150, {.ram = 50}).empty());
  CHECK(told(151, {.ram = 50}) == "a: RAM grew from 100 to 151, +51.0 %");
  CHECK(told(50, {.ram = 50}).empty());
  CHECK(told(101, {.ram = 0}) == "a: RAM grew from 100 to 101, +1.0 %");
  CHECK(told(100, {.ram = 0}).empty());
  CHECK(told(1000, {}).empty());
  CHECK(told(1000, {.flash = 0, .stack = 0, .cycles = 0}).empty());
  CHECK(told(101, {.flash = 0}, "flash_bytes") == "a: flash grew from 100 to 101, +1.0 %");
  CHECK(told(101, {.stack = 0}, "stack_bytes") == "a: stack grew from 100 to 101, +1.0 %");
  CHECK(told(101, {.cycles = 0}, "expected_cycles") == "a: cycles grew from 100 to 101, +1.0 %");
}

CellResult with_digest(const char* digest) {
  CellResult out = moved_cell("a", nlohmann::ordered_json::object());
  if (digest != nullptr) out.verdict = CellVerdict{"passed", "", digest};
  return out;
}

TEST_CASE("results have other bits where both runs have some") {
  const auto told = [](const char* before, const char* after) {
    const Cells old = {with_digest(before)}, now = {with_digest(after)};
    const std::string text = difference_text(old, now, 0);
    const auto json = difference_json(old, now);
    const bool differs = !broken_gates(old, now, {}).empty();
    CHECK(text == (differs ? "a: results have other bits\n" : "nothing moved\n"));
    CHECK(json["other_bits"].size() == (differs ? 1 : 0));
    return differs;
  };
  CHECK(told("01", "02"));
  CHECK_FALSE(told("01", "01"));
  CHECK_FALSE(told("", "02"));
  CHECK_FALSE(told("01", ""));
  CHECK_FALSE(told(nullptr, "02"));
  CHECK_FALSE(told("01", nullptr));
  CHECK(broken_gates({with_digest("01")}, {with_digest("02")}, {}) ==
        std::vector<std::string>{"a: results have other bits than the baseline's"});
  CHECK(broken_gates({}, {with_digest("02")}, {}).empty());
}

// A cell of layers of so many cycles, "l0", "l1", ...
CellResult layered(const std::vector<double>& cycles) {
  CellResult out = moved_cell("a", nlohmann::ordered_json::object());
  for (size_t i = 0; i < cycles.size(); ++i) out.layers.push_back({cat("l", i), cycles[i], 0});
  return out;
}

// "NAME FIGURE BEFORE AFTER; ..."
std::string told_of_layers(const CellResult& before, const CellResult& after) {
  std::vector<std::string> out;
  const auto json = difference_json({before}, {after});
  for (const auto& row : json["layers"])
    out.push_back(cat(row["layer"].get<std::string>(), " ", row["figure"].get<std::string>(), " ",
                      row["before"].get<int>(), " ", row["after"].get<int>()));
  return join(out, "; ");
}

TEST_CASE("layers are held against each other by name and number, the largest movement first") {
  CHECK(told_of_layers(layered({1, 2}), layered({1, 2})).empty());
  CHECK(told_of_layers(layered({1, 2, 5}), layered({2, 7, 4})) ==
        "l1 cycles 2 7; l0 cycles 1 2; l2 cycles 5 4");
  CHECK(told_of_layers(layered({1}), layered({1, 3})) == "l1 cycles 0 3");
  CHECK(told_of_layers(layered({1, 3}), layered({1})) == "l1 cycles 3 0");
  CellResult twice = layered({}), again = layered({});
  twice.layers = {{"l", 1, 10}, {"l", 2, 20}};
  again.layers = {{"l", 1, 10}, {"l", 4, 21}};
  CHECK(told_of_layers(twice, again) == "l cycles 2 4; l flash 20 21");
}

}  // namespace
}  // namespace hlocc::driver
