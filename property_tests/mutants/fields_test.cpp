// Every field of every kind of operation is found, and each is another one.
#include "oracle/mutants/fields.h"

#include "property_tests/mutants/every_kind.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

// How many numbers and choices a thing holds, member by member from its declaration. One that is added there does not
// compile here until it is counted.
struct Count {
  template <typename Scalar>
  requires std::is_arithmetic_v<Scalar> || std::is_enum_v<Scalar> Index operator()(Scalar) const { return 1; }
  template <typename... Members>
  Index all(const Members&... members) const {
    return ((*this)(members) + ... + 0);
  }
  template <typename T>
  Index operator()(const std::optional<T>& it) const {
    return (*this)(it.value());
  }
  Index operator()(const std::vector<Region>& them) const { return all(them.at(0), them.at(1)); }
  Index operator()(const Region& it) const {
    const auto& [buffer, rank, offset, rows, cols, ld] = it;
    return all(buffer, rank, offset, rows, cols, ld);
  }
  Index operator()(const Scales& it) const {
    const auto& [inverse, grid, block, k_parts] = it;
    return all(inverse, grid, block, k_parts);
  }
  Index operator()(const Operand& it) const {
    const auto& [values, transposed, scales] = it;
    return all(values, transposed, scales);
  }
  Index operator()(const Recipe& it) const {
    const auto& [kind, amax, history, margin] = it;
    return all(kind, amax, history, margin);
  }

  Index operator()(const Begin&) const { return 0; }
  Index operator()(const End&) const { return 0; }
  Index operator()(const Gemm& it) const {
    const auto& [a, b, c, bias, d, scale_d, amax] = it;
    return all(a, b, c, bias, d, scale_d, amax);
  }
  Index operator()(const Reduce& it) const {
    const auto& [sources, scale_inv, d, reduction, accumulate] = it;
    return all(sources, scale_inv, d, reduction, accumulate);
  }
  Index operator()(const ScaleFromAmax& it) const {
    const auto& [amax, type, scale] = it;
    return all(amax, type, scale);
  }
  Index operator()(const UpdateScale& it) const {
    const auto& [amax, history, type, recipe, scale] = it;
    return all(amax, history, type, recipe, scale);
  }
  Index operator()(const QuantizeTensor& it) const {
    const auto& [from, scale, to, scale_inv] = it;
    return all(from, scale, to, scale_inv);
  }
  Index operator()(const QuantizeBlocks& it) const {
    const auto& [from, transposed, recipe, to, scales] = it;
    return all(from, transposed, recipe, to, scales);
  }
  Index operator()(const AddBias& it) const {
    const auto& [from, bias, to] = it;
    return all(from, bias, to);
  }
  template <typename OfTwo>
  Index two(const OfTwo& it) const {
    const auto& [one, other] = it;
    return all(one, other);
  }
  Index operator()(const Copy& it) const { return two(it); }
  Index operator()(const Transpose& it) const { return two(it); }
  Index operator()(const Amax& it) const { return two(it); }
  Index operator()(const Inverse& it) const { return two(it); }
  Index operator()(const BiasGrad& it) const { return two(it); }
  Index operator()(const Signal& it) const { return two(it); }
  Index operator()(const Wait& it) const { return two(it); }

  Index operator()(const PlanOp& it) const {
    const auto& [body, rank, lane, split, after] = it;
    static_assert(std::is_same_v<decltype(split), const Index>);  // a label, not counted
    return std::visit(*this, body) + all(rank, lane) + std::ssize(after);
  }
};

// The operations that one field each being set makes of `op`.
std::vector<PlanOp> with_each_field_set(const Plan& plan, const PlanOp& op) {
  PlanOp counted = op;
  const std::size_t fields = fields_of(plan, counted).size();
  std::vector<PlanOp> changed;
  for (std::size_t i = 0; i < fields; ++i) {
    PlanOp copy = op;
    const Field field = fields_of(plan, copy)[i];
    if (!field.set) continue;
    field.set(field.choices > 0 ? (field.value + 1) % field.choices : field.value + 1);
    changed.push_back(copy);
  }
  return changed;
}

TEST(Fields, EveryNumberAndChoiceOfEveryKindOfOperationIsOne) {
  const Plan plan = plan_of_every_kind();
  for (const PlanOp& op : plan.ops) {
    const auto changed = with_each_field_set(plan, op);
    EXPECT_EQ(std::ssize(changed), Count{}(op)) << "kind " << op.body.index();
    for (std::size_t i = 0; i < changed.size(); ++i) {
      EXPECT_NE(changed[i], op) << "kind " << op.body.index() << " field " << i;
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(changed[i], changed[j]) << i << " is " << j;
    }
  }
}

// [path] of what can be dropped, swapped, duplicated.
std::set<std::string> paths(const Plan& plan, PlanOp op, std::function<void()> Field::*of) {
  std::set<std::string> all;
  for (const Field& field : fields_of(plan, op))
    if (field.*of) all.insert(field.path);
  return all;
}

using Paths = std::set<std::string>;

TEST(Fields, EveryPartAndElementIsOne) {
  const Plan plan = plan_of_every_kind();
  const PlanOp &gemm = plan.ops[1], &reduce = plan.ops[2];
  EXPECT_EQ(paths(plan, gemm, &Field::drop),
            (Paths{"a.scales", "b.scales", "c", "bias", "scale_d", "amax", "after[0]"}));
  EXPECT_EQ(paths(plan, reduce, &Field::drop),
            (Paths{"sources", "sources[0]", "sources[1]", "scale_inv", "scale_inv[0]", "scale_inv[1]", "after[0]"}));
  EXPECT_EQ(paths(plan, reduce, &Field::duplicate),
            (Paths{"sources[0]", "sources[1]", "scale_inv[0]", "scale_inv[1]", "after[0]"}));
  EXPECT_EQ(paths(plan, reduce, &Field::swap), (Paths{"sources[0]", "scale_inv[0]"}));
}

TEST(Fields, AGemmThatAddsNothingCanAddWhatStandsInItsPlace) {
  const Plan plan = plan_of_every_kind();
  PlanOp op = plan.ops[1];
  std::get<Gemm>(op.body).c.reset();
  EXPECT_EQ(paths(plan, op, &Field::add), Paths{"c"});
  for (const Field& field : fields_of(plan, op))
    if (field.add) field.add();
  EXPECT_EQ(std::get<Gemm>(op.body).c, std::get<Gemm>(op.body).d);
}

TEST(Fields, OffsetsInUserbuffersAreSlots) {
  Plan plan = plan_of_every_kind();
  const auto classes = [&] {
    std::set<FieldClass> all;
    for (const Field& field : fields_of(plan, plan.ops[3])) all.insert(field.kind);
    return all;
  };
  EXPECT_TRUE(classes().contains(FieldClass::slot) && !classes().contains(FieldClass::offset));
  plan.buffers[0].kind = BufferKind::workspace;
  EXPECT_TRUE(classes().contains(FieldClass::offset) && !classes().contains(FieldClass::slot));
}

}  // namespace
}  // namespace lockstep
