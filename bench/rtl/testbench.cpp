// Runs a firmware that was linked for QEMU's virt machine (toolchains/boards) on a verilated core,
// and writes the cycles of each instruction between board_measure_begin and board_measure_end:
//
//   testbench [--flash-wait N] PROGRAM.elf COUNTS [ARGUMENT...]
//
// COUNTS gets a line "address executions cycles" each; an instruction is charged the cycles since
// the one before it retired. Memories answer a cycle after they were asked, as tightly coupled ones
// do; flash N cycles later, where a port reads another line of 16 bytes than before, and both ports
// wait for the one flash. Semihosting's trap becomes three accesses to a device, which serves
// files, output and exit.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "Vrtl_top.h"
#include "verilated.h"

namespace {

constexpr uint32_t kBoot = 0x1000, kDevice = 0xf0000000, kMemory = 0x80000000;
constexpr size_t kBytes = 96u << 20;  // flash, RAM and bulk of the boards' rows
constexpr uint64_t kStuck = 1000000;

[[noreturn]] void fail(const char* what, uint32_t value) {
  std::fprintf(stderr, "rtl: %s (%08x)\n", what, value);
  std::exit(99);
}

struct Machine {
  std::vector<uint8_t> memory = std::vector<uint8_t>(kBytes, 0), rom = std::vector<uint8_t>(256, 0);
  std::map<std::string, uint32_t> symbols;
  std::string command_line;
  uint32_t operation = 0, answer = 0;
  std::vector<std::FILE*> files;
  bool done = false;
  int status = 0;

  uint8_t* at(uint32_t address) {
    if (address - kMemory < kBytes) return &memory[address - kMemory];
    if (address - kBoot < rom.size()) return &rom[address - kBoot];
    return nullptr;
  }
  uint8_t* must(uint32_t address) {
    uint8_t* const found = at(address);
    return found != nullptr ? found : (fail("no memory there", address), nullptr);
  }
  uint32_t word(uint32_t address) {
    uint32_t out;
    std::memcpy(&out, must(address), 4);
    return out;
  }
  std::FILE* file(uint32_t number) {
    return number < files.size() && files[number] != nullptr ? files[number] : nullptr;
  }
  uint32_t semihost(uint32_t block);
};

// The operations of board_semihost.c.
uint32_t Machine::semihost(uint32_t block) {
  const auto argument = [&](uint32_t i) { return word(block + 4 * i); };
  switch (operation) {
    case 0x01: {
      const std::string path(reinterpret_cast<char*>(must(argument(0))), argument(2));
      std::FILE* const opened =
          path == ":tt" ? stdout : std::fopen(path.c_str(), argument(1) == 1 ? "rb" : "wb");
      if (opened == nullptr) return ~0u;
      files.push_back(opened);
      return static_cast<uint32_t>(files.size()) - 1;
    }
    case 0x02:
      if (file(argument(0)) != nullptr && file(argument(0)) != stdout)
        std::fclose(file(argument(0)));
      return 0;
    case 0x05:
    case 0x06: {
      std::FILE* const f = file(argument(0));
      const uint32_t size = argument(2);
      if (f == nullptr || size == 0) return size;
      void* const data = must(argument(1));
      return size - static_cast<uint32_t>(operation == 0x05 ? std::fwrite(data, 1, size, f)
                                                            : std::fread(data, 1, size, f));
    }
    case 0x15:
      std::memcpy(must(argument(0)), command_line.c_str(), command_line.size() + 1);
      return 0;
    case 0x20:
      status = static_cast<int>(argument(1));
      done = true;
      return 0;
    default: fail("no such semihosting operation", operation);
  }
}

// One bus port: a request each cycle while fewer than two are outstanding, answers in order.
struct Port {
  struct Answer {
    uint32_t data = 0;
    uint64_t cycle = 0;
  };
  Answer waiting[2] = {};
  int count = 0;
  uint64_t last = 0;  // cycle of the last answer
  uint32_t line = 0;  // of flash that it has, from 1

