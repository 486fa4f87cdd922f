// Einsum: letters are dimensions, products are taken operand by operand.
#include <algorithm>
#include <map>

#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

// A letter, or, for the dimensions that an ellipsis stands for, their number from the end below 0.
using Label = int;
using Labels = std::vector<Label>;

struct Term {
  InstructionId x = 0;
  Labels labels;
};

struct Equation {
  std::vector<std::string> operands;
  std::string result;
  bool has_result = false;
};

Equation equation_of(std::string text) {
  std::erase(text, ' ');
  Equation out;
  const size_t arrow = text.find("->");
  out.has_result = arrow != std::string::npos;
  out.operands = hlocc::split(text.substr(0, arrow), ',');
  if (out.has_result) out.result = text.substr(arrow + 2);
  return out;
}

// The labels of a term; an ellipsis stands for `open` dimensions.
Result<Labels> labels_of(const Op& op, const std::string& term, int64_t open) {
  Labels out;
  for (size_t i = 0; i < term.size(); ++i) {
    if (term.substr(i, 3) == "...") {
      for (int64_t d = open; d > 0; --d) out.push_back(static_cast<Label>(-d));
      i += 2;
    } else if (std::isalpha(static_cast<unsigned char>(term[i]))) {
      out.push_back(term[i]);
    } else {
      return op.wrong(cat("an equation with \"", term, "\""));
    }
  }
  return out;
}

bool has(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

class Contraction {
 public:
  Contraction(const Op& op, std::map<Label, int64_t> sizes) : b_(op.b), sizes_(std::move(sizes)) {}

  // Each label once, each dimension of its full size: a label that stands twice is a diagonal.
  Term settled(Term term) {
    Dimensions full;
    for (const Label label : term.labels) full.push_back(sizes_[label]);
    term.x = b_.broadcast_to(term.x, full);
    for (size_t i = 0; i < term.labels.size(); ++i)
      for (size_t j = i + 1; j < term.labels.size(); ++j) {
        if (term.labels[i] != term.labels[j]) continue;
        const auto first = static_cast<int64_t>(i), second = static_cast<int64_t>(j);
        const Dimensions sizes = b_.sizes(term.x);
        const InstructionId is_diagonal =
            b_.compare(b_.iota(PrimitiveType::kS32, sizes, first),
                       b_.iota(PrimitiveType::kS32, sizes, second), hlo::Direction::kEq);
        const InstructionId kept = b_.select(is_diagonal, term.x, b_.like(term.x, 0));
        term.x = b_.reduce(Opcode::kAdd, kept, {second});
        term.labels.erase(term.labels.begin() + second);
        --j;
      }
    return term;
  }

  // Summed over what neither the other terms nor the result need.
  Term summed(Term term, const Labels& needed) {
    Dimensions gone;
    Labels kept;
    for (size_t i = 0; i < term.labels.size(); ++i) {
      if (has(needed, term.labels[i]))
        kept.push_back(term.labels[i]);
      else
        gone.push_back(static_cast<int64_t>(i));
    }
    if (!gone.empty()) term.x = b_.reduce(Opcode::kAdd, term.x, gone);
    term.labels = kept;
    return term;
  }

  Term product(const Term& a, const Term& c, const Labels& needed) {
    hlo::DotAttributes how;
    Labels batch, free;
    const auto place = [](const Labels& labels, Label label) {
      return std::find(labels.begin(), labels.end(), label) - labels.begin();
    };
    for (const Label label : a.labels) {
      if (!has(c.labels, label)) {
        free.push_back(label);
        continue;
      }
      const bool stays = has(needed, label);
      (stays ? how.lhs_batch : how.lhs_contracting).push_back(place(a.labels, label));
      (stays ? how.rhs_batch : how.rhs_contracting).push_back(place(c.labels, label));
      if (stays) batch.push_back(label);
    }
    for (const Label label : c.labels)
      if (!has(a.labels, label)) free.push_back(label);
    Term out{b_.dot(a.x, c.x, std::move(how), b_.type(a.x)), std::move(batch)};
    out.labels.insert(out.labels.end(), free.begin(), free.end());
    return out;
  }

 private:
  Builder& b_;
  std::map<Label, int64_t> sizes_;
};

// Without a result in the equation: the ellipsis, and the letters that stand once, by the alphabet.
Labels implied_result(const std::vector<Term>& terms, int64_t open) {
  std::map<Label, int> count;
  for (const Term& term : terms)
    for (const Label label : term.labels) ++count[label];
  Labels out;
  for (int64_t d = open; d > 0; --d) out.push_back(static_cast<Label>(-d));
  for (const auto& [label, times] : count)
    if (label > 0 && times == 1) out.push_back(label);
  return out;
}

}  // namespace

Status einsum(const Op& op) {
  Builder& b = op.b;
  const Equation equation = equation_of(op.text("equation"));
  if (static_cast<int>(equation.operands.size()) != op.inputs())
    return op.wrong("an equation of another number of operands");
  int64_t open = 0;
  for (int i = 0; i < op.inputs(); ++i)
    if (const std::string& term = equation.operands[i]; term.find("...") != std::string::npos)
      open = std::max<int64_t>(open, op.rank(i) - static_cast<int64_t>(term.size()) + 3);
  std::map<Label, int64_t> sizes;
  std::vector<Term> terms;
  for (int i = 0; i < op.inputs(); ++i) {
    const std::string& text = equation.operands[i];
    const int64_t own = op.rank(i) - static_cast<int64_t>(text.size()) + 3;
    HLOCC_TRY_ASSIGN(Labels labels, labels_of(op, text, std::max<int64_t>(own, 0)));
    if (op.type(i) != op.type(0)) return op.unsupported_types();
    if (static_cast<int>(labels.size()) != op.rank(i))
      return op.wrong(cat("\"", text, "\" for ", op.rank(i), " dimensions"));
    for (size_t d = 0; d < labels.size(); ++d) {
      int64_t& size = sizes.emplace(labels[d], 1).first->second;
      const int64_t now = op.sizes(i)[d];
      if (size != 1 && now != 1 && now != size) return op.wrong(cat("sizes ", size, " and ", now));
      if (size == 1) size = now;
    }
    terms.push_back({op.value(i), std::move(labels)});
  }
  Labels result = implied_result(terms, open);
  if (equation.has_result) {
    HLOCC_TRY_ASSIGN(result, labels_of(op, equation.result, open));
  }
  for (const Label label : result)
    if (!sizes.contains(label)) return op.wrong("a result of a letter that no operand has");
  Contraction contraction(op, sizes);
  for (Term& term : terms) term = contraction.settled(term);
  Term all = terms[0];
  for (size_t i = 1; i <= terms.size(); ++i) {
    Labels needed = result;
    for (size_t j = i; j < terms.size(); ++j)
      needed.insert(needed.end(), terms[j].labels.begin(), terms[j].labels.end());
    all = contraction.summed(all, needed);
    if (i == terms.size()) break;
    Labels later = result;
    for (size_t j = i + 1; j < terms.size(); ++j)
      later.insert(later.end(), terms[j].labels.begin(), terms[j].labels.end());
    Labels own = later;
    own.insert(own.end(), all.labels.begin(), all.labels.end());
    all = contraction.product(all, contraction.summed(terms[i], own), later);
  }
  Dimensions permutation;
  for (const Label label : result)
    permutation.push_back(std::find(all.labels.begin(), all.labels.end(), label) -
                          all.labels.begin());
  if (permutation.size() != all.labels.size()) return op.wrong("a result with a letter twice");
  return op.set(b.transpose(all.x, permutation));
}

}  // namespace hlocc::import::onnx::ops
