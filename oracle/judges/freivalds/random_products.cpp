#include "oracle/judges/freivalds/random_products.h"

#include "oracle/campaign/parallel.h"
#include "reference/contract/partition.h"

namespace lockstep {
namespace {

// So many products of a number below 2^60 and one below 2^61 an Int128 holds.
constexpr Index most_products = 64;

Int128 product(Index n, Mersenne61 x) { return Int128{n} * static_cast<Index>(x.value); }

Mersenne61 dot(const Index* n, const Mersenne61* x, Index count) {
  Mersenne61 sum;
  for (Index begin = 0; begin < count; begin += most_products) {
    Int128 few = 0;
    for (Index k = begin, end = std::min(begin + most_products, count); k < end; ++k) few += product(n[k], x[k]);
    sum = sum + mersenne61(few);
  }
  return sum;
}

// y[i] += sum over j of t[i, j] x[j]
void add_rows(const Tensor& t, const Quantum& quantum, const Mersenne61* x, Mersenne61* y, Index threads) {
  constexpr Index panel = 64;
  parallel_for((t.rows + panel - 1) / panel, threads, [&](Index which) {
    std::vector<Index> row(static_cast<std::size_t>(t.cols));
    for (Index i = which * panel; i < std::min((which + 1) * panel, t.rows); ++i) {
      read_line(t, i, false, quantum, row.data());
      y[i] = y[i] + dot(row.data(), x, t.cols);
    }
  });
}

void fold(std::vector<Int128>& sums) {
  for (Int128& sum : sums) sum = mersenne61(sum).value;
}

// sum over the rows of x[i] t[i, j], a column each
std::vector<Int128> column_sums(const Tensor& t, const Quantum& quantum, const Mersenne61* x, const Range& rows) {
  std::vector<Index> row(static_cast<std::size_t>(t.cols));
  std::vector<Int128> sums(row.size(), 0);
  Index products = 0;
  for (Index i = rows.begin; i < rows.end; ++i) {
    if (x[i].value == 0) continue;
    read_line(t, i, false, quantum, row.data());
    for (std::size_t j = 0; j < row.size(); ++j) sums[j] += product(row[j], x[i]);
    if (++products % (most_products - 1) == 0) fold(sums);  // what is kept counts as one
  }
  fold(sums);
  return sums;
}

// y[j] += sum over i of x[i] t[i, j]
void add_columns(const Tensor& t, const Quantum& quantum, const Mersenne61* x, Mersenne61* y, Index threads) {
  std::vector<std::vector<Int128>> sums(static_cast<std::size_t>(threads));
  parallel_for(threads, threads, [&](Index which) {
    sums[static_cast<std::size_t>(which)] = column_sums(t, quantum, x, part(t.rows, threads, which));
  });
  for (const auto& some : sums)
    for (std::size_t j = 0; j < some.size(); ++j) y[j] = y[j] + mersenne61(some[j]);
}

}  // namespace

Vector61 times(const WholeMatrix& m, const Vector61& x, Index threads) {
  Vector61 y(static_cast<std::size_t>(m.matrix.rows));
  for (const PlacedTensor& part : m.matrix.parts)
    (part.transposed ? add_columns : add_rows)(*part.tensor, m.quantum, x.data() + part.col, y.data() + part.row,
                                               threads);
  return y;
}

Vector61 transposed_times(const WholeMatrix& m, const Vector61& x, Index threads) {
  return times(transposed(m), x, threads);
}

}  // namespace lockstep
