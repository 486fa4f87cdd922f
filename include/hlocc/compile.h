// The compiler as a function, for programs that embed it: the bytes of a model in, generated files
// out. Needs nothing but the standard library; link with hlocc_driver.
#ifndef HLOCC_COMPILE_H_
#define HLOCC_COMPILE_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace hlocc::api {

// Fields mean what the flags of `hlocc compile` mean.
struct Request {
  std::vector<std::byte> model;  // HloModuleProto, HloProto, HloSnapshot or HLO text
  std::string file = "model";    // what diagnostics and, without a name, generated names call it
  std::string name;              // acme::Kws
  std::string target = "host", cpu, features, backend;
  std::string level = "2";  // 0, 1, 2, 3, s or z
  bool keep_arguments = false;
  bool winograd = true;
  bool integer_qdq = true;
  long long ram_budget = 0;  // bytes of arena and instance; 0: none
  // The arena in several memories, as --memory has them: "fast:64K,slow:512K", and the one that
  // init copies weights into; empty: the arena is one, weights stay where they are.
  std::string memory, weights_in;
  bool palettes = false;  // --weights-compression palettes
  // What reading and compiling may take, in units of work and bytes of memory; 0: what the size of
  // the model allows.
  long long work_limit = 0, memory_limit = 0;
  std::string weights_section;
  std::map<int, std::string> argument_names, result_names;
  // Kinds of files as --emit has them; none: the header, and a library or C as the target's backend
  // makes it.
  std::set<std::string> emit;
};

struct File {
  std::string name;  // libkws.a, kws.h, kws.json
  std::vector<std::byte> bytes;
};

struct Failure {
  std::string kind, message, file;
  int line = 0;
  std::vector<std::string> notes;
  int exit_code = 1;  // what the command line would return
};

std::variant<std::vector<File>, Failure> compile(const Request& request);

}  // namespace hlocc::api

#endif  // HLOCC_COMPILE_H_
