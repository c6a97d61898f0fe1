#include "fused/plan/operand.h"

#include "reference/contract/refusal.h"

namespace lockstep {

Index granule(const Operand& operand) {
  return operand.scales && operand.scales->grid == ScaleGrid::squares ? operand.scales->block : 1;
}

Operand rows_of(Operand operand, const Range& rows) {
  operand.values = operand.transposed ? cols_of(operand.values, rows) : rows_of(operand.values, rows);
  if (!operand.scales || operand.scales->grid == ScaleGrid::tensor) return operand;
  const Index block = granule(operand);
  CHECK(rows.empty() || rows.begin % block == 0, "rows that begin in the middle of a block of scales");
  const Range blocks{rows.begin / block, rows.empty() ? rows.begin / block : (rows.end + block - 1) / block};
  operand.scales->inverse = rows_of(operand.scales->inverse, blocks);
  return operand;
}

}  // namespace lockstep
