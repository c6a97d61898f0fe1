// Recordings that somebody tampered with: each tampering, at a random place of each recording, is read as what it is,
// on normal and on exact data, to the bit and to within a bound.
#include "oracle/diagnosis/recorded/explain.h"

#include "oracle/diagnosis/recorded/whole_output.h"
#include "oracle/inputs/random.h"
#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "property_tests/oracle/recordings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::Contains;
using testing::Field;
using testing::StartsWith;

constexpr int tries = 3;

struct Subject {
  std::string name;
  std::function<Recording()> make;
};

Tensor whole_numbers(DType type, Index rows, Index cols, Random& random) {
  Matrix m(rows, cols);
  for (float& value : m.values) value = static_cast<float>(random.between(-3, 3));
  return encode(type, m);
}

// Every sum of it is exact, in any order.
Recording exact_layer(bool reduces) {
  Random random(31);
  RecordedLayer layer;
  layer.kernel = reduces ? RecordedKernel::gemm_reduce_scatter : RecordedKernel::all_gather_gemm;
  layer.problem.tp = 3, layer.problem.tokens = 31, layer.problem.in = 60, layer.problem.out = 30;
  for (Index rank = 0; rank < 3; ++rank) {
    const Index tokens = layer.problem.tokens_of(rank).size();
    layer.ranks.push_back({{.input = whole_numbers(DType::bf16, reduces ? 31 : tokens, reduces ? 20 : 60, random),
                            .weight = whole_numbers(DType::bf16, reduces ? 30 : 10, reduces ? 20 : 60, random)},
                           {DType::f32, reduces ? tokens : 31, reduces ? 30 : 10, {}}});
  }
  const std::vector<Tensor> outputs = declared_outputs(layer);
  for (std::size_t rank = 0; rank < 3; ++rank) layer.ranks[rank].output = outputs[rank];
  return layer;
}

Recording exact_gemm() {
  Random random(37);
  RecordedGemm recorded;
  recorded.inputs.input = whole_numbers(DType::fp16, 40, 70, random);
  recorded.inputs.weight = whole_numbers(DType::fp16, 30, 70, random);
  recorded.inputs.bias = whole_numbers(DType::f32, 1, 30, random);
  recorded.output = declared_outputs(recorded)[0];
  return recorded;
}

std::vector<Subject> subjects() {
  std::vector<Subject> all{{"exact_reduction", [] { return exact_layer(true); }},
                           {"exact_gather", [] { return exact_layer(false); }},
                           {"exact_gemm", exact_gemm}};
  for (const std::string& path : recording_paths())
    all.push_back({std::filesystem::path(path).stem().string(), [=] { return read_recording(path); }});
  return all;
}

class Tampered : public testing::TestWithParam<std::tuple<Subject, Precision>> {
 protected:
  Recording recording = std::get<0>(GetParam()).make();
  const Precision precision = std::get<1>(GetParam());

  Tensor& output(std::size_t rank) {
    if (auto* gemm = std::get_if<RecordedGemm>(&recording)) return gemm->output;
    return std::get<RecordedLayer>(recording).ranks[rank].output;
  }
  WholeOutput whole() const {
    return std::visit([](const auto& recorded) { return whole_output(recorded); }, recording);
  }
  RecordedExplanation explained() const {
    return std::visit([&](const auto& recorded) { return explain(recorded, precision); }, recording);
  }
  // Which rank holds an element of the whole, and its code there.
  std::size_t rank_of(Index row, Index col) const {
    const auto parts = whole().parts;
    return static_cast<std::size_t>(
        std::ranges::find_if(parts, [&](const Block& b) { return b.rows.contains(row) && b.cols.contains(col); }) -
        parts.begin());
  }
  std::uint32_t code(Index row, Index col) {
    const std::size_t rank = rank_of(row, col);
    const Block part = whole().parts[rank];
    return code_at(output(rank), row - part.rows.begin, col - part.cols.begin);
  }
  void put(Index row, Index col, std::uint32_t code) {
    const std::size_t rank = rank_of(row, col);
    const Block part = whole().parts[rank];
    set_code(output(rank), row - part.rows.begin, col - part.cols.begin, code);
  }
  // Each element becomes the one at f(row, column).
  template <typename F>
  void rearrange(const F& f) {
    const Shape shape = whole().shape;
    std::vector<std::uint32_t> codes;
    for (Index i = 0; i < shape.rows; ++i)
      for (Index j = 0; j < shape.cols; ++j)
        codes.push_back(std::apply([&](Index r, Index c) { return code(r, c); }, f(i, j)));
    for (Index i = 0; i < shape.rows; ++i)
      for (Index j = 0; j < shape.cols; ++j) put(i, j, codes[static_cast<std::size_t>(i * shape.cols + j)]);
  }
  DType type() { return output(0).dtype; }
};

