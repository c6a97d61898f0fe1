#include "property_tests/case_generator.h"

#include "oracle/inputs/budget.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

using rc::gen::build;
using rc::gen::element;
using rc::gen::inRange;
using rc::gen::set;

rc::Gen<Executor> arbitrary_executor() {
  using enum ExecutorKind;
  return rc::gen::apply(
      [](std::uint64_t seed, ExecutorKind kind) {
        if (seed == 0 || kind == sequential) return Executor{};
        return Executor{seed % 20 == 0 ? threads : kind, seed};
      },
      inRange<std::uint64_t>(0, 1000), element(sequential, adversary, adversary, pct, late, fast));
}

// Zero, or about to pass a power of two.
rc::Gen<std::uint64_t> arbitrary_counter() {
  return rc::gen::apply([](std::uint64_t power, std::uint64_t below) { return power - (power == 1 ? 1 : below); },
                        element<std::uint64_t>(1, 1, 1ull << 31, 1ull << 32, 1ull << 63, 0),
                        inRange<std::uint64_t>(1, 9));
}

rc::Gen<Recipe> arbitrary_recipe() {
  return build<Recipe>(set(&Recipe::amax, element(AmaxAlgorithm::max, AmaxAlgorithm::most_recent)),
                       set(&Recipe::history, inRange<Index>(1, 6)), set(&Recipe::margin, inRange<Index>(0, 4)));
}

rc::Gen<Call> arbitrary_call(const std::string& fault) {
  const auto type = element(DType::bf16, DType::fp16, DType::f32);
  const auto main_grad = element<std::optional<DType>>(std::nullopt, DType::f32, DType::bf16, DType::fp16);
  return build<Call>(
      set(&Call::tp, inRange<Index>(1, 10)), set(&Call::tokens, inRange<Index>(0, 71)),
      set(&Call::in, inRange<Index>(1, 131)), set(&Call::out, inRange<Index>(1, 131)),
      set(&Call::splits, inRange<Index>(1, 10)), set(&Call::dtype, type), set(&Call::wire, type), set(&Call::fp8_wire),
      set(&Call::first_gemm), set(&Call::accumulate, main_grad), set(&Call::recipe, arbitrary_recipe()),
      set(&Call::data, element(Data::planted, Data::normal, Data::rank_bits, Data::chunk_bits, Data::address,
                               Data::wild, Data::same_sign, Data::cancel, Data::log_uniform, Data::specials)),
      set(&Call::arithmetic, element(Arithmetic::f32, Arithmetic::f32, Arithmetic::hopper, Arithmetic::hopper_fast)),
      set(&Call::seed, inRange<std::uint64_t>(0, 1000)), set(&Call::executor, arbitrary_executor()),
      set(&Call::counter, arbitrary_counter()), set(&Call::fault, rc::gen::just(fault)));
}

bool is_valid(const Call& call) try {
  validate({{call}});
  return true;
} catch (const Refusal&) {
  return false;
}

// The change, unless it makes the call one that is refused.
template <typename F>
void unless_refused(Call& call, const F& change) {
  Call changed = call;
  change(changed);
  if (!is_valid(call) || is_valid(changed)) call = changed;
}

Call plain(const Call& call, const Cell& cell) {
  Call made = with_cell({}, cell);
  made.tp = made.is_layer() ? std::max<Index>(call.tp, 2) : call.tp;
  made.tokens = call.tokens, made.in = call.in, made.out = call.out, made.splits = call.splits;
  made.dtype = made.wire = call.dtype;
  const RecipeKind kind = made.recipe.kind;
  made.recipe = call.recipe, made.recipe.kind = kind;
  made.seed = call.seed, made.executor = call.executor, made.counter = call.counter, made.fault = call.fault;
  if (takes_rank(made.executor.kind)) made.executor.seed %= static_cast<std::uint64_t>(made.tp);
  return resolved(made);
}

// Each variant is kept if it is allowed.
Call made_valid(const Call& call, const Cell& cell) {
  Call made = plain(call, cell);
  unless_refused(made, [&](Call& c) { c.wire = call.wire; });
  unless_refused(made, [&](Call& c) { c.fp8_wire = call.fp8_wire, c.wire = call.fp8_wire ? DType::bf16 : c.wire; });
  unless_refused(made, [&](Call& c) { c.first_gemm = call.first_gemm; });
  unless_refused(made, [&](Call& c) { c.accumulate = call.accumulate; });
  unless_refused(made, [&](Call& c) { c.data = call.data; });
  unless_refused(made, [&](Call& c) { c.arithmetic = call.arithmetic; });
  if (made.data == Data::rank_bits && (made.tp > 8 || !made.is_row())) made.data = Data::planted;
  if (made.fp8_wire)
    made.recipe.amax = AmaxAlgorithm::max, made.recipe.history = std::max<Index>(3, call.recipe.history);
  const auto exact = [](Call c) {
    c.data = Data::planted;
    return Case{std::vector<Call>(3, c)};
  };
  if (!has_room(exact(made))) made.wire = made.dtype, made.fp8_wire = false;
  if (!has_room(exact(made)) && made.accumulate) made.accumulate = made.dtype;
  if (!has_room(exact(made))) made.dtype = made.wire = DType::f32;
  if (!has_room(exact(made)) && made.accumulate) made.accumulate = DType::f32;
  return made;
}

// What may not change from call to call is the first call's.
Case made_valid(std::vector<Call> calls, const Cell& cell) {
  Case a_case{.calls = {}};
  const Call first = made_valid(calls[0], cell);
  for (const Call& call : calls) {
    Call made = first;
    made.tokens = call.tokens, made.splits = call.splits;
    if (!first.accumulate) made.in = call.in, made.out = call.out;
    a_case.calls.push_back(made);
  }
  return a_case;
}

}  // namespace

rc::Gen<Case> arbitrary_case_of(const std::vector<Cell>& cells, const std::string& fault) {
  const auto calls = rc::gen::suchThat(
      rc::gen::resize(3, rc::gen::container<std::vector<Call>>(rc::gen::resize(100, arbitrary_call(fault)))),
      [](const std::vector<Call>& c) { return !c.empty() && c.size() <= 3; });
  return rc::gen::apply([](std::vector<Call> made, const Cell& cell) { return made_valid(std::move(made), cell); },
                        calls, rc::gen::elementOf(cells));
}

rc::Gen<Case> arbitrary_case(const std::string& fault) { return arbitrary_case_of(all_cells(), fault); }

}  // namespace lockstep
