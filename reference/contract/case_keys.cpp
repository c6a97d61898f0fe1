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

constexpr Index max_extent = Index{1} << 40;
constexpr std::uint64_t max_seed = ~std::uint64_t{0};
constexpr std::array<std::string_view, 2> kernels{"gemm_rs", "row_linear"};
constexpr std::array<std::string_view, 3> storage_types{"f32", "bf16", "fp16"};
constexpr std::array<std::string_view, 2> biases{"none", "per_rank"};
constexpr std::array<std::string_view, 1> methods{"pipeline"};
constexpr std::array<std::string_view, 4> data_names{"planted", "rank_bits", "address", "normal"};
constexpr std::array<std::string_view, 3> executors{"sequential", "adversary", "provenance"};
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

Executor executor_of(std::string_view text) {
  const auto colon = text.find(':');
  const auto kind = static_cast<ExecutorKind>(choice("executor", text.substr(0, colon), executors));
  if ((kind == ExecutorKind::adversary) != (colon != text.npos)) refuse_value("executor", text);
  if (kind != ExecutorKind::adversary) return {kind, 0};
  return {kind, number<std::uint64_t>("executor", text.substr(colon + 1), 0, max_seed)};
}

std::string print_executor(const Executor& executor) {
  const std::string kind = name_of(executor.kind, executors);
  return executor.kind == ExecutorKind::adversary ? fmt::format("{}:{}", kind, executor.seed) : kind;
}

std::string fault_of(std::string_view text) {
  const auto colon = text.find(':');
  const auto id = text.substr(0, colon);
  if (id.empty() || id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != id.npos)
    refuse_value("fault", text);
  if (colon != text.npos) count("fault", text.substr(colon + 1), 0, max_extent);
  return id == "none" ? "" : std::string(text);
}

constexpr std::array table{
    Key{"op", "gemm_rs (the kernel) or row_linear (the layer, through the fuser)", false,
        [](Call& c, std::string_view v) { c.op = static_cast<Kernel>(choice("op", v, kernels)); },
        [](const Call& c) { return name_of(c.op, kernels); }},
    Key{"tp", "a whole number from 1 to 72", false,
        [](Call& c, std::string_view v) { c.tp = count("tp", v, 1, max_tp); },
        [](const Call& c) { return std::to_string(c.tp); }},
    Key{"tokens", extent_allowed, true,
        [](Call& c, std::string_view v) { c.tokens = count("tokens", v, 0, max_extent); },
        [](const Call& c) { return std::to_string(c.tokens); }},
    Key{"in", extent_allowed, true, [](Call& c, std::string_view v) { c.in = count("in", v, 0, max_extent); },
        [](const Call& c) { return std::to_string(c.in); }},
    Key{"out", extent_allowed, true, [](Call& c, std::string_view v) { c.out = count("out", v, 0, max_extent); },
        [](const Call& c) { return std::to_string(c.out); }},
    Key{"dtype", type_allowed, false, [](Call& c, std::string_view v) { c.dtype = storage_type("dtype", v); },
        [](const Call& c) { return std::string(name(c.dtype)); }},
    Key{"wire", type_allowed, false, [](Call& c, std::string_view v) { c.wire = storage_type("wire", v); },
        [](const Call& c) { return std::string(name(c.wire)); }},
    Key{"bias", "none or per_rank", true,
        [](Call& c, std::string_view v) { c.bias = static_cast<BiasPlacement>(choice("bias", v, biases)); },
        [](const Call& c) { return name_of(c.bias, biases); }},
    Key{"method", "pipeline", true,
        [](Call& c, std::string_view v) { c.method = static_cast<Method>(choice("method", v, methods)); },
        [](const Call& c) { return name_of(c.method, methods); }},
    Key{"splits", "a whole number from 1 to 1024", true,
        [](Call& c, std::string_view v) { c.splits = count("splits", v, 1, max_splits); },
        [](const Call& c) { return std::to_string(c.splits); }},
    Key{"data", "planted, rank_bits, address or normal", true,
        [](Call& c, std::string_view v) { c.data = static_cast<Data>(choice("data", v, data_names)); },
        [](const Call& c) { return name_of(c.data, data_names); }},
    Key{"seed", "a whole number from 0 to 2^64 - 1", true,
        [](Call& c, std::string_view v) { c.seed = number<std::uint64_t>("seed", v, 0, max_seed); },
        [](const Call& c) { return std::to_string(c.seed); }},
    Key{"executor", "sequential, adversary:SEED or provenance", false,
        [](Call& c, std::string_view v) { c.executor = executor_of(v); },
        [](const Call& c) { return print_executor(c.executor); }},
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
