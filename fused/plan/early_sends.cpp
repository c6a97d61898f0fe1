#include "fused/plan/early_sends.h"

#include "fused/plan/cut.h"

#include <algorithm>
#include <set>

namespace lockstep {
namespace {

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

using Bodies = std::vector<PlanBody>;

// Of a plan: what each operation becomes. A piece of a transfer comes after the piece of `maker` of the same number.
struct Pieces {
  std::vector<Bodies> bodies;
  std::map<Index, Index> maker;
};

// The GEMM that makes what is sent, -1: none does.
Index maker_of(const Plan& plan, const PlanOp& op) {
  const auto* copy = std::get_if<Copy>(&op.body);
  if (!copy || copy->to.rank == op.rank) return -1;
  const auto found = std::ranges::find_if(op.after, [&](Index before) {
    const auto* gemm = std::get_if<Gemm>(&plan.ops[at(before)].body);
    return gemm && gemm->d == copy->from;
  });
  return found == op.after.end() ? -1 : *found;
}

bool go_together(const Bodies& gemms, const Bodies& copies) {
  return std::ranges::equal(gemms, copies, [](const PlanBody& gemm, const PlanBody& copy) {
    return std::get<Gemm>(gemm).d == std::get<Copy>(copy).from;
  });
}

void cut_send(Pieces& pieces, const Plan& plan, Index send, Index count) {
  const Index maker = maker_of(plan, plan.ops[at(send)]);
  if (maker < 0) return;
  Bodies gemms = cut(plan.ops[at(maker)].body, count, {}), copies = cut(plan.ops[at(send)].body, count, {});
  if (!go_together(gemms, copies)) return;
  pieces.bodies[at(maker)] = std::move(gemms);
  pieces.bodies[at(send)] = std::move(copies);
  pieces.maker[send] = maker;
}

Pieces pieces_of(const Plan& plan, Index count) {
  Pieces pieces;
  for (const PlanOp& op : plan.ops) pieces.bodies.push_back({op.body});
  std::set<std::pair<Index, Index>> begun;  // rank and lane
  for (Index op = 0; op < std::ssize(plan.ops); ++op)
    if (begun.emplace(plan.ops[at(op)].rank, plan.ops[at(op)].lane).second) cut_send(pieces, plan, op, count);
  return pieces;
}

}  // namespace

Plan with_early_sends(const Plan& plan, Index count) {
  const Pieces pieces = pieces_of(plan, count);
  Plan early = plan;
  early.ops.clear();
  std::vector<Index> last;  // of each operation, its last piece
  for (Index number = 0; number < std::ssize(plan.ops); ++number) {
    const Bodies& bodies = pieces.bodies[at(number)];
    const auto maker = pieces.maker.find(number);
    for (Index piece = 0; piece < std::ssize(bodies); ++piece) {
      PlanOp op = plan.ops[at(number)];
      op.body = bodies[at(piece)];
      for (Index& before : op.after) {
        const bool made_it = maker != pieces.maker.end() && maker->second == before;
        before = last[at(before)] - (made_it ? std::ssize(bodies) - 1 - piece : 0);
      }
      early.ops.push_back(std::move(op));
    }
    last.push_back(std::ssize(early.ops) - 1);
  }
  return early;
}

Program with_early_sends(Program program, Index pieces) {
  for (Plan& plan : program.calls) plan = with_early_sends(plan, pieces);
  return program;
}

}  // namespace lockstep
