// Freivalds' check of whole cases against the comparison with the reference: the same differences, element by element,
// on all that is a sum of products.
#include "oracle/judges/freivalds/freivalds_case.h"

#include "oracle/campaign/draw.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "oracle/inputs/random.h"
#include "oracle/judges/expected.h"
#include "oracle/judges/observe.h"
#include "property_tests/refusal_by.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {

bool operator==(const Difference& a, const Difference& b) {
  return std::tie(a.call, a.rank, a.output, a.row, a.col, a.type, a.got, a.want) ==
         std::tie(b.call, b.rank, b.output, b.row, b.col, b.type, b.got, b.want);
}

bool operator==(const Comparison& a, const Comparison& b) {
  return std::tie(a.compared, a.differing, a.poisoned, a.first, a.outputs, a.calls, a.ranks, a.splits, a.rows,
                  a.cols) ==
         std::tie(b.compared, b.differing, b.poisoned, b.first, b.outputs, b.calls, b.ranks, b.splits, b.rows, b.cols);
}

void PrintTo(const Comparison& comparison, std::ostream* out) {
  *out << comparison.differing << " of " << comparison.compared << " differ";
  for (const Difference& d : comparison.first)
    *out << fmt::format("; call {} rank {} {} [{}, {}] got {} want {}", d.call, d.rank, d.output, d.row, d.col,
                        decode(d.type, d.got), decode(d.type, d.want));
}

namespace {

using Outputs = std::vector<NamedTensors>;

bool is_product(std::string_view output) { return !output.starts_with("scale.") && !output.starts_with("history."); }

// A case with what goes in and what must come out.
struct Known {
  Case a_case;
  Outputs inputs = make_inputs(a_case), wanted = expected(a_case, inputs);

