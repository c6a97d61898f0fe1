// The keys of the case line, in the order in which they are printed.
#include "reference/contract/case.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <array>
#include <charconv>

namespace lockstep {
namespace {

[[noreturn]] void refuse_value(std::string_view key, std::string_view value) {
  refuse("{}={}: {} is {}", key, in_quotes(value), key, key_named(key).allowed);
}

template <typename Number>
Number number(std::string_view key, std::string_view text, Number least, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    refuse_value(key, text);
  return value;
}

Index count(std::string_view key, std::string_view text, Index least, Index most) {
  return number<Index>(key, text, least, most);
}

// The names of an enumeration's values, in the order of the values.
template <std::size_t N>
std::size_t choice(std::string_view key, std::string_view text, const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == text) return i;
  refuse_value(key, text);
}

constexpr Index max_extent = Index{1} << 40, max_history = 1024, max_margin = 8;
constexpr std::uint64_t max_number = ~std::uint64_t{0};
constexpr std::array<std::string_view, 5> kernels{"gemm_rs", "ag_gemm", "gemm_ar", "row_linear", "column_linear"};
constexpr std::array<std::string_view, 4> dealings{"block", "strided", "offset", "permuted"};
constexpr std::array<std::string_view, 3> passes{"forward", "backward", "both"};
constexpr std::array<std::string_view, 3> storage_types{"f32", "bf16", "fp16"};
constexpr std::array<std::string_view, 3> biases{"none", "per_rank", "after"};
constexpr std::array<std::string_view, 5> recipes{"none", "delayed", "current", "block128", "mxfp8"};
constexpr std::array<std::string_view, 2> amax_algorithms{"max", "most_recent"};
constexpr std::array<std::string_view, 5> methods{"default", "pipeline", "ring_exchange", "accumulate", "bulk"};
constexpr std::array<std::string_view, 2> yes_or_no{"0", "1"};
constexpr std::array<std::string_view, 10> data_names{"planted", "rank_bits", "chunk_bits", "address",     "wild",
                                                      "normal",  "same_sign", "cancel",     "log_uniform", "specials"};
constexpr std::array<std::string_view, 3> arithmetics{"f32", "hopper", "hopper_fast"};
constexpr std::array<std::string_view, 4> judges{"strongest", "bound", "freivalds", "relations"};
constexpr std::array<std::string_view, 8> executors{"sequential", "adversary", "pct", "late",
                                                    "fast",       "threads",   "mpi", "provenance"};
constexpr std::array<std::string_view, 2> devices{"host", "cuda"};
constexpr std::string_view extent_allowed = "a whole number from 0 to 2^40";
constexpr std::string_view type_allowed = "f32, bf16 or fp16";

template <typename Enum, std::size_t N>
std::string name_of(Enum value, const std::array<std::string_view, N>& names) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

DType storage_type(std::string_view key, std::string_view text) {
  choice(key, text, storage_types);
  return dtype_named(text);
}

// The types that `key` may have, with one more word.
std::optional<DType> storage_type_or(std::string_view key, std::string_view text, std::string_view other) {
  if (text == other) return {};
  return storage_type(key, text);
}

bool takes_number(ExecutorKind kind) { return takes_rank(kind) || takes_seed(kind); }

Executor executor_of(std::string_view text) {
  const auto colon = text.find(':');
  const auto kind = static_cast<ExecutorKind>(choice("executor", text.substr(0, colon), executors));
  const bool has_number = colon != text.npos;
  if (kind == ExecutorKind::mpi && !has_number) return {kind, 0};
  if (takes_number(kind) != has_number) refuse_value("executor", text);
  if (!takes_number(kind)) return {kind, 0};
  const std::uint64_t most = takes_rank(kind) ? max_world - 1 : max_number;
  std::uint64_t seed = 0;
  const auto digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (error != std::errc{} || end != digits.data() + digits.size() || seed > most)
    refuse("executor={}: what follows the colon is a {} from 0 to {}", in_quotes(text),
           takes_rank(kind) ? "rank" : "seed", most);
  return {kind, seed, RunsOn::host};
}

std::string print_executor(const Executor& executor) {
  const std::string kind = name_of(executor.kind, executors);
  const bool is_left_out = executor.kind == ExecutorKind::mpi && executor.seed == 0;
  return takes_number(executor.kind) && !is_left_out ? fmt::format("{}:{}", kind, executor.seed) : kind;
}

Groups groups_named(std::string_view text) {
  const auto colon = text.find(':');
  const auto dealing = static_cast<Dealing>(choice("groups", text.substr(0, colon), dealings));
  if (takes_number(dealing) != (colon != text.npos)) refuse_value("groups", text);
  if (!takes_number(dealing)) return {dealing, 0};
  return {dealing, number<std::uint64_t>("groups", text.substr(colon + 1), 0, max_number)};
}

std::string print_groups(const Groups& groups) {
  const std::string dealing = name_of(groups.dealing, dealings);
  return takes_number(groups.dealing) ? fmt::format("{}:{}", dealing, groups.number) : dealing;
}

std::string fault_of(std::string_view text) {
  const auto colon = text.find(':');
  const auto id = text.substr(0, colon);
  if (id.empty() || id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != id.npos)
    refuse_value("fault", text);
  if (colon != text.npos && id == "none") refuse_value("fault", text);
  if (colon != text.npos) count("fault", text.substr(colon + 1), 0, max_extent);
  return id == "none" ? "" : std::string(text);
}

constexpr std::array table{
    Key{"op", "a kernel (gemm_rs, ag_gemm, gemm_ar) or a layer through the fuser (row_linear, column_linear)", true,
        [](Call& c, std::string_view v) { c.op = static_cast<Kernel>(choice("op", v, kernels)); },
        [](const Call& c) { return name_of(c.op, kernels); }},
    Key{"pass", "forward, backward or both", true,
        [](Call& c, std::string_view v) { c.pass = static_cast<Pass>(choice("pass", v, passes)); },
        [](const Call& c) { return name_of(c.pass, passes); }},
    Key{"tp", "a whole number from 1 to 72", false,
        [](Call& c, std::string_view v) { c.tp = count("tp", v, 1, max_tp); },
        [](const Call& c) { return std::to_string(c.tp); }},
    Key{"world", "a whole number from 1 to 576, a multiple of tp: the ranks of all groups", false,
        [](Call& c, std::string_view v) { c.world = count("world", v, 1, max_world); },
        [](const Call& c) { return std::to_string(c.ranks()); }},
    Key{"groups", "block, strided, offset:N or permuted:SEED: which ranks of the world are a group", false,
        [](Call& c, std::string_view v) { c.groups = groups_named(v); },
        [](const Call& c) { return print_groups(c.groups); }},
    Key{"tokens", extent_allowed, true,
        [](Call& c, std::string_view v) { c.tokens = count("tokens", v, 0, max_extent); },
        [](const Call& c) { return std::to_string(c.tokens); }},
    Key{"in", extent_allowed, true, [](Call& c, std::string_view v) { c.in = count("in", v, 0, max_extent); },
        [](const Call& c) { return std::to_string(c.in); }},
    Key{"out", extent_allowed, true, [](Call& c, std::string_view v) { c.out = count("out", v, 0, max_extent); },
        [](const Call& c) { return std::to_string(c.out); }},
    Key{"dtype", type_allowed, false, [](Call& c, std::string_view v) { c.dtype = storage_type("dtype", v); },
        [](const Call& c) { return std::string(name(c.dtype)); }},
    Key{"wire", "f32, bf16, fp16 or fp8", false,
        [](Call& c, std::string_view v) {
          const auto type = storage_type_or("wire", v, "fp8");
          c.fp8_wire = !type, c.wire = type.value_or(DType::bf16);
        },
        [](const Call& c) { return c.fp8_wire ? "fp8" : std::string(name(c.wire)); }},
    Key{"bias", "none, per_rank (before the reduction) or after (it)", true,
        [](Call& c, std::string_view v) { c.bias = static_cast<BiasPlacement>(choice("bias", v, biases)); },
        [](const Call& c) { return name_of(c.bias, biases); }},
    Key{"recipe", "none, delayed, current, block128 or mxfp8", false,
        [](Call& c, std::string_view v) { c.recipe.kind = static_cast<RecipeKind>(choice("recipe", v, recipes)); },
        [](const Call& c) { return name_of(c.recipe.kind, recipes); }},
    Key{"amax", "max or most_recent: what delayed scaling takes from the history", false,
        [](Call& c, std::string_view v) {
          c.recipe.amax = static_cast<AmaxAlgorithm>(choice("amax", v, amax_algorithms));
        },
        [](const Call& c) { return name_of(c.recipe.amax, amax_algorithms); }},
    Key{"history", "a whole number from 1 to 1024: the length of the amax history", false,
        [](Call& c, std::string_view v) { c.recipe.history = count("history", v, 1, max_history); },
        [](const Call& c) { return std::to_string(c.recipe.history); }},
    Key{"margin", "a whole number from 0 to 8: delayed scales are divided by 2^margin", false,
        [](Call& c, std::string_view v) { c.recipe.margin = count("margin", v, 0, max_margin); },
        [](const Call& c) { return std::to_string(c.recipe.margin); }},
    Key{"method", "default, pipeline, ring_exchange, accumulate or bulk: how the forward pass overlaps", true,
        [](Call& c, std::string_view v) { c.method = static_cast<Method>(choice("method", v, methods)); },
        [](const Call& c) { return name_of(c.method, methods); }},
    Key{"dgrad", "default, pipeline, ring_exchange, accumulate or bulk: how the input's gradient overlaps", true,
        [](Call& c, std::string_view v) { c.dgrad = static_cast<Method>(choice("dgrad", v, methods)); },
        [](const Call& c) { return name_of(c.dgrad, methods); }},
    Key{"splits", "a whole number from 1 to 1024", true,
        [](Call& c, std::string_view v) { c.splits = count("splits", v, 1, max_splits); },
        [](const Call& c) { return std::to_string(c.splits); }},
    Key{"aggregate", "0 or 1: a ring all-gather moves two chunks at a time", true,
        [](Call& c, std::string_view v) { c.aggregate = choice("aggregate", v, yes_or_no) == 1; },
        [](const Call& c) { return std::string(yes_or_no[c.aggregate]); }},
    Key{"first_gemm", "0 or 1: a pipeline launches a GEMM before the reduction of the split before it", true,
        [](Call& c, std::string_view v) { c.first_gemm = choice("first_gemm", v, yes_or_no) == 1; },
        [](const Call& c) { return std::string(yes_or_no[c.first_gemm]); }},
    Key{"frozen", "0 or 1: the weight needs no gradient", false,
        [](Call& c, std::string_view v) { c.frozen = choice("frozen", v, yes_or_no) == 1; },
        [](const Call& c) { return std::string(yes_or_no[c.frozen]); }},
    Key{"accumulate", "none, f32, bf16 or fp16: the type of the main gradient that dW is added to", false,
        [](Call& c, std::string_view v) { c.accumulate = storage_type_or("accumulate", v, "none"); },
        [](const Call& c) { return c.accumulate ? std::string(name(*c.accumulate)) : "none"; }},
    Key{"arithmetic", "f32, hopper or hopper_fast: of the GEMMs", false,
        [](Call& c, std::string_view v) {
          c.arithmetic = static_cast<Arithmetic>(choice("arithmetic", v, arithmetics));
        },
        [](const Call& c) { return name_of(c.arithmetic, arithmetics); }},
    Key{"data",
        "planted, rank_bits, chunk_bits, address or wild (exact), normal, same_sign, cancel, log_uniform or specials",
        false, [](Call& c, std::string_view v) { c.data = static_cast<Data>(choice("data", v, data_names)); },
        [](const Call& c) { return name_of(c.data, data_names); }},
    Key{"seed", "a whole number from 0 to 2^64 - 1", true,
        [](Call& c, std::string_view v) { c.seed = number<std::uint64_t>("seed", v, 0, max_number); },
        [](const Call& c) { return std::to_string(c.seed); }},
    Key{"judge", "strongest, bound, freivalds or relations", false,
        [](Call& c, std::string_view v) { c.judge = static_cast<JudgeChoice>(choice("judge", v, judges)); },
        [](const Call& c) { return name_of(c.judge, judges); }},
    Key{"sample", "0 (every element is judged) or the number of rows and columns of every part that are, up to 1024",
        false, [](Call& c, std::string_view v) { c.sample = count("sample", v, 0, 1024); },
        [](const Call& c) { return std::to_string(c.sample); }},
    Key{"executor",
        "sequential, adversary:SEED, pct:SEED, late:RANK, fast:RANK, threads:SEED, mpi, mpi:SEED or provenance", false,
        [](Call& c, std::string_view v) {
          const RunsOn device = c.executor.device;
          c.executor = executor_of(v), c.executor.device = device;
        },
        [](const Call& c) { return print_executor(c.executor); }},
    Key{"device", "host or cuda", false,
        [](Call& c, std::string_view v) { c.executor.device = static_cast<RunsOn>(choice("device", v, devices)); },
        [](const Call& c) { return name_of(c.executor.device, devices); }},
    Key{"counter", "a whole number from 0 to 2^64 - 1: what every counter of the Userbuffers starts from", false,
        [](Call& c, std::string_view v) { c.counter = number<std::uint64_t>("counter", v, 0, max_number); },
        [](const Call& c) { return std::to_string(c.counter); }},
    Key{"fault", "none, or an id of `lockstep faults list`, with :SITE for one site of it", false,
        [](Call& c, std::string_view v) { c.fault = fault_of(v); },
        [](const Call& c) { return c.fault.empty() ? "none" : c.fault; }},
};

}  // namespace

std::span<const Key> keys() { return table; }

const Key& key_named(std::string_view name) {
  for (const Key& key : table)
    if (key.name == name) return key;
  std::string known;
  for (const Key& key : table) known += fmt::format("{}{}", known.empty() ? "" : ", ", key.name);
  refuse("the case line has no key {}: the keys are {}, calls", in_quotes(name), known);
}

}  // namespace lockstep
