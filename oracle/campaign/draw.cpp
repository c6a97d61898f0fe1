#include "oracle/campaign/draw.h"

#include "oracle/inputs/budget.h"
#include "oracle/inputs/inputs.h"
#include "oracle/inputs/random.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr Index most_splits = 9, most_tp = 9, most_tokens = 70, most_features = 130;

// In [1, most]; half of the time in the first sixteenth or so.
Index size(Random& random, Index most) { return random.between(1, random.coin() ? most / 16 + 2 : most); }

bool once_in(Random& random, Index n) { return random.between(1, n) == 1; }

DType storage_type(Random& random) {
  constexpr DType types[] = {DType::bf16, DType::bf16, DType::fp16, DType::f32};
  return types[random.between(0, 3)];
}

// Two blocks of 128 or more on a rank, mostly, where few ranks divide them.
Index size_in_blocks(Random& random, Index parts) {
  if (parts == 1) return random.between(100, 300);
  return parts <= 3 ? random.between(100 * parts, 200 * parts) : random.between(1, 300);
}

void draw_shape(Call& call, Random& random) {
  const bool in_blocks = call.recipe.kind == RecipeKind::block128 && once_in(random, 4);
  call.tokens = once_in(random, 32) ? 0 : size(random, most_tokens);
  if (in_blocks) call.tokens = random.between(1, most_tokens / 4);
  call.in = in_blocks ? size_in_blocks(random, call.is_row() ? call.tp : 1) : size(random, most_features);
  call.out = in_blocks ? size_in_blocks(random, call.is_row() ? 1 : call.tp) : size(random, most_features);
  call.splits = random.between(1, most_splits);
}

void draw_wire(Call& call, Random& random) {
  call.wire = call.dtype;
  if (!reduces(call)) return;
  const Method method = reducing_method(call);
  if (method != Method::bulk && random.coin()) call.wire = storage_type(random);
  call.fp8_wire = call.recipe.kind == RecipeKind::delayed && method != Method::bulk && method != Method::accumulate &&
                  random.coin();
}

void draw_variants(Call& call, Random& random) {
  const bool pipelines = call.op != Kernel::gemm_ar && reduces(call) && reducing_method(call) == Method::pipeline;
  call.first_gemm = pipelines && random.coin();
  if (call.is_backward() && !call.frozen && once_in(random, 3)) call.accumulate = storage_type(random);
  call.recipe.amax = random.coin() ? AmaxAlgorithm::max : AmaxAlgorithm::most_recent;
  call.recipe.history = random.between(1, 5);
  call.recipe.margin = once_in(random, 3) ? random.between(1, 3) : 0;
}

bool has_tensor_cores(const Call& call) { return is_fp8(call.recipe) || call.dtype != DType::f32; }

void draw_group(Call& call, Random& random, const Fixed& fixed) {
  const auto& cells = all_cells();
  const Cell cell = random.one_of(cells);
  call = with_cell(call, fixed.cell.value_or(cell));
  call.tp = random.between(call.is_layer() ? 2 : 1, once_in(random, 400) ? max_tp : most_tp);
  call.dtype = storage_type(random);
  draw_wire(call, random);
  draw_variants(call, random);
  const Arithmetic drawn = !once_in(random, 4) ? Arithmetic::f32
                           : random.coin()     ? Arithmetic::hopper
                                               : Arithmetic::hopper_fast;
  if (has_tensor_cores(call)) call.arithmetic = fixed.arithmetic.value_or(drawn);
  call.judge = fixed.judge;
  const auto seed = static_cast<std::uint64_t>(random.between(0, 999));
  const auto rank = static_cast<std::uint64_t>(random.between(0, call.tp - 1));
  call.executor = once_in(random, 4)   ? Executor{}
                  : once_in(random, 3) ? Executor{ExecutorKind::late, rank}
                                       : Executor{ExecutorKind::adversary, seed};
  call.fault = fixed.fault;
}