  void push(uint32_t data, uint64_t cycle) {
    last = std::max(cycle, last + 1);
    waiting[count++] = {data, last};
  }
  bool pop(uint32_t& data, uint64_t cycle) {
    if (count == 0 || waiting[0].cycle > cycle) return false;
    data = waiting[0].data;
    waiting[0] = waiting[1];
    --count;
    return true;
  }
};

// The flash that both ports share.
class Flash {
 public:
  Flash(Machine& machine, uint64_t wait)
      : begin_(machine.symbols.at("__flash_origin")),
        bytes_(machine.symbols.at("__flash_size")),
        wait_(wait) {}

  // When what the port asked for can be there, if the others' memories would answer at `cycle`.
  uint64_t answers(Port& port, uint32_t address, uint64_t cycle) {
    constexpr uint32_t kLine = 16;
    const uint32_t line = address / kLine + 1;
    if (wait_ == 0 || address - begin_ >= bytes_ || line == port.line) return cycle;
    port.line = line;
    return free_ = std::max(cycle, free_) + wait_;
  }

 private:
  uint32_t begin_, bytes_;
  uint64_t wait_, free_ = 0;
};

uint32_t access(Machine& machine, uint32_t address, bool writes, uint32_t lanes, uint32_t data) {
  address &= ~3u;
  if (address == kDevice + 0x20 && writes) machine.operation = data;
  if (address == kDevice + 0x24 && writes) machine.answer = machine.semihost(data);
  if (address >= kDevice) return machine.answer;
  uint8_t* const bytes = machine.at(address);
  // Fetches may run past the end of a program; data may not.
  if (bytes == nullptr) return lanes == 0 ? 0 : (fail("no memory there", address), 0);
  for (int i = 0; i < 4 && writes; ++i)
    if (lanes >> i & 1) bytes[i] = static_cast<uint8_t>(data >> 8 * i);
  return machine.word(address);
}

void load(Machine& machine, const char* path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<uint8_t> elf((std::istreambuf_iterator<char>(in)), {});
  const auto number = [&](size_t at, int bytes) {
    uint32_t out = 0;
    if (at + static_cast<size_t>(bytes) > elf.size()) fail("the ELF file is cut short", 0);
    for (int i = 0; i < bytes; ++i) out |= static_cast<uint32_t>(elf[at + i]) << 8 * i;
    return out;
  };
  if (number(0, 4) != 0x464c457f || number(18, 2) != 243) fail("no ELF of RISC-V", 0);
  for (uint32_t i = 0; i < number(44, 2); ++i) {
    const uint32_t head = number(28, 4) + i * number(42, 2);
    if (number(head, 4) != 1) continue;
    for (uint32_t k = 0; k < number(head + 16, 4); ++k)
      *machine.must(number(head + 12, 4) + k) = elf[number(head + 4, 4) + k];
  }
  for (uint32_t i = 0; i < number(48, 2); ++i) {
    const uint32_t head = number(32, 4) + i * number(46, 2);
    if (number(head + 4, 4) != 2) continue;
    const uint32_t names = number(number(32, 4) + number(head + 24, 4) * number(46, 2) + 16, 4);
    for (uint32_t at = number(head + 16, 4), left = number(head + 20, 4); left >= 16;
         left -= 16, at += 16)
      machine.symbols[reinterpret_cast<const char*>(&elf[names + number(at, 4)])] =
          number(at + 4, 4);
  }
  // lui a5, 0xf0000; c.sw a0, 32(a5); c.sw a1, 36(a5); c.lw a0, 40(a5); c.jr ra
  const uint8_t calls[] = {0xb7, 0x07, 0x00, 0xf0, 0x88, 0xd3, 0xcc, 0xd3, 0x88, 0x57, 0x82, 0x80};
  std::memcpy(machine.must(machine.symbols.at("board_semihost")), calls, sizeof calls);
  // lui t0, entry; jalr zero, entry(t0). Ibex starts 128 bytes behind its boot address.
  const uint32_t entry = number(24, 4), high = (entry + 0x800) & 0xfffff000;
  const uint32_t jump[] = {0x2b7 | high, 0x00028067 | (entry - high) << 20};
  std::memcpy(&machine.rom[0], jump, sizeof jump);
  std::memcpy(&machine.rom[0x80], jump, sizeof jump);
}

struct Counted {
  uint64_t executions = 0, cycles = 0;
};

class Run {
 public:
  Run(Machine& machine, uint64_t flash_wait) : machine_(machine), flash_(machine, flash_wait) {
    // Reset must fall: flip-flops behind a gated clock see no clock edge while it is low.
    top_.boot_addr = kBoot;
    top_.rst_n = 1;
    top_.clk = 0;
    top_.eval();
    top_.rst_n = 0;
    top_.eval();
    for (int i = 0; i < 20; ++i) {
      top_.clk = i % 2 == 0;
      top_.eval();
    }
    top_.rst_n = 1;
    top_.eval();
  }

