// What a chip has room for, to the byte, and what is said of a byte more
// (driver/pipeline/capacity.h).
#include "driver/pipeline/capacity.h"

#include <catch2/catch.hpp>

#include "kernel/instance.h"

namespace hlocc::driver {
namespace {

struct Model {
  kernel::Signature signature;
  planning::Plan plan;
  Target target;

  Model() {
    signature.class_name = "Kws";
    plan.arena_bytes = 1000;
    plan.constant_bytes = 4000;
    target.name = "board";
  }
  int64_t instance() const {
    return kernel::instance_layout(signature, plan.state_bytes, target.pointer_bits).bytes();
  }
  std::string told() const {
    const Status status = check_capacity(signature, plan, target);
    return status ? "" : status.error().message;
  }
};

TEST_CASE("a chip's memories hold what is exactly as large") {
  Model m;
  CHECK(m.told().empty());  // of which nothing is known
  m.target.ram_bytes = 1000 + m.instance();
  m.target.flash_bytes = 4000;
  CHECK(m.told().empty());
  m.target.ram_bytes -= 1;
  CHECK(m.told().starts_with("Kws needs "));
  CHECK(m.told().find(" bytes of RAM (arena 1000, instance ") != std::string::npos);
  CHECK(m.told().ends_with(", 1 are missing"));
  m.target.ram_bytes += 1;
  m.target.flash_bytes = 3998;
  CHECK(m.told() == "Kws has 4000 bytes of weights: board has 3998 of flash, 2 are missing");
}

TEST_CASE("the chip is called by its name, another triple by its core") {
  Model m;
  m.target.flash_bytes = 1;
  m.target.cpu = "some-core";
  CHECK(m.told().find("some-core has 1 of flash") != std::string::npos);
  m.target.cpu.clear();
  CHECK(m.told().find("board has 1 of flash") != std::string::npos);
  m.target.cpu = "some-core";
  m.target.name = "stm32f407vg";
  CHECK(m.told().find("stm32f407vg has 1 of flash") != std::string::npos);
  m.target.ram_bytes = 1;
  CHECK(m.told().find("stm32f407vg has 1, ") != std::string::npos);
}

TEST_CASE("each memory of several holds what is planned for it, and the chip's RAM is not asked") {
  Model m;
  m.target.ram_bytes = 1;
  m.plan.pieces.resize(2);
  m.plan.pieces[0].name = "fast";
  m.plan.pieces[0].bytes = m.plan.pieces[0].room = 64;
  m.plan.pieces[1].name = "slow";
  m.plan.pieces[1].bytes = m.plan.pieces[1].room = 936;
  CHECK(m.told().empty());
  m.plan.pieces[1].room = 935;
  CHECK(m.told() == "Kws needs 936 bytes of the memory slow, which has 935: 1 are missing");
  m.plan.pieces[0].room = 60;
  CHECK(m.told() == "Kws needs 64 bytes of the memory fast, which has 60: 4 are missing");
}

}  // namespace
}  // namespace hlocc::driver
