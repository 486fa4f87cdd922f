// See cell_result.h.
#include "driver/matrix/cell_result.h"

#include <algorithm>
#include <array>

#include "driver/verify/child.h"
#include "import/file.h"
#include "package/json_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 4> kStatusNames = {"compiled", "known", "failed", "left out"};

Json failure_json(const Diagnostic& why) {
  return {{"kind", std::string(diagnostic_kind_name(why.kind))},
          {"message", why.message},
          {"file", why.location.file},
          {"line", why.location.line},
          {"notes", why.notes}};
}

DiagnosticKind kind_called(const std::string& name) {
  for (int kind = 0; kind <= static_cast<int>(DiagnosticKind::kInternal); ++kind)
    if (diagnostic_kind_name(static_cast<DiagnosticKind>(kind)) == name)
      return static_cast<DiagnosticKind>(kind);
  return DiagnosticKind::kInternal;
}

Diagnostic to_failure(const Json& told) {
  Diagnostic out = error(kind_called(told.at("kind")), told.at("message").get<std::string>())
                       .at({told.at("file"), told.at("line")});
  out.notes = told.at("notes").get<std::vector<std::string>>();
  return out;
}

std::optional<CellVerdict> to_verdict(const Json& told) {
  if (told.is_null()) return std::nullopt;
  return CellVerdict{told.at("status"), told.at("why"), told.at("results_sha256")};
}

// JSON's own exceptions are the caller's.
CellResult to_cell(const Json& told) {
  CellResult out;
  out.id = told.at("id");
  out.model = told.at("model");
  out.target = told.at("target");
  const std::string status = told.at("status");
  for (size_t i = 0; i < kStatusNames.size(); ++i)
    if (status == kStatusNames[i]) out.status = static_cast<CellStatus>(i);
  out.why = told.at("why");
  if (!told.at("shard").is_null()) out.shard = told.at("shard").get<int>();
  if (!told.at("error").is_null()) out.failure = to_failure(told.at("error"));
  out.sizes = told.at("sizes");
  out.files = told.at("files");
  for (const Json& layer : told.at("layers"))
    out.layers.push_back({layer.at("layer"), layer.at("expected_cycles"), layer.at("flash_bytes")});
  for (const Json& note : told.at("notes"))
    out.said.push_back({note.at("warning"), note.at("text")});
  out.verdict = to_verdict(told.at("verify"));
  out.cpu_seconds = told.at("cpu_seconds");
  return out;
}

}  // namespace

const char* name_of(CellStatus status) { return kStatusNames[static_cast<size_t>(status)]; }

bool CellResult::is_bad() const {
  return status == CellStatus::kFailed || (verdict && verdict->status == "failed");
}

std::optional<double> CellResult::figure(const char* name) const {
  const auto found = sizes.find(name);
  if (found == sizes.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

Json to_json(const CellResult& cell) {
  Json out = {{"id", cell.id},         {"model", cell.model},
              {"target", cell.target}, {"status", name_of(cell.status)},
              {"why", cell.why},       {"shard", nullptr},
              {"error", nullptr},      {"sizes", cell.sizes},
              {"files", cell.files}};
  if (cell.shard) out["shard"] = *cell.shard;
  if (cell.failure) out["error"] = failure_json(*cell.failure);
  out["layers"] = Json::array();
  for (const CellLayer& layer : cell.layers)
    out["layers"].push_back({{"layer", layer.name},
                             {"expected_cycles", layer.cycles},
                             {"flash_bytes", layer.flash_bytes}});
  out["notes"] = Json::array();
  for (const Said& one : cell.said)
    out["notes"].push_back({{"warning", one.is_warning}, {"text", one.text}});
  out["verify"] = nullptr;
  if (cell.verdict)
    out["verify"] = {{"status", cell.verdict->status},
                     {"why", cell.verdict->why},
                     {"results_sha256", cell.verdict->results_sha256}};
  out["cpu_seconds"] = cell.cpu_seconds;
  return out;
}

Result<MatrixReport> read_report(const std::string& path) {
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  const char* text = reinterpret_cast<const char*>(bytes.data());
  const Json told = Json::parse(text, text + bytes.size(), nullptr, false);
  const Diagnostic wrong =
      error(DiagnosticKind::kFormat, "is not what `hlocc matrix --json` prints").at({path, 0});
  MatrixReport out;
  try {
    for (const Json& cell : told.at("cells")) out.cells.push_back(to_cell(cell));
    out.broken_gates = told.at("broken_gates").get<std::vector<std::string>>();
    if (!told.at("shard").is_null()) out.shard = told.at("shard").get<int>();
  } catch (const Json::exception&) {
    return wrong;
  }
  return out;
}

std::string to_text(const CellResult& cell) { return package::json_text(to_json(cell), true); }

void read_child(const ChildOutcome& child, CellResult& into) {
  const Json told = Json::parse(child.output, nullptr, false);
  if (child.finished) {
    try {
      into = to_cell(told);
      into.cpu_seconds = child.cpu_seconds;
      return;
    } catch (const Json::exception&) {
    }
  }
  into.status = CellStatus::kFailed;
  into.cpu_seconds = child.cpu_seconds;
  const std::string why = child.failure.empty() ? "gave no answer" : child.failure;
  into.failure = error(child.environment ? DiagnosticKind::kEnvironment : DiagnosticKind::kInternal,
                       cat("the process that compiled it: ", why));
  if (!child.errors.empty())
    into.failure->notes.push_back(child.errors.substr(0, child.errors.find('\n')));
}

}  // namespace hlocc::driver
