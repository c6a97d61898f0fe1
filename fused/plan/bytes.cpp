#include "fused/plan/bytes.h"

#include "reference/contract/refusal.h"

#include <cstring>
#include <tuple>

namespace lockstep {
namespace {

// The fields of each structure, of a constant one and of one to be filled.
template <typename T, typename... Kinds>
concept is_one_of = (std::is_same_v<std::remove_const_t<T>, Kinds> || ...);

auto fields(is_one_of<Begin, End> auto&) { return std::tuple<>(); }
auto fields(is_one_of<Region> auto& r) { return std::tie(r.buffer, r.rank, r.offset, r.rows, r.cols, r.ld); }
auto fields(is_one_of<Scales> auto& s) { return std::tie(s.inverse, s.grid, s.block, s.k_parts); }
auto fields(is_one_of<Operand> auto& o) { return std::tie(o.values, o.transposed, o.scales); }
auto fields(is_one_of<Recipe> auto& r) { return std::tie(r.kind, r.amax, r.history, r.margin); }
auto fields(is_one_of<Gemm> auto& g) { return std::tie(g.a, g.b, g.c, g.bias, g.d, g.scale_d, g.amax); }
auto fields(is_one_of<Reduce> auto& r) { return std::tie(r.sources, r.scale_inv, r.d, r.reduction, r.accumulate); }
auto fields(is_one_of<Copy, Transpose> auto& c) { return std::tie(c.from, c.to); }
auto fields(is_one_of<Amax> auto& a) { return std::tie(a.from, a.amax); }
auto fields(is_one_of<ScaleFromAmax> auto& s) { return std::tie(s.amax, s.format, s.scale); }
auto fields(is_one_of<UpdateScale> auto& u) { return std::tie(u.amax, u.history, u.format, u.recipe, u.scale); }
auto fields(is_one_of<Inverse> auto& i) { return std::tie(i.scale, i.inverse); }
auto fields(is_one_of<QuantizeTensor> auto& q) { return std::tie(q.from, q.scale, q.to, q.scale_inv); }
auto fields(is_one_of<QuantizeBlocks> auto& q) { return std::tie(q.from, q.transposed, q.recipe, q.to, q.scales); }
auto fields(is_one_of<AddBias> auto& a) { return std::tie(a.from, a.bias, a.to); }
auto fields(is_one_of<BiasGrad> auto& b) { return std::tie(b.from, b.to); }
auto fields(is_one_of<Signal> auto& s) { return std::tie(s.counter, s.add); }
auto fields(is_one_of<Wait> auto& w) { return std::tie(w.counter, w.value); }
auto fields(is_one_of<Buffer> auto& b) { return std::tie(b.name, b.kind, b.dtype, b.elements, b.replicated); }
auto fields(is_one_of<PlanOp> auto& o) { return std::tie(o.body, o.rank, o.lane, o.split, o.after); }
auto fields(is_one_of<Counter> auto& c) { return std::tie(c.name, c.rank, c.bits, c.wraps); }
auto fields(is_one_of<Plan> auto& p) { return std::tie(p.buffers, p.counters, p.lanes, p.ranks, p.ops, p.groups); }
auto fields(is_one_of<Program> auto& p) { return std::tie(p.calls, p.counter_base); }

template <typename T>
concept Word = std::is_arithmetic_v<T> || std::is_enum_v<T>;

struct Writer {
  std::vector<std::byte> bytes{};

  void put(const Word auto& word) {
    const auto* first = reinterpret_cast<const std::byte*>(&word);
    bytes.insert(bytes.end(), first, first + sizeof(word));
  }
  template <typename T>
  void put(const std::vector<T>& all) {
    put(std::ssize(all));
    for (const T& one : all) put(one);
  }
  void put(const std::string& text) {
    put(std::ssize(text));
    for (char c : text) put(c);
  }
  template <typename T>
  void put(const std::optional<T>& maybe) {
    put(maybe.has_value());
    if (maybe) put(*maybe);
  }
  template <typename... T>
  void put(const std::variant<T...>& one) {
    put(one.index());
    std::visit([&](const auto& value) { put(value); }, one);
  }
  template <typename T>
  requires requires(const T& structure) { fields(structure); }
  void put(const T& structure) {
    std::apply([&](const auto&... field) { (put(field), ...); }, fields(structure));
  }
};

struct Reader {
  std::span<const std::byte> left;

  void get(Word auto& word) {
    CHECK(left.size() >= sizeof(word), "a program whose bytes end too early");
    std::memcpy(&word, left.data(), sizeof(word));
    left = left.subspan(sizeof(word));
  }
  template <typename List>
  void get_list(List& all) {
    std::ptrdiff_t size = 0;
    get(size);
    CHECK(size >= 0 && static_cast<std::size_t>(size) <= left.size(), "a list longer than the bytes of its program");
    all.resize(static_cast<std::size_t>(size));
    for (auto& one : all) get(one);
  }
  template <typename T>
  void get(std::vector<T>& all) {
    get_list(all);
  }
  void get(std::string& text) { get_list(text); }
  template <typename T>
  void get(std::optional<T>& maybe) {
    bool has_value = false;
    get(has_value);
    if (has_value) get(maybe.emplace());
  }
  template <typename... T>
  void get(std::variant<T...>& one) {
    std::size_t index = 0, turn = 0;
    get(index);
    CHECK(index < sizeof...(T), "an operation of no kind");
    ((turn++ == index ? get(one.template emplace<T>()) : void()), ...);
  }
  template <typename T>
  requires requires(T& structure) { fields(structure); }
  void get(T& structure) {
    std::apply([&](auto&... field) { (get(field), ...); }, fields(structure));
  }
};

}  // namespace

std::vector<std::byte> bytes_of(const Program& program) {
  Writer writer;
  writer.put(program);
  return std::move(writer.bytes);
}

Program program_of_bytes(std::span<const std::byte> bytes) {
  Program program;
  Reader reader{bytes};
  reader.get(program);
  CHECK(reader.left.empty(), "bytes after the end of a program");
  return program;
}

}  // namespace lockstep
