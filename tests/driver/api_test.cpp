// The compiler as a function.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "hlocc/compile.h"

namespace hlocc::api {
namespace {

Request mlp() {
  std::ifstream file(HLOCC_TEST_DATA "/models/mlp_digits.snapshot.pb", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Request request;
  const std::byte* begin = reinterpret_cast<const std::byte*>(bytes.data());
  request.model = {begin, begin + bytes.size()};
  request.file = "mlp.pb";
  return request;
}

TEST_CASE("a model becomes files") {
  Request request = mlp();
  request.target = "cortex-m4f";
  request.argument_names = {{0, "digit"}};
  const auto outcome = compile(request);
  if (const auto* failure = std::get_if<Failure>(&outcome)) FAIL(failure->message);
  const auto& files = std::get<std::vector<File>>(outcome);
  REQUIRE(files.size() == 3);
  const auto named = [&](const std::string& name) {
    return std::ranges::find(files, name, &File::name);
  };
#ifdef HLOCC_LLVM
  CHECK(named("libmlp.a") != files.end());
#else
  CHECK(named("mlp.c") != files.end());
#endif
  REQUIRE(named("mlp.h") != files.end());
  const std::vector<std::byte>& bytes = named("mlp.h")->bytes;
  const std::string header(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  CHECK(header.find("mlp_arg_digit_data") != std::string::npos);
}

std::string text_of(const std::vector<File>& files, const std::string& name) {
  const auto found = std::ranges::find(files, name, &File::name);
  if (found == files.end()) return "";
  return {reinterpret_cast<const char*>(found->bytes.data()), found->bytes.size()};
}

TEST_CASE("an arena in several memories") {
  Request request = mlp();
  request.target = "stm32f407vg";
  request.memory = "ccm:1K,sram";
  const auto header = [&] {
    const auto outcome = compile(request);
    if (const auto* failure = std::get_if<Failure>(&outcome)) FAIL(failure->message);
    return text_of(std::get<std::vector<File>>(outcome), "mlp.h");
  };
  CHECK(header().find("MLP_ARENA_CCM_BYTES") != std::string::npos);
  CHECK(header().find("MLP_ARENA_KEPT_BYTES 0\n") != std::string::npos);
  request.weights_in = "ccm";
  CHECK(header().find("MLP_ARENA_KEPT_BYTES 0\n") == std::string::npos);
  request.memory = "";
  request.weights_in = "";
  CHECK(header().find("MLP_ARENA_CCM_BYTES") == std::string::npos);

  const auto fails = [&](const std::string& memory, const std::string& weights_in) {
    request.memory = memory;
    request.weights_in = weights_in;
    return std::get<Failure>(compile(request)).message;
  };
  CHECK(fails("ccm", "").find("nothing to choose") != std::string::npos);
  CHECK(fails("", "ccm").find("--weights-in needs --memory") != std::string::npos);
  CHECK(fails("ccm,sram", "dtcm").find("none of that name") != std::string::npos);
  CHECK(fails("dtcm,sram", "").find("not known how large") != std::string::npos);
}

TEST_CASE("weights become palettes where the request says so") {
  Request request = mlp();
  request.target = "cortex-m4f";
  const auto manifest = [&] {
    const auto outcome = compile(request);
    for (const File& file : std::get<std::vector<File>>(outcome))
      if (file.name == "mlp.json")
        return std::string(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    return std::string();
  };
  CHECK(manifest().find("weights_compression") == std::string::npos);
  request.palettes = true;
  CHECK(manifest().find(R"("weights_compression": "palettes")") != std::string::npos);
}

TEST_CASE("failures say what the command line would say") {
  Request request = mlp();
  request.target = "no-such-chip";
  CHECK(std::get<Failure>(compile(request)).exit_code == 2);
  request = mlp();
  request.argument_names = {{5, "x"}};
  CHECK(std::get<Failure>(compile(request)).kind == "usage");
  request = mlp();
  request.model.resize(3000);
  const auto outcome = compile(request);
  CHECK(std::get<Failure>(outcome).kind == "format");
  CHECK(std::get<Failure>(outcome).file == "mlp.pb");
}

}  // namespace
}  // namespace hlocc::api
