// Places along each dimension of an array, in the order in which its elements lie.
#include "hlo/along.h"

#include <catch2/catch.hpp>

namespace hlocc::hlo {
namespace {

std::vector<int64_t> places(const Dimensions& sizes, int64_t dimension) {
  const Along along(sizes, dimension);
  CHECK(along.places == sizes[static_cast<size_t>(dimension)]);
  std::vector<int64_t> all;
  for (int64_t element = 0; element < 12; ++element) all.push_back(along.place(element));
  return all;
}

TEST_CASE("where elements lie along each dimension") {
  CHECK(places({2, 3, 2}, 0) == std::vector<int64_t>{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1});
  CHECK(places({2, 3, 2}, 1) == std::vector<int64_t>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2});
  CHECK(places({2, 3, 2}, 2) == std::vector<int64_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(Along({2, 3, 2}, 0).run == 6);
  CHECK(Along({2, 3, 2}, 2).run == 1);
}

}  // namespace
}  // namespace hlocc::hlo
