// Lists in HLO text: items in brackets, whose commas XLA sometimes leaves out.
#pragma once
#include "import/text/cursor.h"

namespace hlocc::import {

// Calls item(), which reads one and returns a Status, until the list closes.
template <typename Item>
Status parse_list(TextCursor& cursor, Item item, std::string_view open = "{",
                  std::string_view close = "}") {
  HLOCC_TRY(cursor.expect(open));
  while (!cursor.accept(close)) {
    HLOCC_TRY(item());
    cursor.accept(",");
  }
  return {};
}

}  // namespace hlocc::import
