#include "oracle/diagnosis/terms.h"

#include "oracle/inputs/shards.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr Index most_products = Index{1} << 31, most_elements = Index{1} << 25;

struct Given {
  Problem problem;
  const NamedTensors& inputs;

  // The whole matrix of which `block` says what each rank holds.
  template <typename BlockOf>
  Matrix whole(std::string_view name, Index rows, Index cols, BlockOf block_of) const {
    Matrix m(rows, cols);
    const auto found = inputs.find(name);
    if (found == inputs.end()) return m;
    for (Index rank = 0; rank < problem.tp; ++rank) {
      const Matrix part = decode(found->second[static_cast<std::size_t>(rank)]);
      const Block block = block_of(problem, rank);
      for (Index i = 0; i < part.rows; ++i)
        for (Index j = 0; j < part.cols; ++j) m(block.rows.begin + i, block.cols.begin + j) = part(i, j);
    }
    return m;
  }
  Matrix x() const { return whole("x", problem.tokens, problem.in, x_block); }
  Matrix w() const { return whole("w", problem.out, problem.in, w_block); }
  Matrix dy() const { return whole("dy", problem.tokens, problem.out, y_block); }
  // Of a column layer every rank's row is the whole bias: no two ranks hold the same column.
  Matrix bias() const {
    Matrix m(problem.tp, problem.out);
    for (Index holder = 0; holder < problem.tp; ++holder)
      for (Index rank = 0; rank < problem.tp; ++rank) {
        if (problem.is_row() && rank != holder) continue;
        const Matrix part = decode(inputs.at("b")[static_cast<std::size_t>(rank)]);
        for (Index j = 0; j < part.cols; ++j) m(holder, problem.out_of(rank).begin + j) = part(0, j);
      }
    return m;
  }
};

Terms of_operands(std::string a_name, Matrix a, std::string b_name, Matrix b) {
  Terms terms;
  terms.a_name = std::move(a_name), terms.b_name = std::move(b_name);
  terms.a = std::move(a), terms.b = std::move(b);
  return terms;
}

void shard(Terms& terms, Index total, Index parts, std::string_view name) {
  terms.shards = partition(total, parts);
  for (Index rank = 0; rank < parts; ++rank)
    terms.names.push_back(parts == 1 ? "the product" : fmt::format("{} {}", name, rank));
}

Terms y_terms(const Given& given) {
  const Problem& p = given.problem;
  Terms terms = of_operands("X", given.x(), "W", given.w());
  shard(terms, p.in, p.is_row() ? p.tp : 1, "rank");
  if (p.bias != BiasPlacement::none) terms.bias = given.bias();
  terms.is_all_reduced = p.all_reduce;
  terms.bias_is_summed = p.is_row() && p.bias == BiasPlacement::per_rank;
  return terms;
}

Terms dx_terms(const Given& given) {
  Terms terms = of_operands("dY", given.dy(), "W", transposed(given.w()));
  shard(terms, given.problem.out, given.problem.is_row() ? 1 : given.problem.tp, "rank");
  return terms;
}

Terms dw_terms(const Given& given) {
  Terms terms = of_operands("dY", transposed(given.dy()), "X", transposed(given.x()));
  shard(terms, given.problem.tokens, given.problem.tp, "the tokens of rank");
  return terms;
}

Terms db_terms(const Given& given) {
  Matrix ones(1, given.problem.tokens);
  std::ranges::fill(ones.values, 1.0f);
  Terms terms = of_operands("1", std::move(ones), "dY", transposed(given.dy()));
  shard(terms, given.problem.tokens, given.problem.is_row() ? given.problem.tp : 1, "the tokens of rank");
  return terms;
}

Matrix beside(const Matrix& left, const Matrix& right) {
  Matrix m(right.rows, left.cols + right.cols);
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j) m(i, j) = j < left.cols ? left(i, j) : right(i, j - left.cols);
  return m;
}

Terms main_grad_terms(const Prepared& prepared) {
  Terms terms;
  for (std::size_t which = 0; which < prepared.inputs.size(); ++which) {
    const Terms of_call = dw_terms({problem_of(prepared.a_case.calls[which]), prepared.inputs[which]});
    terms.shards.push_back({terms.a.cols, terms.a.cols + of_call.a.cols});
    terms.names.push_back(fmt::format("dW of call {}", which));
    terms.a = beside(terms.a, of_call.a), terms.b = beside(terms.b, of_call.b);
  }
  const Given first{problem_of(prepared.a_case.first()), prepared.inputs[0]};
  terms.start = first.whole("main_grad", first.problem.out, first.problem.in, w_block);
  return terms;
}

MatrixOf<double> multiplied(const Matrix& a, const Matrix& b_transposed, const Range& range) {
  MatrixOf<double> c(a.rows, b_transposed.cols);
  for (Index i = 0; i < c.rows; ++i)
    for (Index k = range.begin; k < range.end; ++k)
      for (Index j = 0; j < c.cols; ++j) c(i, j) += static_cast<double>(a(i, k)) * b_transposed(k, j);
  return c;
}

bool is_affordable(const Terms& terms) {
  const Index elements = terms.a.rows * terms.b.rows;
  return elements * std::ssize(terms.shards) <= most_elements && elements * terms.a.cols <= most_products;
}

void add_up(Terms& terms) {
  const Matrix b_transposed = transposed(terms.b);
  terms.product = MatrixOf<double>(terms.a.rows, terms.b.rows);
  for (const Range& range : terms.shards) {
    const auto& added = terms.products.emplace_back(multiplied(terms.a, b_transposed, range));
    for (std::size_t e = 0; e < added.values.size(); ++e) terms.product.values[e] += added.values[e];
  }
  terms.bias_sum.resize(static_cast<std::size_t>(terms.bias.cols));
  for (Index rank = 0; rank < terms.bias.rows; ++rank)
    for (Index j = 0; j < terms.bias.cols; ++j) terms.bias_sum[static_cast<std::size_t>(j)] += terms.bias(rank, j);
}

}  // namespace

double dot(const Matrix& a, Index i, const Matrix& b, Index j, const Range& range) {
  double sum = 0;
  for (Index k = range.begin; k < range.end; ++k) sum += static_cast<double>(a(i, k)) * b(j, k);
  return sum;
}

std::optional<Terms> terms_of(const Prepared& prepared, Index which, const std::string& output) {
  const Call& call = prepared.a_case.calls[static_cast<std::size_t>(which)];
  if (output == "y" ? !call.is_forward() : !call.is_backward()) return {};
  if (!is_exact(call.data) || (output == "db" && call.bias == BiasPlacement::after)) return {};
  const Given given{problem_of(call), prepared.inputs[static_cast<std::size_t>(which)]};
  Terms terms = output == "y"    ? y_terms(given)
                : output == "dx" ? dx_terms(given)
                : output == "dw" ? dw_terms(given)
                : output == "db" ? db_terms(given)
                                 : main_grad_terms(prepared);
  if (!is_affordable(terms)) return {};
  add_up(terms);
  return terms;
}

}  // namespace lockstep
