// Where a cache keeps its bytes: blobs by the SHA-256 of their content, and records by that of the
// action whose outcome they are. The layout is that of Bazel's caches, `ac/` and `cas/`, in a
// folder or behind HTTP, so that servers made for those serve hlocc.
//
// A store never fails a compile: what it cannot give is a miss, what it cannot take is dropped, and
// trouble() says the first reason.
#pragma once
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/pieces.h"

namespace hlocc::driver {

enum class Shelf : uint8_t { kActions, kContents };
std::string_view name_of(Shelf shelf);  // "ac", "cas"

class Store {
 public:
  virtual ~Store() = default;
  // `key`: 64 hexadecimal digits. The bytes may be torn or another's: who asks checks them.
  virtual std::optional<Pieces::Bytes> get(Shelf shelf, const std::string& key) = 0;
  virtual void put(Shelf shelf, const std::string& key, const Pieces& bytes) = 0;
  // What was found to be damaged goes, where that is possible.
  virtual void remove(Shelf, const std::string&) {}
  // All that is to be stored is: time to make room.
  virtual void finish() {}
  // A sentence; empty while all is well.
  const std::string& trouble() const { return trouble_; }

 protected:
  void fail(std::string why) {
    if (trouble_.empty()) trouble_ = std::move(why);
  }

 private:
  std::string trouble_;
};

// A folder, which is made; the oldest entries go when it holds more than `limit` bytes. Any number
// of processes and machines may share it: a file appears under its name when it is whole.
std::unique_ptr<Store> disk_store(std::string folder, int64_t limit, bool read_only);

// Whether a file that is still under its first name, last changed at the one time, belongs to a
// process that was killed, as seen at the other.
bool is_left_behind(time_t changed, time_t now);

// http://HOST[:PORT][/PATH], or https:// through libcurl. What takes longer than two seconds is a
// miss, and the end of asking.
std::unique_ptr<Store> http_store(std::string url, bool read_only);

}  // namespace hlocc::driver
