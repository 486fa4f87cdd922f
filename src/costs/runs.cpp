// Cutting rows and columns into runs of tiles.
#include "costs/runs.h"

#include <algorithm>

namespace hlocc::costs {

std::vector<RowRun> cut_rows(int64_t count, int height, bool even) {
  std::vector<RowRun> runs;
  const auto add = [&](int64_t begin, int64_t end, int64_t high) {
    if (end > begin) runs.push_back({begin, end, static_cast<int>(high)});
  };
  if (even && count > 0) {
    const int64_t tiles = (count + height - 1) / height, high = (count + tiles - 1) / tiles;
    const int64_t whole = (count - tiles * (high - 1)) * high;
    add(0, whole, high);
    add(whole, count, high - 1);
    return runs;
  }
  const int64_t whole = count / height * height;
  add(0, whole, height);
  add(whole, count, count - whole);
  return runs;
}

std::vector<RowRun> cut_rows_overlapping(int64_t count, int height) {
  const int64_t made = (count + height - 1) / height * height;
  if (made == count || count < height || (made - count) * 16 > count)
    return cut_rows(count, height);
  return {{.begin = 0, .end = count, .height = height, .overlapping = true}};
}

std::vector<RowRun> cut_rows_with_border(int64_t count, int64_t first, int64_t last, int height,
                                         int most) {
  std::vector<RowRun> runs;
  const auto edge = [&](int64_t begin, int64_t end) {
    if (end - begin > most * height) {
      runs.push_back({begin, end, 1, true});
      return;
    }
    for (; begin < end; begin += height) {
      const int64_t stop = std::min(end, begin + height);
      runs.push_back({begin, stop, static_cast<int>(stop - begin)});
    }
  };
  if (count <= height) return {{0, count, static_cast<int>(count)}};
  int64_t start = std::min(count, (first + height - 1) / height * height);
  // Bordered rows come one by one: no more of them than there must be.
  if (start > most * height) start = first;
  int64_t whole = start + std::max<int64_t>(0, last - start) / height * height;
  edge(0, start);
  if (whole > start) runs.push_back({start, whole, height});
  if (count - whole > most * height && last > whole) {
    runs.push_back({whole, last, static_cast<int>(last - whole)});
    whole = last;
  }
  edge(whole, count);
  return runs;
}

std::optional<std::vector<RowRun>> cut_rows_alike(int64_t count, int64_t first, int64_t last,
                                                  int longest) {
  if (count == 0 || last <= first) return std::nullopt;
  int64_t height = count;
  while (height % 2 == 0) height /= 2;
  while (count % (2 * height) == 0 && 2 * height <= longest) height *= 2;
  const bool left = first > 0, right = last < count;
  const int64_t before = !left   ? 0
                         : right ? (height + 1) / 2
                                 : height,
                after = right ? height - before : 0;
  // A tile that could stand alone is not cut in two.
  if (left && right && count == height) return std::nullopt;
  if (height < 3 || height > longest || before < first || after < count - last) return std::nullopt;
  std::vector<RowRun> runs;
  if (left) runs.push_back({0, before, static_cast<int>(before)});
  runs.push_back({before, count - after, static_cast<int>(height), false, true});
  if (right) runs.push_back({count - after, count, static_cast<int>(after)});
  return runs;
}

namespace {

// Vectors in tiles of nearly one width; the last tile may end in a vector that is not full.
std::vector<ColumnRun> cut_evenly(int64_t count, TileSize tile) {
  std::vector<ColumnRun> runs;
  const int active = tile.masked ? static_cast<int>(count % tile.lanes) : 0;
  const int64_t vectors = count / tile.lanes + (active > 0);
  const int64_t tiles = (vectors + tile.vectors - 1) / tile.vectors,
                width = (vectors + tiles - 1) / tiles;
  const int64_t wide = vectors - tiles * (width - 1);
  int64_t begin = 0;
  const auto add = [&](int64_t number, int64_t wanted) {
    if (number <= 0 || wanted <= 0) return;
    const int64_t end = begin + number * wanted * tile.lanes;
    runs.push_back({begin, end, static_cast<int>(wanted), tile.lanes});
    begin = end;
  };
  const bool all_wide = wide == tiles;
  add(wide - (all_wide && active > 0), width);
  if (!all_wide) add(tiles - wide - (active > 0), width - 1);
  if (active == 0) return runs;
  add(1, all_wide ? width : width - 1);
  runs.back().active = active;
  return runs;
}

}  // namespace

std::vector<ColumnRun> cut_columns(int64_t count, TileSize tile) {
  std::vector<ColumnRun> runs;
  int64_t begin = 0;
  int vectors = tile.vectors, lanes = tile.lanes;
  if (tile.even && count >= (tile.masked ? 1 : lanes)) {
    runs = cut_evenly(count, tile);
    begin = runs.back().end;
    vectors = 1;
    lanes /= 2;
  }
  while (begin < count) {
    const int64_t step = int64_t{vectors} * lanes;
    const int64_t end = begin + (count - begin) / step * step;
    if (end > begin) runs.push_back({begin, end, vectors, lanes});
    begin = end;
    if (vectors > 1) {
      vectors /= 2;
    } else {
      lanes = std::max(1, lanes / 2);
    }
  }
  return runs;
}

}  // namespace hlocc::costs
