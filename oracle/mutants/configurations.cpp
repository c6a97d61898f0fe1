#include "oracle/mutants/configurations.h"

#include "oracle/campaign/cells.h"
#include "oracle/inputs/budget.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr const char* schedules[] = {
    "op=gemm_rs",
    "op=gemm_rs first_gemm=1",
    "op=gemm_rs method=ring_exchange",
    "op=gemm_rs method=accumulate",
    "op=gemm_rs recipe=current",
    "op=gemm_rs recipe=block128",
    "op=gemm_rs recipe=mxfp8 first_gemm=1",
    "op=gemm_rs method=ring_exchange recipe=block128",
    "op=gemm_rs method=accumulate recipe=mxfp8",
    "op=gemm_rs recipe=delayed wire=fp8",
    "op=gemm_rs method=ring_exchange recipe=delayed wire=fp8",
    "op=gemm_ar",
    "op=gemm_ar recipe=delayed wire=fp8",
    "op=ag_gemm",
    "op=ag_gemm aggregate=1",
    "op=ag_gemm recipe=current",
    "op=ag_gemm recipe=mxfp8 aggregate=1",
    "op=row_linear bias=after recipe=current",
    "op=row_linear pass=backward",
    "op=row_linear pass=backward accumulate=f32 recipe=delayed",
    "op=row_linear pass=backward recipe=mxfp8",
    "op=row_linear pass=backward recipe=block128",
    "op=column_linear pass=backward",
    "op=column_linear pass=backward accumulate=f32 recipe=current",
    "op=column_linear pass=backward frozen=1 dgrad=pipeline",
    "op=column_linear pass=backward frozen=1 dgrad=ring_exchange",
    "op=column_linear pass=backward frozen=1 dgrad=accumulate",
    "op=column_linear pass=both recipe=delayed",
    "op=column_linear pass=both recipe=mxfp8",
};

constexpr const char* in_several_blocks[] = {
    "op=row_linear pass=both recipe=mxfp8 tokens=67 in=70 out=73 splits=3",
    "op=column_linear pass=both recipe=mxfp8 tokens=67 in=70 out=73 splits=3",
    "op=gemm_rs recipe=block128 tokens=5 in=262 out=265 splits=3",
    "op=ag_gemm recipe=block128 tokens=5 in=265 out=11",
    "op=row_linear pass=backward recipe=block128 tokens=261 in=7 out=265",
};

// Three parts of which none is empty, where parts begin at multiples of 128.
constexpr Index in_squares = 2 * 128 + 9;

void shape(Call& call, Index tp) {
  call = resolved(call);
  call.tp = tp, call.tokens = 2 * tp + 1, call.in = 3 * tp + 2, call.out = 4 * tp + 3, call.splits = 3;
  if (call.recipe.kind == RecipeKind::block128 && reduces(call) && reducing_method(call) == Method::pipeline)
    (call.is_row() ? call.out : call.in) = in_squares;
}

Case with_room(Call call) {
  if (has_room({{call, call}})) return {{call}};
  call.dtype = call.wire = DType::f32;
  if (call.accumulate) call.accumulate = DType::f32;
  return {{call}};
}

}  // namespace

std::vector<Case> mutated_cases(Index tp) {
  std::vector<Case> cases;
  const auto add = [&](Call call) {
    shape(call, tp);
    const Case a_case = with_room(call);
    if (std::ranges::find(cases, a_case) == cases.end()) cases.push_back(a_case);
  };
  for (const char* line : schedules) add(parse_case(line).first());
  if (tp != 2) return cases;
  for (const Cell& cell : all_cells()) add(with_cell({}, cell));
  for (const char* line : in_several_blocks) cases.push_back(with_room(resolved(parse_case(line).first())));
  return cases;
}

}  // namespace lockstep
