// The one handler of all checks.
#include "support/quick_checks.h"

#include <cstring>

namespace hlocc::tests {

void check_expression(const Catch::ITransientExpression& expression, const CheckSite& site) {
  Catch::AssertionHandler handler(Catch::StringRef(site.macro, std::strlen(site.macro)),
                                  Catch::SourceLineInfo(site.file, site.line),
                                  Catch::StringRef(site.text, std::strlen(site.text)),
                                  site.on_failure);
  handler.handleExpr(expression);
  handler.complete();
}

}  // namespace hlocc::tests
