// `--cache DIR` and HLOCC_CACHE: a compile whose outcome is known already is answered with the
// files, sizes and notes of the first one (docs/cache.md).
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/cache/action.h"
#include "driver/cache/store.h"
#include "driver/pipeline/compile_target.h"

namespace hlocc::driver {

// What the command line and the environment say of the cache.
struct CacheOptions {
  std::vector<std::string> places;  // folders and http:// addresses, nearest first; none: no cache
  int64_t limit = 0;                // bytes of a folder
  bool read_only = false;           // HLOCC_CACHE_READONLY
  int verify_percent = 0;           // of the hits are compiled as well, and compared
};
// --cache, or HLOCC_CACHE where that is not given; HLOCC_CACHE_SIZE, HLOCC_CACHE_READONLY. Errors:
// kUsage for a size that is none.
Result<CacheOptions> cache_options(const CommandLine& line);

// Whether an entry is among the share of them that is compiled again: the same for the same key, so
// that machines that share a cache look at the same entries.
bool is_drawn(const std::string& key, int percent);

class CompileCache {
 public:
  explicit CompileCache(CacheOptions options);
  // Makes room, and says what was the matter with the places.
  void finish(const CommandLine& line);

  // The outcome that is known, or `compile`'s, which is kept. `was_known`, where given, says which.
  Result<CompiledTarget> get(const CommandLine& line, const Target& target,
                             const std::function<Result<CompiledTarget>()>& compile,
                             bool* was_known = nullptr);
  // The parts of get(), for who compiles in another process.
  Result<std::string> key_of(const CommandLine& line, const Target& target) {
    return action_key(line, target, digests_);
  }
  std::optional<CompiledTarget> find(const std::string& key);
  void keep(const std::string& key, const CompiledTarget& made);
  bool is_open() const { return !stores_.empty(); }

 private:
  std::optional<Pieces::Bytes> find_content(const std::string& digest);
  Status compare(const std::string& key, const CompiledTarget& known, const CompiledTarget& made);

  CacheOptions options_;
  std::vector<std::unique_ptr<Store>> stores_;
  std::vector<std::string> damaged_;
  FileDigests digests_;
};

}  // namespace hlocc::driver
