#include "fused/plan/cut.h"

#include "fused/plan/accesses.h"

#include <algorithm>

namespace lockstep {
namespace {

// In pieces of whole units.
std::vector<Range> ranges(Index size, Index unit, Index pieces) {
  const Index units = (size + unit - 1) / unit;
  std::vector<Range> all;
  for (Index i = 0, n = std::min(pieces, units); i < n; ++i) {
    const Range range = part(units, n, i);
    all.push_back({range.begin * unit, std::min(range.end * unit, size)});
  }
  return all;
}

// The matrix in rows, or its only row in columns.
struct Slice {
  bool of_rows;
  Range range;

  Region of(const Region& region) const { return of_rows ? rows_of(region, range) : cols_of(region, range); }
  // Of what is transposed against the output.
  Region across(const Region& region) const { return of_rows ? cols_of(region, range) : rows_of(region, range); }
  // Of a row that serves all rows.
  Region along(const Region& row) const { return of_rows ? row : cols_of(row, range); }
};

std::vector<Slice> slices(const Region& output, Index pieces) {
  const bool of_rows = output.rows > 1;
  std::vector<Slice> all;
  for (const Range& range : ranges(of_rows ? output.rows : output.cols, 1, pieces)) all.push_back({of_rows, range});
  return all;
}

std::vector<Slice> slices_of_rows(Index rows, Index unit, Index pieces) {
  std::vector<Slice> all;
  for (const Range& range : ranges(rows, unit, pieces)) all.push_back({true, range});
  return all;
}

// One piece a slice, made by of_slice(slice, number).
template <typename F>
std::vector<PlanBody> each(const std::vector<Slice>& all, F of_slice) {
  std::vector<PlanBody> pieces;
  for (std::size_t i = 0; i < all.size(); ++i) pieces.push_back(of_slice(all[i], i));
  return pieces;
}

struct Cut {
  Index pieces;
  const std::vector<Region>& spare;

  std::vector<PlanBody> operator()(const Gemm& g) const {
    if (g.amax) return {};
    const bool of_rows = g.a.rows() > granule(g.a);
    const Operand& cut = of_rows ? g.a : g.b;
    std::vector<PlanBody> all;
    for (const Range& range : ranges(cut.rows(), granule(cut), pieces)) {
      const Slice slice{of_rows, range};
      Gemm piece = g;
      (of_rows ? piece.a : piece.b) = rows_of(cut, range);
      piece.d = slice.of(g.d);
      if (g.c) piece.c = slice.of(*g.c);
      if (g.bias) piece.bias = slice.along(*g.bias);
      all.push_back(std::move(piece));
    }
    return all;
  }
  std::vector<PlanBody> operator()(const Reduce& r) const {
    return each(slices(r.d, pieces), [&](const Slice& slice, std::size_t) {
      Reduce piece = r;
      for (Region& source : piece.sources) source = slice.of(source);
      piece.d = slice.of(r.d);
      return piece;
    });
  }
  std::vector<PlanBody> operator()(const Copy& c) const {
    return each(slices(c.to, pieces), [&](const Slice& slice, std::size_t) {
      return Copy{slice.of(c.from), slice.of(c.to)};
    });
  }
  std::vector<PlanBody> operator()(const Transpose& t) const {
    return each(slices(t.to, pieces), [&](const Slice& slice, std::size_t) {
      return Transpose{slice.across(t.from), slice.of(t.to)};
    });
  }
  std::vector<PlanBody> operator()(const QuantizeTensor& q) const {
    return each(slices(q.to, pieces), [&](const Slice& slice, std::size_t i) {
      return QuantizeTensor{slice.of(q.from), q.scale, slice.of(q.to), i == 0 ? q.scale_inv : spare[i - 1]};
    });
  }
  std::vector<PlanBody> operator()(const QuantizeBlocks& q) const {
    if (q.scales.grid == ScaleGrid::tensor) return {};  // one scale of all rows
    const Operand whole{q.to, false, q.scales};
    return each(slices_of_rows(q.to.rows, granule(whole), pieces), [&](const Slice& slice, std::size_t) {
      const Operand piece = rows_of(whole, slice.range);
      return QuantizeBlocks{q.transposed ? slice.across(q.from) : slice.of(q.from), q.transposed, q.recipe,
                            piece.values, *piece.scales};
    });
  }
  std::vector<PlanBody> operator()(const AddBias& a) const {
    return each(slices(a.to, pieces), [&](const Slice& slice, std::size_t) {
      return AddBias{slice.of(a.from), slice.along(a.bias), slice.of(a.to)};
    });
  }
  std::vector<PlanBody> operator()(const BiasGrad& b) const {
    return each(slices(b.to, pieces), [&](const Slice& slice, std::size_t) {
      return BiasGrad{cols_of(b.from, slice.range), slice.of(b.to)};
    });
  }
  template <typename Whole>
  std::vector<PlanBody> operator()(const Whole&) const {
    return {};
  }
};

// Whether each element of `region`, which the operation writes, comes of the same element of it and no other.
bool in_place(const PlanBody& body, const Region& region) {
  if (const auto* gemm = std::get_if<Gemm>(&body)) return region != gemm->a.values && region != gemm->b.values;
  return !std::holds_alternative<Transpose>(body) && !std::holds_alternative<QuantizeBlocks>(body);
}

bool apart(const Region& a, const Region& b) {
  return a.buffer != b.buffer || a.rank != b.rank || a.end() <= b.offset || b.end() <= a.offset;
}

// Whether what one piece writes may be what another reads or writes.
bool mixes(const PlanBody& body) {
  const Accesses accesses = accesses_of({body});
  for (const Region& to : accesses.writes) {
    if (to.rows > 1 && to.ld < to.cols) return true;
    for (const Region& from : accesses.reads)
      if (!apart(from, to) && !(from == to && in_place(body, to))) return true;
  }
  return false;
}

}  // namespace

std::vector<PlanBody> cut(const PlanBody& body, Index pieces, const std::vector<Region>& spare) {
  if (pieces <= 1 || mixes(body)) return {body};
  std::vector<PlanBody> all = std::visit(Cut{pieces, spare}, body);
  return all.size() > 1 ? all : std::vector<PlanBody>{body};
}

}  // namespace lockstep
