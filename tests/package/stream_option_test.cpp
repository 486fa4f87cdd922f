// Which argument `--stream` names, along which of its dimensions, and what it refuses.
#include "package/stream_option.h"

#include <catch2/catch.hpp>

#include "models.h"

namespace hlocc::package {
namespace {

using hlo::PrimitiveType;
using hlo::Shape;

Shape of(hlo::Dimensions dimensions) {
  return Shape::array(PrimitiveType::kF32, std::move(dimensions));
}

// "LEAF=AXIS", or what the refusal says.
std::string found(const std::vector<Shape>& arguments, const std::string& request) {
  hlo::Module module = module_of(arguments, of({4}));
  std::vector<std::string> names;
  for (size_t i = 0; i < arguments.size(); ++i) names.push_back(std::string(1, char('x' + i)));
  name_parameters(module, names);
  Options options;
  options.stem = "m";
  const Result<StreamOption> stream = find_stream(module, options, request);
  if (stream) return std::to_string(stream->leaf) + "=" + std::to_string(stream->axis);
  CHECK(stream.error().message.find("--stream " + request) != std::string::npos);
  return stream.error().to_string();
}

TEST_CASE("an argument is streamed by its name or its number, along its outermost dimension") {
  const std::vector<Shape> two = {of({4}), of({8, 3})};
  CHECK(found(two, "x") == "0=0");
  CHECK(found(two, "y") == "1=0");
  CHECK(found(two, "arg1") == "1=0");
  CHECK(found(two, "y=0") == "1=0");
  for (const char* request : {"z", "arg2", "", "Y"})
    CHECK_THAT(found(two, request), Catch::Contains("no argument is called"));
  for (const char* request : {"y=", "y=a", "y=0x"})
    CHECK_THAT(found(two, request), Catch::Contains("the axis is no number"));
  // Dimensions of one element are passed over.
  CHECK(found({of({1, 1, 5, 2})}, "x") == "0=2");
  CHECK(found({of({1, 1, 5, 2})}, "x=2") == "0=2");
  CHECK(found({of({2})}, "x") == "0=0");
}

TEST_CASE("a dimension that is none, or whose rows lie apart, is refused") {
  const std::vector<Shape> one = {of({8, 3})};
  for (const char* request : {"x=-1", "x=2", "x=9"})
    CHECK_THAT(found(one, request), Catch::Contains("has 2 dimensions, counted from 0"));
  CHECK_THAT(found(one, "x=1"), Catch::Contains("is not the outermost"));
  for (const Shape& shape : {of({}), of({1}), of({1, 1}), of({0}), of({0, 5})})
    CHECK_THAT(found({shape}, "x"), Catch::Contains("has no rows there"));
  CHECK_THAT(found({of({1, 5})}, "x=0"), Catch::Contains("has no rows there"));
  Shape turned = of({4, 3});
  turned.layout.minor_to_major = {0, 1};
  CHECK_THAT(found({turned}, "x=1"), Catch::Contains("is not row-major"));
  CHECK_THAT(found({turned}, "x=0"), Catch::Contains("is not the outermost"));
}

TEST_CASE("packed and run-time sizes have no rows to stream") {
  Shape packed = Shape::array(PrimitiveType::kS4, {4, 4});
  packed.layout.element_bits = 4;
  CHECK_THAT(found({packed}, "x"), Catch::Contains("is packed"));
  Shape open = of({4, 4});
  open.dynamic = {true, false};
  CHECK_THAT(found({open}, "x"), Catch::Contains("known at run time only"));
}

TEST_CASE("the signature has the shape of a row, and how many there are") {
  kernel::Signature signature;
  signature.arguments = {{.index = 0, .shape = of({4})}, {.index = 1, .shape = of({1, 8, 3})}};
  apply_stream(signature, {.leaf = 1, .axis = 1});
  CHECK(signature.arguments[0].shape.dimensions == hlo::Dimensions{4});
  CHECK(signature.arguments[1].shape.dimensions == hlo::Dimensions{1, 1, 3});
  REQUIRE(signature.stream.has_value());
  CHECK(signature.stream->leaf == 1);
  CHECK(signature.stream->axis == 1);
  CHECK(signature.stream->rows == 8);
}

}  // namespace
}  // namespace hlocc::package