  // Inputs of a cycle are set with the falling edge, outputs are read before the next rising one.
  std::map<uint32_t, Counted> to_the_end() {
    const uint32_t begin = machine_.symbols.at("board_measure_begin");
    const uint32_t end = machine_.symbols.at("board_measure_end");
    std::map<uint32_t, Counted> counted;
    for (bool counts = false; !machine_.done; ++cycle_) {
      if (top_.i_req && top_.i_gnt)
        code_.push(access(machine_, top_.i_addr, false, 0, 0),
                   flash_.answers(code_, top_.i_addr, cycle_ + 1));
      if (top_.d_req && top_.d_gnt)
        data_.push(access(machine_, top_.d_addr, top_.d_we, top_.d_be | 16, top_.d_wdata),
                   flash_.answers(data_, top_.d_addr, cycle_ + 1));
      if (top_.ret_trap) fail("a trap", top_.ret_pc);
      if (top_.ret_valid) {
        counts = top_.ret_pc == begin || (counts && top_.ret_pc != end);
        if (counts) {
          Counted& one = counted[top_.ret_pc];
          ++one.executions;
          one.cycles += cycle_ - retired_;
        }
        retired_ = cycle_;
      } else if (cycle_ - retired_ > kStuck) {
        fail("nothing retires", top_.ret_pc);
      }
      clock();
    }
    return counted;
  }

 private:
  void clock() {
    top_.clk = 1;
    top_.eval();
    uint32_t code = 0, data = 0;
    top_.i_rvalid = code_.pop(code, cycle_ + 1);
    top_.d_rvalid = data_.pop(data, cycle_ + 1);
    top_.i_rdata = code;
    top_.d_rdata = data;
    top_.i_gnt = code_.count < 2;
    top_.d_gnt = data_.count < 2;
    top_.clk = 0;
    top_.eval();
  }

  Machine& machine_;
  Vrtl_top top_;
  Flash flash_;
  Port code_, data_;
  uint64_t cycle_ = 0, retired_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  uint64_t flash_wait = 0;
  if (argc > 2 && std::string(argv[1]) == "--flash-wait") {
    flash_wait = std::strtoull(argv[2], nullptr, 10);
    argc -= 2;
    argv += 2;
  }
  if (argc < 3) return 2;
  Machine machine;
  machine.command_line = argv[1];
  for (int i = 3; i < argc; ++i) machine.command_line += std::string(" ") + argv[i];
  load(machine, argv[1]);
  const std::map<uint32_t, Counted> counted = Run(machine, flash_wait).to_the_end();
  std::FILE* const out = std::fopen(argv[2], "w");
  if (out == nullptr) fail("the counts can't be written", 0);
  for (const auto& [address, one] : counted)
    std::fprintf(out, "%x %llu %llu\n", address, static_cast<unsigned long long>(one.executions),
                 static_cast<unsigned long long>(one.cycles));
  std::fclose(out);
  return machine.status;
}