// Some of the random orders by priorities or on threads, half of the late ranks fast; once in 8 counters that are about
// to pass a power of two.
void draw_timing(Call& call, Random random, const Fixed& fixed) {
  constexpr std::uint64_t powers[] = {1ull << 31, 1ull << 32, 1ull << 63, 0};
  Executor& executor = call.executor;
  if (executor.kind == ExecutorKind::late && random.coin()) executor.kind = ExecutorKind::fast;
  if (executor.kind == ExecutorKind::adversary && once_in(random, 3)) executor.kind = ExecutorKind::pct;
  if (call.tp <= most_tp && once_in(random, 20)) executor = {ExecutorKind::threads, random.word() % 1000};
  if (once_in(random, 8))
    call.counter = powers[random.between(0, 3)] - static_cast<std::uint64_t>(random.between(1, 9));
  executor = fixed.executor.value_or(executor);
  if (takes_rank(executor.kind)) executor.seed %= static_cast<std::uint64_t>(call.tp);
}

// What the device can: nine ranks' lanes at once, no threads, and tensor cores wherever there are some.
void draw_on_device(Call& call, Random random) {
  if (call.tp > most_tp) call.tp = random.between(2, most_tp);
  if (has_tensor_cores(call) && call.arithmetic == Arithmetic::f32) call.arithmetic = Arithmetic::hopper;
  if (call.executor.kind == ExecutorKind::threads) call.executor = {ExecutorKind::adversary, call.executor.seed};
  if (takes_rank(call.executor.kind)) call.executor.seed %= static_cast<std::uint64_t>(call.tp);
  call.executor.device = RunsOn::cuda;
}

// Once in eight the group is one of several, or its ranks have other numbers in the world; then any of those is late.
void draw_world(Call& call, Random random, const Fixed& fixed) {
  const Index most_ranks = fixed.device == RunsOn::cuda ? most_tp : 12;
  if (fixed.one_group || fixed.judge == JudgeChoice::relations) return;
  if (2 * call.tp > most_ranks || !once_in(random, 8)) return;
  const Index count = random.between(1, std::min<Index>(4, most_ranks / call.tp));
  call.world = count * call.tp;
  call.groups.dealing = static_cast<Dealing>(random.between(count == 1 ? 2 : 0, 3));
  if (takes_number(call.groups.dealing)) call.groups.number = static_cast<std::uint64_t>(random.between(0, 99));
  if (takes_rank(call.executor.kind))
    call.executor.seed = fixed.executor ? fixed.executor->seed % static_cast<std::uint64_t>(call.world)
                                        : static_cast<std::uint64_t>(random.between(0, call.world - 1));
}

// Once in six, the calls after the first are of other layers and passes, on the same Userbuffers.
void draw_layers(Case& a_case, Random random, const Fixed& fixed) {
  const Call& first = a_case.first();
  const bool may_change = !fixed.cell && !first.accumulate && first.recipe.kind != RecipeKind::delayed &&
                          fixed.judge != JudgeChoice::relations && a_case.calls.size() > 1;
  if (!may_change || !once_in(random, 6)) return;
  const auto cells = cells_where([&](const Cell& cell) {
    return cell.recipe == first.recipe.kind && cell.frozen == first.frozen &&
           (first.tp > 1 || !with_cell({}, cell).is_layer());
  });
  for (Call& call : a_case.calls) {
    if (&call != &a_case.calls.front()) call = resolved(with_cell(call, random.one_of(cells)));
    call.wire = call.dtype, call.first_gemm = false;
  }
}

// What exact data cannot do under FP8 on the wire: forget a history (oracle/inputs/planted_scales.h).
void remember(Case& a_case) {
  for (Call& call : a_case.calls)
    if (call.fp8_wire && call.data == Data::planted && a_case.calls.size() > 1) {
      call.recipe.amax = AmaxAlgorithm::max;
      call.recipe.history = std::max<Index>(call.recipe.history, std::ssize(a_case.calls));
    }
}

