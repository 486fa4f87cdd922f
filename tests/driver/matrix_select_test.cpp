// Shards of a matrix: every cell in one, the same on every machine, and balanced.
#include "driver/matrix/select.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr int kModels = 1000, kTargets = 40, kShards = 64;

// Models of 2 KB to 5 MB, whose files are as large and hold nothing. A model's time is its bytes
// times 0.5 to 2.5, a target's factor is lognormal, most within a half and two.
class DrawnMatrix {
 public:
  explicit DrawnMatrix(int models) {
    std::mt19937_64 random(36);
    std::lognormal_distribution<double> size(11, 1.2), factor(0, 0.25);
    for (int t = 0; t < kTargets; ++t) factors_.push_back(factor(random));
    for (int m = 0; m < models; ++m) {
      const std::string path = cat(folder_.path(), "/m", m);
      const double bytes = std::min(2000 + size(random), 5e6);
      std::ofstream(path).close();
      std::filesystem::resize_file(path, static_cast<uintmax_t>(bytes));
      for (int t = 0; t < kTargets; ++t) {
        MatrixCell cell;
        cell.model = cat("m", m);
        cell.target = cat("t", t);
        cell.line.models = {path};
        cells.push_back(std::move(cell));
        // A model's seconds are not its bytes alone.
        seconds.push_back((0.02 + bytes * 1e-6 * model_factor(m)) *
                          factors_[static_cast<size_t>(t)]);
      }
    }
  }

  // What a run with 20 % of noise reports of the first `models`.
  std::vector<CellResult> times(int models, uint64_t seed) const {
    std::vector<CellResult> out;
    const std::vector<double> drawn = noisy(seed);
    for (size_t i = 0; i < static_cast<size_t>(models) * kTargets; ++i) {
      CellResult one;
      one.id = cells[i].id();
      one.status = CellStatus::kCompiled;
      one.cpu_seconds = drawn[i];
      out.push_back(std::move(one));
    }
    return out;
  }

  // The work of all over that of as many shards as the slowest.
  double efficiency(const std::vector<int>& shards, uint64_t seed) const {
    std::vector<double> load(kShards, 0);
    const std::vector<double> drawn = noisy(seed);
    for (size_t i = 0; i < cells.size(); ++i) load[static_cast<size_t>(shards[i])] += drawn[i];
    return std::accumulate(load.begin(), load.end(), 0.0) /
           (kShards * *std::max_element(load.begin(), load.end()));
  }

  std::vector<MatrixCell> cells;
  std::vector<double> seconds;

 private:
  static double model_factor(int m) { return 0.5 + (m * 7919 % 100) / 50.0; }
  std::vector<double> noisy(uint64_t seed) const {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(1, 0.2);
    std::vector<double> out;
    for (const double one : seconds) out.push_back(one * std::max(0.2, noise(random)));
    return out;
  }

  tests::TemporaryFolder folder_;
  std::vector<double> factors_;
};

TEST_CASE("shards are balanced by the times of an earlier run") {
  const DrawnMatrix matrix(kModels);
  // 50 of the models are new since.
  const std::vector<CellResult> times = matrix.times(kModels - 50, 1);
  const std::vector<int> shards = shards_of(matrix.cells, times, kShards);
  REQUIRE(shards == shards_of(matrix.cells, times, kShards));
  const double with_times = matrix.efficiency(shards, 2);
  const double without = matrix.efficiency(shards_of(matrix.cells, {}, kShards), 2);
  INFO("efficiency " << with_times << " with times, " << without << " without");
  CHECK(with_times >= 0.90);
  CHECK(without >= 0.75);
  CHECK(without < with_times);
}

TEST_CASE("every cell is in one shard, also of more shards than cells") {
  const DrawnMatrix matrix(1);
  const std::vector<int> shards = shards_of(matrix.cells, {}, kShards);
  std::vector<int> sorted = shards;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::unique(sorted.begin(), sorted.end()) == sorted.end());
  CHECK(sorted.back() < kShards);
}

TEST_CASE("a time that is known counts, and only that of a cell that was compiled") {
  const DrawnMatrix matrix(1);
  std::vector<CellResult> times = matrix.times(1, 1);
  for (CellResult& one : times) one.cpu_seconds = 1;
  times[17].cpu_seconds = 1000;
  std::vector<int> shards = shards_of(matrix.cells, times, 2);
  CHECK(std::count(shards.begin(), shards.end(), shards[17]) == 1);
  times[17].status = CellStatus::kKnown;
  shards = shards_of(matrix.cells, times, 2);
  CHECK(std::count(shards.begin(), shards.end(), shards[17]) == kTargets / 2);
}

}  // namespace
}  // namespace hlocc::driver