// Two ranges of one length that do not overlap.
struct Exchange {
  Range first, second;
  Index other(Index i) const {
    return first.contains(i) ? i - first.begin + second.begin : second.contains(i) ? i - second.begin + first.begin : i;
  }
  std::string words(std::string_view thing) const {
    if (first.size() == 1) return fmt::format("{}s {} and {} exchanged", thing, first.begin, second.begin);
    return fmt::format("{}s {}..{} and {}..{} exchanged", thing, first.begin, first.end - 1, second.begin,
                       second.end - 1);
  }
};

Exchange random_exchange(Index length, Random& random) {
  const Index size = random.between(1, length / 2), first = random.between(0, length - 2 * size),
              second = random.between(first + size, length - size);
  return {{first, first + size}, {second, second + size}};
}

TEST_P(Tampered, ItIsNotAndNothingIsSaid) {
  const RecordedExplanation none = explained();
  EXPECT_TRUE(none.readings.empty());
  EXPECT_TRUE(none.patterns.empty());
}

TEST_P(Tampered, OneElementIsNamedAndReadAsNothingElse) {
  Random random(1);
  const auto untampered = recording;
  for (int n = 0; n < tries; ++n) {
    recording = untampered;
    const Shape shape = whole().shape;
    const Index row = random.between(0, shape.rows - 1), col = random.between(0, shape.cols - 1);
    const float far = decode(type(), code(row, col)) > 0 ? -300.0f : 300.0f;
    put(row, col, encode(type(), far));
    const RecordedExplanation why = explained();
    EXPECT_TRUE(why.readings.empty()) << print(why.readings[0]);
    EXPECT_THAT(why.patterns,
                testing::ElementsAre(fmt::format("output: the element of row {}, column {}; rank {} of {}", row, col,
                                                 rank_of(row, col), whole().parts.size())));
  }
}

TEST_P(Tampered, ANaNIsNamed) {
  Random random(2);
  const Shape shape = whole().shape;
  const Index row = random.between(0, shape.rows - 1), col = random.between(0, shape.cols - 1);
  put(row, col, ~0u >> (32 - format(type()).bits));
  const RecordedExplanation why = explained();
  ASSERT_EQ(why.readings.size(), 1u);
  EXPECT_EQ(print(why.readings[0]),
            fmt::format("NaN where a number is due in 1 of 1 elements (row {}, column {}, rank {})", row, col,
                        rank_of(row, col)));
}

TEST_P(Tampered, ARowThatDiffersIsNamed) {
  Random random(3);
  const Shape shape = whole().shape;
  const Index row = random.between(0, shape.rows - 1);
  for (Index col = 0; col < shape.cols; ++col)
    put(row, col, encode(type(), 1.75f * decode(type(), code(row, col)) + 1000));
  const std::string pattern = explained().patterns.at(0);
  EXPECT_THAT(pattern, StartsWith(fmt::format("output: every element of row {}, columns 0..{}", row, shape.cols - 1)));
}

TEST_P(Tampered, ARowOfZerosIsReadAsThatOnce) {
  Random random(7);
  const Shape shape = whole().shape;
  const Index row = random.between(0, shape.rows - 1);
  for (Index col = 0; col < shape.cols; ++col) put(row, col, 0);
  const RecordedExplanation why = explained();
  EXPECT_EQ(std::ranges::count(why.readings, "zero", &Reading::words), 1);
}

TEST_P(Tampered, RowsAndColumnsThatWereExchangedAreNamed) {
  Random random(4);
  const auto untampered = recording;
  for (const bool rows : {true, false})
    for (int n = 0; n < tries; ++n) {
      recording = untampered;
      const Shape shape = whole().shape;
      const Exchange exchange = random_exchange(rows ? shape.rows : shape.cols, random);
      rearrange(
          [&](Index i, Index j) { return rows ? std::tuple(exchange.other(i), j) : std::tuple(i, exchange.other(j)); });
      const RecordedExplanation why = explained();
      ASSERT_FALSE(why.readings.empty());
      EXPECT_EQ(why.readings[0].words, exchange.words(rows ? "row" : "column"));
      EXPECT_TRUE(why.readings[0].is_whole());
    }
}

// That one of the readings begins so, and explains all.
void expect_reading(const RecordedExplanation& why, const std::string& words) {
  EXPECT_THAT(why.readings, Contains(Field(&Reading::words, StartsWith(words))));
  ASSERT_FALSE(why.readings.empty());
  EXPECT_TRUE(why.readings[0].is_whole()) << print(why.readings[0]);
}