// Types in which exact data has room, or data that needs none.
void make_room(Case& a_case) {
  if (a_case.first().data != Data::planted) return;
  const auto with = [&](const auto& change) {
    if (!has_room(a_case)) std::ranges::for_each(a_case.calls, change);
  };
  with([](Call& call) {
    call.wire = call.dtype, call.fp8_wire = false;
    if (call.accumulate) call.accumulate = call.dtype;
  });
  with([](Call& call) {
    call.dtype = call.wire = DType::f32;
    if (call.accumulate) call.accumulate = DType::f32;
  });
  with([](Call& call) {
    call.data = Data::normal;
    if (call.executor.device == RunsOn::cuda && call.arithmetic == Arithmetic::f32) call.judge = JudgeChoice::bound;
  });
}

// What cannot show the layer, or does not fit, gives way to planted.
Data draw_data(const Case& a_case, Random& random) {
  const Call& call = a_case.first();
  const bool plain =
      !is_mixed(a_case) && !is_fp8(call.recipe) && !call.is_backward() && call.bias != BiasPlacement::after;
  constexpr Data real[] = {Data::normal, Data::same_sign, Data::cancel, Data::log_uniform, Data::specials};
  constexpr Data coded[] = {Data::rank_bits, Data::address, Data::chunk_bits, Data::wild};
  if (random.coin()) return real[random.coin() ? 0 : random.between(1, 4)];
  const Data data = random.coin() ? coded[random.between(0, 3)] : Data::planted;
  const bool fits = data == Data::rank_bits ? call.tp <= 8 && call.is_row()
                                            : data != Data::address || call.bias == BiasPlacement::none;
  return plain && fits ? data : Data::planted;
}

}  // namespace

Case draw_case(std::uint64_t seed, Index number, Index attempt, const Fixed& fixed) {
  Random shapes(seed, number), values(seed, number, attempt, 1);
  Call call;
  draw_group(call, shapes, fixed);
  draw_timing(call, Random(seed, number, 0, 2), fixed);
  if (fixed.device == RunsOn::cuda) draw_on_device(call, Random(seed, number, 0, 4));
  draw_world(call, Random(seed, number, 0, 5), fixed);
  Case a_case{.calls = {}};
  const Index calls = call.tp > most_tp || once_in(shapes, 2) ? 1 : shapes.between(2, 3);
  for (Index which = 0; which < calls; ++which) {
    const Index in = call.in, out = call.out;
    if (which == 0 || !once_in(shapes, 3)) draw_shape(call, shapes);
    if (which > 0 && call.accumulate) call.in = in, call.out = out;
    a_case.calls.push_back(resolved(call));
  }
  draw_layers(a_case, Random(seed, number, 0, 3), fixed);
  Data data = fixed.data.value_or(draw_data(a_case, values));
  if (fixed.judge == JudgeChoice::bound && data == Data::specials) data = Data::normal;
  // Of f32 operands on the device no order is declared.
  const bool is_open = fixed.device == RunsOn::cuda && call.arithmetic == Arithmetic::f32 && !is_exact(data);
  if (is_open && data == Data::specials) data = Data::normal;
  // Freivalds' check takes exact data within 59 bits, and wild data uses all exponents.
  const bool too_wide = !is_exact(data) || data == Data::wild;
  if (fixed.judge == JudgeChoice::freivalds && too_wide) data = Data::planted;
  const auto data_seed = static_cast<std::uint64_t>(values.between(0, 99'999));
  for (Call& each : a_case.calls) {
    each.data = data, each.seed = data_seed;
    if (is_open) each.judge = JudgeChoice::bound;
  }
  make_room(a_case);
  remember(a_case);
  return a_case;
}

}  // namespace lockstep
