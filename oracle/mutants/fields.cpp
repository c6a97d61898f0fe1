#include "oracle/mutants/fields.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

class Collect {
 public:
  Collect(const Plan& plan, std::vector<Field>& fields) : plan_(plan), fields_(fields) {}

  Field& number(const std::string& path, FieldClass kind, Index& value, Index stride = 0) {
    fields_.push_back({path, kind, value, 0, stride, [&value](Index to) { value = to; }});
    return fields_.back();
  }
  template <typename Enum>
  void choice(const std::string& path, FieldClass kind, Enum& value, Index choices) {
    fields_.push_back(
        {path, kind, static_cast<Index>(value), choices, 0, [&value](Index to) { value = static_cast<Enum>(to); }});
  }

  bool is_userbuffer(const Region& r) const {
    return plan_.buffers[static_cast<std::size_t>(r.buffer)].kind == BufferKind::userbuffer;
  }
  void region(const std::string& path, Region& r) {
    number(path + ".buffer", FieldClass::buffer, r.buffer);
    number(path + ".rank", FieldClass::peer, r.rank);
    number(path + ".offset", is_userbuffer(r) ? FieldClass::slot : FieldClass::offset, r.offset, r.ld);
    number(path + ".rows", FieldClass::extent, r.rows, r.ld);
    number(path + ".cols", FieldClass::extent, r.cols, r.ld);
    number(path + ".ld", FieldClass::leading_dimension, r.ld, r.ld);
  }
  // A part that may be missing.
  template <typename T>
  void part(const std::string& path, FieldClass kind, std::optional<T>& it) {
    if (it) fields_.push_back({.path = path, .kind = kind, .drop = [&it] { it.reset(); }});
  }
  void region(const std::string& path, FieldClass kind, std::optional<Region>& it) {
    part(path, kind, it);
    if (it) region(path, *it);
  }
  template <typename T>
  void list(const std::string& path, FieldClass kind, std::vector<T>& all) {
    if (!all.empty()) fields_.push_back({.path = path, .kind = kind, .drop = [&all] { all.clear(); }});
    for (Index i = 0; i < std::ssize(all); ++i) element(fmt::format("{}[{}]", path, i), kind, all, i);
  }
  template <typename T>
  void element(const std::string& path, FieldClass kind, std::vector<T>& all, Index i) {
    Field field{.path = path, .kind = kind};
    field.drop = [&all, i] { all.erase(all.begin() + i); };
    field.duplicate = [&all, i] { all.insert(all.begin() + i, T(all[static_cast<std::size_t>(i)])); };
    if (i + 1 < std::ssize(all)) field.swap = [&all, i] { std::iter_swap(all.begin() + i, all.begin() + i + 1); };
    fields_.push_back(std::move(field));
  }
  void regions(const std::string& path, FieldClass kind, std::vector<Region>& all) {
    list(path, kind, all);
    for (std::size_t i = 0; i < all.size(); ++i) region(fmt::format("{}[{}]", path, i), all[i]);
  }

  void scales(const std::string& path, Scales& s) {
    region(path + ".inverse", s.inverse);
    choice(path + ".grid", FieldClass::scale, s.grid, 3);
    number(path + ".block", FieldClass::scale, s.block);
    number(path + ".k_parts", FieldClass::scale, s.k_parts);
  }
  void operand(const std::string& path, Operand& o) {
    region(path + ".values", o.values);
    choice(path + ".transposed", FieldClass::layout, o.transposed, 2);
    part(path + ".scales", FieldClass::scale, o.scales);
    if (o.scales) scales(path + ".scales", *o.scales);
  }
  void type(const std::string& path, DType& value) { choice(path, FieldClass::format, value, std::ssize(all_dtypes)); }

  void operator()(Gemm& g) {
    operand("a", g.a), operand("b", g.b);
    region("c", FieldClass::accumulate, g.c);
    if (!g.c) fields_.push_back({.path = "c", .kind = FieldClass::accumulate, .add = [&g] { g.c = g.d; }});
    region("bias", FieldClass::bias, g.bias);
    region("d", g.d);
    region("scale_d", FieldClass::scale, g.scale_d);
    region("amax", FieldClass::amax, g.amax);
  }
  void operator()(Reduce& r) {
    regions("sources", FieldClass::source, r.sources);
    regions("scale_inv", FieldClass::scale, r.scale_inv);
    region("d", r.d);
    choice("reduction", FieldClass::source, r.reduction, 2);
    type("accumulate", r.accumulate);
  }
  void operator()(Copy& c) { region("from", c.from), region("to", c.to); }
  void operator()(Transpose& t) { region("from", t.from), region("to", t.to); }
  void operator()(Amax& a) { region("from", a.from), region("amax", a.amax); }
  void operator()(ScaleFromAmax& s) { region("amax", s.amax), type("format", s.format), region("scale", s.scale); }
  void operator()(UpdateScale& u) {
    region("amax", u.amax), region("history", u.history), type("format", u.format);
    choice("recipe.kind", FieldClass::recipe, u.recipe.kind, 5);
    choice("recipe.amax", FieldClass::recipe, u.recipe.amax, 2);
    number("recipe.history", FieldClass::recipe, u.recipe.history);
    number("recipe.margin", FieldClass::recipe, u.recipe.margin);
    region("scale", u.scale);
  }
  void operator()(Inverse& i) { region("scale", i.scale), region("inverse", i.inverse); }
  void operator()(QuantizeTensor& q) {
    region("from", q.from), region("scale", q.scale), region("to", q.to), region("scale_inv", q.scale_inv);
  }
  void operator()(QuantizeBlocks& q) {
    region("from", q.from), region("to", q.to);
    choice("transposed", FieldClass::layout, q.transposed, 2);
    choice("recipe", FieldClass::recipe, q.recipe, 5);
    scales("scales", q.scales);
  }
  void operator()(AddBias& a) { region("from", a.from), region("bias", a.bias), region("to", a.to); }
  void operator()(BiasGrad& b) { region("from", b.from), region("to", b.to); }
  void operator()(Signal& s) {
    number("counter", FieldClass::signal, s.counter), number("add", FieldClass::signal, s.add);
  }
  void operator()(Wait& w) {
    number("counter", FieldClass::signal, w.counter), number("value", FieldClass::signal, w.value);
  }
  void operator()(Begin&) {}
  void operator()(End&) {}

  void place(PlanOp& op) {
    number("rank", FieldClass::lane, op.rank), number("lane", FieldClass::lane, op.lane);
    for (std::size_t i = 0; i < op.after.size(); ++i) {
      element(fmt::format("after[{}]", i), FieldClass::edge, op.after, static_cast<Index>(i));
      fields_.back().swap = nullptr;  // edges have no order
      number(fmt::format("after[{}]", i), FieldClass::edge, op.after[i]);
    }
  }

 private:
  const Plan& plan_;
  std::vector<Field>& fields_;
};

}  // namespace

std::vector<Field> fields_of(const Plan& plan, PlanOp& op) {
  std::vector<Field> fields;
  Collect collect(plan, fields);
  std::visit(collect, op.body);
  collect.place(op);
  return fields;
}

}  // namespace lockstep
