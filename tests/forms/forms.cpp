// See forms.h.
#include "forms/forms.h"

#include <algorithm>

#include "support/digests.h"
#include "support/text.h"

namespace hlocc::backends {

void add_forms(const std::string& name, const std::vector<KernelForm>& forms, const Serve& serve) {
  for (const KernelForm& form : forms) {
    std::vector<std::pair<std::string, std::string>> rows;  // chips, what they are served
    for (const char* chip : form.chips) {
      kernel::Builder b("form");
      form.make(b);
      kernel::Kernel kernel = b.finish();
      kernel.choice = form.choice;
      const std::string text = serve(kernel, chip);
      const auto same = std::ranges::find(rows, text, &std::pair<std::string, std::string>::second);
      if (same == rows.end())
        rows.emplace_back(chip, text);
      else
        same->first += cat(", ", std::string(chip));
    }
    for (const auto& [chips, text] : rows)
      tests::add_digest(name, cat(form.name, " (", chips, ")"),
                        static_cast<size_t>(std::ranges::count(text, '\n')), text);
  }
}

void add_forms(const std::string& name, std::vector<KernelForm> forms,
               const std::vector<const char*>& chips, const Serve& serve) {
  for (KernelForm& form : forms) form.chips = chips;
  add_forms(name, forms, serve);
}

}  // namespace hlocc::backends