// Of a reduction by the ranks in their order, what comes out of these numbers of each rank's product.
void put_sums(RecordedLayer& layer, const std::vector<float>& times) {
  const Ranks products = products_to_reduce(layer, declared_order(layer).accumulator);
  for (Index owner = 0; owner < layer.problem.tp; ++owner) {
    Tensor& output = layer.ranks[static_cast<std::size_t>(owner)].output;
    const Index first = layer.problem.tokens_of(owner).begin;
    output = encode(output.dtype, matrix_of<float>(output.rows, output.cols, [&](Index i, Index j) {
                      float sum = 0;
                      for (std::size_t rank = 0; rank < times.size(); ++rank)
                        sum += times[rank] * round_to(output.dtype, products[rank](first + i, j));
                      return sum;
                    }));
  }
}

struct Reductions : Tampered {};
struct Scaled : Tampered {};
struct Biased : Tampered {};

TEST_P(Reductions, ARankThatIsMissingOrTwiceIsNamed) {
  auto* layer = std::get_if<RecordedLayer>(&recording);
  for (Index rank = 0; rank < layer->problem.tp; ++rank) {
    std::vector<float> times(layer->ranks.size(), 1);
    times[static_cast<std::size_t>(rank)] = 0;
    put_sums(*layer, times);
    expect_reading(explained(), fmt::format("the sum without rank {}", rank));
    times[static_cast<std::size_t>(rank)] = 2;
    put_sums(*layer, times);
    expect_reading(explained(), fmt::format("the sum with rank {} twice", rank));
  }
}

TEST_P(Scaled, AScaleOfAnotherRankIsNamed) {
  auto* layer = std::get_if<RecordedLayer>(&recording);
  for (const auto& [scale, name] :
       {std::pair(&GemmInputs::input_scale, "input"), std::pair(&GemmInputs::weight_scale, "weight")}) {
    RecordedLayer wrong = *layer;
    if (wrong.ranks[0].inputs.*scale == wrong.ranks[1].inputs.*scale) continue;  // of what is gathered, it may be
    wrong.ranks[0].inputs.*scale = wrong.ranks[1].inputs.*scale;
    const std::vector<Tensor> outputs = declared_outputs(wrong);
    recording = *layer;
    for (std::size_t rank = 0; rank < outputs.size(); ++rank) output(rank) = outputs[rank];
    expect_reading(explained(), fmt::format("the {} scale of rank 1 in place of rank 0's", name));
  }
}

TEST_P(Biased, ABiasThatIsAddedTwiceOrNotIsNamed) {
  const auto* gemm = std::get_if<RecordedGemm>(&recording);
  const Matrix bias = decode(*gemm->inputs.bias), right = decode(gemm->output);
  output(0) = encode(
      type(), matrix_of<float>(right.rows, right.cols, [&](Index i, Index j) { return right(i, j) + bias(0, j); }));
  if (precision == Precision::to_the_bit) expect_reading(explained(), "the bias added twice");
  RecordedGemm without = *gemm;
  without.inputs.bias.reset();
  output(0) = declared_outputs(without)[0];
  expect_reading(explained(), "the bias missing");
}

std::string test_name(const testing::TestParamInfo<std::tuple<Subject, Precision>>& info) {
  return std::get<0>(info.param).name + (std::get<1>(info.param) == Precision::to_the_bit ? "_bits" : "_bound");
}
template <typename Recorded>
auto with(bool (*has)(const Recorded&)) {
  std::vector<Subject> all = subjects();
  std::erase_if(all, [&](const Subject& subject) {
    const Recording recording = subject.make();
    const auto* recorded = std::get_if<Recorded>(&recording);
    return !recorded || !has(*recorded);
  });
  return testing::Combine(testing::ValuesIn(all), testing::Values(Precision::to_the_bit, Precision::to_within_a_bound));
}

INSTANTIATE_TEST_SUITE_P(Recordings, Tampered,
                         testing::Combine(testing::ValuesIn(subjects()),
                                          testing::Values(Precision::to_the_bit, Precision::to_within_a_bound)),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Recordings, Reductions,
                         with<RecordedLayer>([](const RecordedLayer& layer) { return layer.reduces(); }), test_name);
INSTANTIATE_TEST_SUITE_P(Recordings, Scaled, with<RecordedLayer>([](const RecordedLayer& layer) {
                           return layer.ranks[0].inputs.input_scale.has_value();
                         }),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Recordings, Biased, with<RecordedGemm>([](const RecordedGemm& recorded) {
                           return recorded.inputs.bias && recorded.inputs.output_scale == 1;
                         }),
                         test_name);

}  // namespace
}  // namespace lockstep