  Comparison by_reference(const Outputs& outputs) const {
    Comparison comparison;
    for (std::size_t call = 0; call < wanted.size(); ++call)
      for (const auto& [name, ranks] : wanted[call])
        for (std::size_t rank = 0; is_product(name) && rank < ranks.size(); ++rank) {
          compare(comparison, a_case.calls[call], static_cast<Index>(call), static_cast<Index>(rank), name,
                  outputs[call].at(name)[rank], ranks[rank]);
        }
    return comparison;
  }
  Comparison by_freivalds(const Outputs& outputs) const { return compare_by_freivalds(a_case, inputs, outputs); }
  Observed observed(const Program& program) const {
    return observe(program, inputs, wanted, a_case.first().executor, a_case.first().arithmetic);
  }
};

Case planted_case(std::uint64_t seed, Index number, const std::optional<Cell>& cell = {},
                  const std::string& fault = "") {
  return draw_case(seed, number, 0,
                   {.data = Data::planted, .executor = {}, .fault = fault, .cell = cell, .one_group = true});
}

void expect_agreement(const Known& known) {
  const Comparison comparison = known.by_freivalds(known.observed(correct_program(known.a_case)).outputs);
  EXPECT_EQ(comparison, known.by_reference(known.wanted)) << print(known.a_case);
  EXPECT_EQ(comparison.differing, 0) << print(known.a_case);
}

// All tensors with an element that is a product, by address.
std::vector<Tensor*> products(Outputs& outputs) {
  std::vector<Tensor*> tensors;
  for (NamedTensors& of_call : outputs)
    for (auto& [name, ranks] : of_call)
      for (Tensor& tensor : ranks)
        if (is_product(name) && !tensor.bytes.empty()) tensors.push_back(&tensor);
  return tensors;
}

// One element of any output, of any other code.
void expect_element_found(const Known& known, Random& random) {
  Outputs outputs = known.wanted;
  const auto tensors = products(outputs);
  if (tensors.empty()) return;
  Tensor& tensor = *random.one_of(tensors);
  const Index i = random.between(0, tensor.rows - 1), j = random.between(0, tensor.cols - 1);
  const auto flip = static_cast<std::uint32_t>(random.between(1, (Index{1} << format(tensor.dtype).bits) - 1));
  set_code(tensor, i, j, code_at(tensor, i, j) ^ flip);
  const Comparison comparison = known.by_freivalds(outputs);
  EXPECT_EQ(comparison.differing, 1) << print(known.a_case);
  EXPECT_EQ(comparison, known.by_reference(outputs)) << print(known.a_case);
}

TEST(FreivaldsCase, AgreesInEveryCellAndFindsAnElement) {
  Random random(1);
  Index number = 0;
  for (const Cell& cell : all_cells()) {
    const Known known{planted_case(1, number++, cell)};
    expect_agreement(known);
    expect_element_found(known, random);
  }
}

void expect_on_random_cases(Index cases, Index elements) {
  Random random(2);
  for (Index number = 0; number < cases; ++number) {
    const Known known{planted_case(2, number)};
    expect_agreement(known);
    for (Index n = 0; n < elements; ++n) expect_element_found(known, random);
  }
}

TEST(FreivaldsCase, AgreesOnRandomCasesAndFindsElements) { expect_on_random_cases(100, 5); }
TEST(FreivaldsCase, AgreesOnRandomCasesAndFindsElementsNightly) { expect_on_random_cases(3000, 20); }

TEST(FreivaldsCase, TakesAllExactData) {
  for (const char* line : {"op=gemm_rs tp=3 tokens=9 in=7 out=5 data=rank_bits",
                           "op=gemm_ar tp=8 tokens=9 in=5 out=7 data=rank_bits bias=per_rank calls=2",
                           "op=ag_gemm tp=3 tokens=8 in=20 out=30 data=address bias=none",
                           "op=gemm_rs tp=4 tokens=8 in=70 out=90 data=address bias=none dtype=f32 wire=f32",
                           "op=gemm_rs tp=2 tokens=0 in=3 out=4", "op=row_linear tp=3 tokens=4 in=0 out=4 pass=both"}) {
    const Known known{parse_case(line)};
    expect_agreement(known);
    Random random(3);
    for (int n = 0; n < 20; ++n) expect_element_found(known, random);
  }
}

// Whether the case shows its fault. Freivalds' check says what the comparison with the reference says.
bool shows_fault(const Known& known) {
  const Observed observed = known.observed(program_of(known.a_case));
  if (!observed.walked.finished) return false;
  const Comparison comparison = known.by_freivalds(observed.outputs);
  EXPECT_EQ(comparison, known.by_reference(observed.outputs)) << print(known.a_case);
  return comparison.differing > 0;
}

// Of the faults of the catalogue, how many show in one of so many cases that they strike.
Index faults_seen(Index cases) {
  Index seen = 0;
  for (const Fault& fault : fault_catalogue()) {
    if (is_of_the_program(fault.kind)) continue;
    bool shows = false;
    for (Index number = 0, struck = 0; struck < cases && number < 100 * cases; ++number) {
      const Case a_case = planted_case(3, number, {}, std::string(fault.id));
      if (!is_struck(a_case)) continue;
      ++struck;
      shows |= shows_fault({a_case});
    }
    seen += shows ? 1 : 0;
  }
  return seen;
}

// All but those of timing and precision, which exact data does not show, and of scales that are not used in the call.
TEST(FreivaldsCase, SeesFaultsAsTheReferenceDoes) { EXPECT_GE(faults_seen(4), 25); }
TEST(FreivaldsCase, SeesFaultsAsTheReferenceDoesNightly) { EXPECT_GE(faults_seen(200), 33); }

TEST(FreivaldsCase, RefusesWhatItCannotJudge) {
  const Known normal{parse_case("data=normal")};
  EXPECT_THAT(refusal_by([&] { normal.by_freivalds(normal.wanted); }), testing::HasSubstr("data=normal"));
  const Known known{parse_case("op=row_linear pass=both tp=2")};
  EXPECT_THAT(refusal_by([&] { known.by_freivalds({}); }), testing::HasSubstr("outputs of 0"));
  Outputs outputs = known.wanted;
  outputs[0].erase("dx");
  EXPECT_THAT(refusal_by([&] { known.by_freivalds(outputs); }), testing::HasSubstr("call 0 has no dx"));
  outputs = known.wanted, outputs[0]["dw"].pop_back();
  EXPECT_THAT(refusal_by([&] { known.by_freivalds(outputs); }), testing::HasSubstr("dw of call 0 has 1 ranks"));
  outputs = known.wanted, outputs[0]["y"][1] = poisoned(DType::bf16, 3, 8);
  EXPECT_THAT(refusal_by([&] { known.by_freivalds(outputs); }),
              testing::HasSubstr("y of call 0 of rank 1 is 3 x 8: by the case it is 4 x 8"));
}

}  // namespace
}  // namespace lockstep
