// What is done to right outputs is read back from the wrong ones.
#include "oracle/diagnosis/decode.h"

#include "oracle/campaign/draw.h"
#include "oracle/diagnosis/evidence.h"
#include "oracle/diagnosis/terms.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/random.h"
#include "oracle/inputs/shards.h"
#include "property_tests/case_generator.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

namespace lockstep {
namespace {

// Right outputs, of which one, y of the last call, is changed.
struct Bench {
  Prepared prepared;
  Observed observed;
  std::size_t which;

  explicit Bench(const Case& a_case)
      : prepared(prepare(a_case)),
        observed(observe(prepared, prepared.correct, Executor{})),
        which(a_case.calls.size() - 1) {}

  const Call& call() const { return prepared.a_case.calls[which]; }
  Problem problem() const { return problem_of(call()); }
  const Tensor& input(std::string_view name, Index rank) const { return input(name, rank, which); }
  const Tensor& input(std::string_view name, Index rank, std::size_t of_call) const {
    return prepared.inputs[of_call].find(name)->second[static_cast<std::size_t>(rank)];
  }
  const std::vector<Tensor>& wanted() const { return prepared.wanted[which].at("y"); }

  // What rank r adds to row i, column j of Y, from the tensors that it holds (row layers); k from its own first column.
  double product(Index r, Index i, Index j, const Range& k, std::size_t of_call) const {
    double sum = 0;
    for (Index at = k.begin; at < k.end; ++at)
      sum += static_cast<double>(value_at(input("x", r, of_call), i, at)) * value_at(input("w", r, of_call), j, at);
    return sum;
  }
  double contribution(Index r, Index i, Index j, std::size_t of_call) const {
    const double bias = problem().biased() ? value_at(input("b", r, of_call), 0, j) : 0;
    return product(r, i, j, {0, problem().in_of(r).size()}, of_call) + bias;
  }
  // change(rank, whole row, whole column, right value) for every element in the region.
  template <typename F>
  void change(const Block& region, F changed) {
    for (std::size_t rank = 0; rank < wanted().size(); ++rank) {
      Tensor& got = observed.outputs[which].at("y")[rank];
      const Block held = y_block(problem(), static_cast<Index>(rank));
      for (Index i = 0; i < got.rows; ++i)
        for (Index j = 0; j < got.cols; ++j) {
          const Index row = held.rows.begin + i, col = held.cols.begin + j;
          if (region.rows.contains(row) && region.cols.contains(col))
            set_code(got, i, j, changed(static_cast<Index>(rank), row, col, value_at(wanted()[rank], i, j)));
        }
    }
  }
  template <typename F>
  void change_values(const Block& region, F changed) {
    change(region, [&](Index rank, Index i, Index j, float want) {
      return encode(call().dtype, static_cast<float>(changed(rank, i, j, static_cast<double>(want))));
    });
  }
  bool shows() const { return compare_outputs(prepared, observed).differing > 0; }
  double want(Index row, Index col) const {
    for (std::size_t rank = 0; rank < wanted().size(); ++rank)
      if (const Block held = y_block(problem(), static_cast<Index>(rank));
          held.rows.contains(row) && held.cols.contains(col))
        return value_at(wanted()[rank], row - held.rows.begin, col - held.cols.begin);
    return 0;
  }
};

Range some_of(Index length, Random& random) {
  if (random.coin()) return {0, length};
  const Index begin = random.between(0, length - 1);
  return {begin, random.between(begin + 1, length)};
}

Block some_region(const Bench& bench, Random& random) {
  return {some_of(bench.call().tokens, random), some_of(bench.call().out, random)};
}

// A change, and the words that it must be read as; none where the case has no place for it.
using Injection = std::optional<std::string> (*)(Bench&, Random&);

bool sums_ranks(const Bench& bench) { return bench.call().is_row() && bench.call().tp > 1; }

template <int sign>
std::optional<std::string> contribution(Bench& bench, Random& random) {
  if (!sums_ranks(bench)) return {};
  const Index r = random.between(0, bench.call().tp - 1);
  bench.change_values(some_region(bench, random), [&](Index, Index i, Index j, double want) {
    return want + sign * bench.contribution(r, i, j, bench.which);
  });
  return fmt::format("rank {} {}", r, sign < 0 ? "missing" : "twice");
}

std::optional<std::string> left_over_contribution(Bench& bench, Random& random) {
  if (!sums_ranks(bench) || bench.which == 0) return {};
  const Call &now = bench.call(), &then = bench.prepared.a_case.first();
  if (now.tokens != then.tokens || now.in != then.in || now.out != then.out) return {};
  const Index r = random.between(0, bench.call().tp - 1);
  bench.change_values(some_region(bench, random), [&](Index, Index i, Index j, double want) {
    return want - bench.contribution(r, i, j, bench.which) + bench.contribution(r, i, j, 0);
  });
  return fmt::format("rank {} left over from call 0", r);
}

std::optional<std::string> left_over(Bench& bench, Random& random) {
  if (bench.which == 0) return {};
  const Call &now = bench.call(), &then = bench.prepared.a_case.first();
  if (now.tokens != then.tokens || now.out != then.out) return {};
  const std::size_t last = std::exchange(bench.which, 0);
  MatrixOf<double> before(then.tokens, then.out);
  for (Index i = 0; i < before.rows; ++i)
    for (Index j = 0; j < before.cols; ++j) before(i, j) = bench.want(i, j);
  bench.which = last;
  bench.change_values(some_region(bench, random), [&](Index, Index i, Index j, double) { return before(i, j); });
  return "left over from call 0";
}

std::optional<std::string> k_block(Bench& bench, Random& random) {
  if (!sums_ranks(bench)) return {};
  const Index r = random.between(0, bench.call().tp - 1), k = bench.problem().in_of(r).size();
  const Index block = Index{8} << random.between(0, 2);
  if (k <= block) return {};
  const Index begin = random.between(0, (k - 1) / block) * block;
  const Range lost{begin, std::min(k, begin + block)};
  bench.change_values(some_region(bench, random), [&](Index, Index i, Index j, double want) {
    return want - bench.product(r, i, j, lost, bench.which);
  });
  return lost.size() == 1 ? fmt::format("K {} of rank {} missing", begin, r)
                          : fmt::format("K {}..{} of rank {} missing", begin, lost.end - 1, r);
}

template <int sign>
std::optional<std::string> bias(Bench& bench, Random& random) {
  if (!sums_ranks(bench) || !bench.problem().biased()) return {};
  const Index r = random.between(0, bench.call().tp - 1);
  bench.change_values(some_region(bench, random), [&](Index, Index, Index j, double want) {
    return want + sign * value_at(bench.input("b", r), 0, j);
  });
  return fmt::format("the bias of rank {} {}", r, sign < 0 ? "missing" : "twice");
}

std::optional<std::string> bias_of_other_column(Bench& bench, Random& random) {
  if (!sums_ranks(bench) || !bench.problem().biased() || bench.call().out < 2) return {};
  const Index r = random.between(0, bench.call().tp - 1);
  const Index to = random.between(0, bench.call().out - 1), from = random.between(0, bench.call().out - 1);
  bench.change_values({{0, bench.call().tokens}, {to, to + 1}}, [&](Index, Index, Index, double want) {
    return want - value_at(bench.input("b", r), 0, to) + value_at(bench.input("b", r), 0, from);
  });
  return fmt::format("the bias of rank {} of column {} in place of column {}", r, from, to);
}

std::optional<std::string> row(Bench& bench, Random& random) {
  const Index to = random.between(0, bench.call().tokens - 1), from = random.between(0, bench.call().tokens - 1);
  bench.change_values({{to, to + 1}, some_of(bench.call().out, random)},
                      [&](Index, Index, Index j, double) { return bench.want(from, j); });
  return fmt::format("row {} holds row {}", to, from);
}

std::optional<std::string> rows_exchanged(Bench& bench, Random& random) {
  const Index rows = bench.call().tokens / 2;
  if (rows == 0) return {};
  const Index n = random.between(1, rows);
  bench.change_values({{0, 2 * n}, {0, bench.call().out}},
                      [&](Index, Index i, Index j, double) { return bench.want(i < n ? i + n : i - n, j); });
  return n == 1 ? "rows 0 and 1 exchanged" : fmt::format("rows 0..{} and {}..{} exchanged", n - 1, n, 2 * n - 1);
}

std::optional<std::string> column(Bench& bench, Random& random) {
  const Index to = random.between(0, bench.call().out - 1), from = random.between(0, bench.call().out - 1);
  bench.change_values({some_of(bench.call().tokens, random), {to, to + 1}},
                      [&](Index, Index i, Index, double) { return bench.want(i, from); });
  return fmt::format("column {} holds column {}", to, from);
}

std::optional<std::string> poison(Bench& bench, Random& random) {
  bench.change(some_region(bench, random),
               [&](Index, Index, Index, float) { return ~std::uint32_t{0} >> (32 - format(bench.call().dtype).bits); });
  return "never written";
}

std::optional<std::string> negated(Bench& bench, Random& random) {
  bench.change_values(some_region(bench, random), [&](Index, Index, Index, double want) { return -want; });
  return "negated";
}

std::optional<std::string> power_of_two(Bench& bench, Random& random) {
  const Index e = random.between(1, 4) * (random.coin() ? 1 : -1);
  bench.change_values(some_region(bench, random),
                      [&](Index, Index, Index, double want) { return std::ldexp(want, static_cast<int>(e)); });
  return fmt::format("times {}{}", e > 0 ? "" : "1/", 1 << std::abs(e));
}

// "row 3 holds row #", "the bias of rank 1 of column # in place of column 7": rows, columns and biases may be equal,
// and a run of rows may be told in pieces.
std::string kind_of(const std::string& words) {
  if (words.starts_with("row")) return "rows moved";
  if (words.starts_with("column")) return "columns moved";
  const auto place = words.find(" in place of column");
  return words.starts_with("the bias") && place != std::string::npos ? "biases moved" + words.substr(place) : words;
}

// Equals: as many explained, as many against.
struct Tally {
  Index shown = 0, first = 0, among_equals = 0;
};

bool is_equal(const Reading& a, const Reading& b) {
  return a.explains - a.against == b.explains - b.against && a.output == b.output && a.call == b.call;
}

void count(Tally& tally, const std::vector<Reading>& readings, const std::string& words) {
  ++tally.shown;
  if (readings.empty()) return;
  if (readings.front().words == words) ++tally.first;
  const auto right = std::ranges::find(readings, kind_of(words), [](const Reading& r) { return kind_of(r.words); });
  if (right != readings.end() && is_equal(*right, readings.front())) ++tally.among_equals;
}

Tally tally_of(Injection inject, std::uint64_t seed, Index cases, bool print_misses) {
  Tally tally;
  for (Index number = 0; number < 40 * cases && tally.shown < cases; ++number) {
    const Case a_case = draw_case(seed, number, 0, {.data = {}, .executor = Executor{}, .one_group = true});
    const Call& last = a_case.calls.back();
    if (is_mixed(a_case) || !is_exact(last.data) || !last.is_forward() || last.tokens == 0 || last.tp > 9) continue;
    Bench bench(a_case);
    Random random(seed, number);
    const auto words = inject(bench, random);
    if (!words || !bench.shows()) continue;
    const auto readings = decode(bench.prepared, bench.observed);
    const Index before = tally.among_equals;
    count(tally, readings, *words);
    if (print_misses && (tally.among_equals == before || readings[0].words != *words))
      fmt::print("    {}\n      {} read as {}\n", print(a_case), *words, readings.empty() ? "" : print(readings[0]));
  }
  return tally;
}

TEST(Decode, ReadsWhatWasDoneToTheOutput) {
  const std::pair<const char*, Injection> injections[] = {{"rank missing", contribution<-1>},
                                                          {"rank twice", contribution<1>},
                                                          {"rank left over", left_over_contribution},
                                                          {"output left over", left_over},
                                                          {"K block missing", k_block},
                                                          {"bias missing", bias<-1>},
                                                          {"bias twice", bias<1>},
                                                          {"bias of another column", bias_of_other_column},
                                                          {"row", row},
                                                          {"rows exchanged", rows_exchanged},
                                                          {"column", column},
                                                          {"never written", poison},
                                                          {"negated", negated},
                                                          {"power of two", power_of_two}};
  Tally all;
  for (const auto& [name, inject] : injections) {
    const Tally tally = tally_of(inject, 1, 20, std::getenv("LOCKSTEP_MISSES"));
    fmt::print("{:<24} {:>3} shown, {:>3} read first, {:>3} first or among equals\n", name, tally.shown, tally.first,
               tally.among_equals);
    EXPECT_GE(tally.shown, 10) << name;
    all.shown += tally.shown, all.first += tally.first, all.among_equals += tally.among_equals;
  }
  fmt::print("{:<24} {:>3} shown, {:>3} read first, {:>3} first or among equals\n", "all", all.shown, all.first,
             all.among_equals);
  EXPECT_GE(static_cast<double>(all.among_equals), 0.95 * static_cast<double>(all.shown));
}

// One rank, so that K is that of the whole; blocks of 32 with amaxes of 2, 4 and 1.
TEST(Decode, ReadsTheScaleOfAnotherBlock) {
  Bench bench(parse_case("op=gemm_rs tp=1 tokens=8 in=96 out=24 recipe=mxfp8 bias=none dtype=f32 wire=f32"));
  auto& x = bench.prepared.inputs[0].at("x")[0];
  Matrix values = decode(x);
  for (Index i = 0; i < values.rows; ++i)
    for (Index k = 0; k < values.cols; ++k)
      values(i, k) = std::copysign(std::array{2.0f, 4.0f, 1.0f}[static_cast<std::size_t>(k / 32)], values(i, k));
  x = encode(x.dtype, values);
  bench.prepared.wanted = expected(bench.prepared.a_case, bench.prepared.inputs);
  bench.change_values({{0, 8}, {0, 24}}, [&](Index, Index i, Index j, double want) {
    return want + (0.5 - 1) * bench.product(0, i, j, {32, 64}, 0);  // block 1 with the scale of block 0
  });
  const auto readings = decode(bench.prepared, bench.observed);
  ASSERT_FALSE(readings.empty());
  EXPECT_TRUE(readings[0].is_whole());
  const auto right = std::ranges::find(readings, "the scale of K block 0 of X used for block 1", &Reading::words);
  EXPECT_NE(right, readings.end()) << readings[0].words;
}

TEST(Decode, ReadsNothingIntoNoise) {
  Bench bench(parse_case("op=gemm_rs tp=4 tokens=24 in=40 out=30"));
  Random random(1);
  bench.change_values({{0, 24}, {0, 30}},
                      [&](Index, Index, Index, double) { return static_cast<double>(random.between(-40, 40)); });
  EXPECT_THAT(decode(bench.prepared, bench.observed), testing::IsEmpty());
}

TEST(Decode, SaysNothingOfWhatIsRight) {
  const Bench bench(parse_case("op=row_linear pass=both tp=3 tokens=6 in=7 out=8"));
  EXPECT_THAT(decode(bench.prepared, bench.observed), testing::IsEmpty());
}

TEST(Decode, SaysThatTheDataCannotTellTwoReadingsApart) {
  Bench bench(parse_case("op=gemm_rs tp=2 tokens=4 in=4 out=4 data=rank_bits bias=none"));
  bench.change_values({{0, 4}, {0, 4}}, [](Index, Index, Index, double) { return 1.0; });  // 1 of 1 + 2
  const auto readings = decode(bench.prepared, bench.observed);
  ASSERT_GE(readings.size(), 2u);
  EXPECT_EQ(readings[0].words, "rank 1 missing");
  EXPECT_TRUE(readings[0].is_ambiguous && readings[1].is_ambiguous);
  EXPECT_EQ(print(readings[0]),
            "rank 1 missing in 16 of 16 elements (call 0, y, splits 0..1 of 2 (columns 0..3), ranks "
            "0..1 of 2 (rows 0..3))");
}

// Two of three elements lack rank 1; that the third is right speaks against it.
TEST(Decode, CountsRightElementsAgainstAReading) {
  Bench bench(parse_case("op=gemm_rs tp=4 tokens=9 in=40 out=12"));
  bench.change_values({{0, 9}, {0, 12}}, [&](Index, Index i, Index j, double want) {
    return (i + j) % 3 == 0 ? want : want - bench.contribution(1, i, j, 0);
  });
  const Reading reading = decode(bench.prepared, bench.observed).at(0);
  EXPECT_EQ(reading.words, "rank 1 missing");
  EXPECT_EQ(reading.explains, reading.of);
  EXPECT_GT(reading.against, 20);
  EXPECT_FALSE(reading.is_whole());
}

// Of data that is not exact too.
TEST(Decode, ReadsWhatIsNeverWrittenOfAnyData) {
  Bench bench(parse_case("op=gemm_rs tp=4 tokens=24 in=40 out=30 data=normal"));
  Random random(1);
  poison(bench, random);
  EXPECT_EQ(decode(bench.prepared, bench.observed).at(0).words, "never written");
}

// Whole matrices, integers, no quantisation: a second way to every output.
RC_GTEST_PROP(Terms, AddUpToEveryOutputOfPlantedData, ()) {
  Case a_case = *arbitrary_case();
  for (Call& call : a_case.calls) call.data = Data::planted;
  const Prepared prepared = prepare(a_case);
  for (std::size_t which = 0; which < prepared.wanted.size(); ++which)
    for (const auto& [output, ranks] : prepared.wanted[which]) {
      if (output.find('.') != std::string::npos) continue;
      if (output == "db" && a_case.first().bias == BiasPlacement::after) continue;  // has no terms
      const auto terms = terms_of(prepared, static_cast<Index>(which), output);
      RC_ASSERT(terms.has_value());
      for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const auto r = static_cast<Index>(rank);
        const Origin origin = origin_of(problem_of(a_case.calls[which]), output, r);
        const Matrix want = decode(ranks[rank]);
        for (Index i = 0; i < want.rows; ++i)
          for (Index j = 0; j < want.cols; ++j)
            RC_ASSERT(std::abs(terms->value(r, origin.row + i, origin.col + j) - want(i, j)) < 0x1p-10);
      }
    }
}

// Readings of a fault of the catalogue, put into the plan: decode knows neither.
std::vector<std::pair<Case, std::vector<Reading>>> readings_of(std::string_view fault, Index cases) {
  std::vector<std::pair<Case, std::vector<Reading>>> all;
  for (Index number = 0; number < 60 * cases && std::ssize(all) < cases; ++number) {
    const Case a_case =
        draw_case(2, number, 0, {.data = {}, .executor = Executor{}, .fault = std::string(fault), .cell = {}});
    if (!is_exact(a_case.first().data) || a_case.first().tp > 9 || !is_struck(a_case)) continue;
    const Prepared prepared = prepare(a_case);
    const Observed observed = observe(prepared, struck(prepared.correct, strike_of(a_case)), Executor{});
    if (observed.walked.finished && !evidence_of(prepared, observed).empty())
      all.emplace_back(a_case, decode(prepared, observed));
  }
  return all;
}

std::string without_numbers(const std::string& words) {
  std::string plain;
  for (char c : words)
    if (!std::isdigit(static_cast<unsigned char>(c)))
      plain += c;
    else if (plain.empty() || plain.back() != '#')
      plain += '#';
  return plain;
}

// Faults that have a right reading, and what stands in it: one of these.
const std::map<std::string_view, std::vector<std::string_view>> right_words{
    {"rank_missing", {"missing"}},
    {"rank_twice", {"twice"}},
    {"rows_exchanged", {"exchanged", "rows # hold row", "row # holds row", "rows #..# hold rows", "in place of row"}},
    {"bias_not_advanced", {"the bias of column"}},
    {"panel_before", {"column # holds column", "columns #..# hold columns", "in place of column"}},
    {"own_contribution_only", {"only the rank's own", "only the tokens", "missing"}},
    {"own_source", {"once for each rank"}},
    {"own_scale_for_all", {"decoded by the scale of"}},
    {"bias_rank0_only", {"of the biases only", "the bias missing", "the bias of rank # missing"}},
    {"main_grad_overwritten", {"main gradient at the start missing", "only dW of call"}},
    {"scale_rows_not_advanced", {"with the block scales of the rows of rank", "times"}},
    {"gather_missing", {"never written"}},
    {"remainder_dropped", {"never written"}},
    {"reduce_before_ready", {"never written"}}};

bool has_one(const std::string& words, const std::vector<std::string_view>& right) {
  return std::ranges::any_of(
      right, [&](std::string_view word) { return without_numbers(words).find(word) != std::string::npos; });
}

// The first reading, or another of the same output that explains as much.
bool is_right(const std::vector<Reading>& readings, const std::vector<std::string_view>& right) {
  return std::ranges::any_of(readings, [&](const Reading& reading) {
    return is_equal(reading, readings.front()) && has_one(reading.words, right);
  });
}

TEST(Decode, ReadsFaultsOfTheCatalogueWithoutKnowingThem) {
  for (const auto& [fault, right] : right_words) {
    Index count = 0;
    const auto cases = readings_of(fault, 6);
    for (const auto& [a_case, readings] : cases) count += is_right(readings, right) ? 1 : 0;
    EXPECT_GE(3 * count, 2 * std::ssize(cases)) << fault << ": " << count << " of " << cases.size();
    EXPECT_GE(std::ssize(cases), 3) << fault;
  }
}

TEST(Decode, NightlyTableOfTheFirstReadingsOfEachFault) {
  for (const Fault& fault : fault_catalogue()) {
    if (is_of_the_program(fault.kind)) continue;
    std::map<std::string, Index> first;
    Index whole = 0, right = 0;
    const auto known = right_words.find(fault.id);
    const auto cases = readings_of(fault.id, 20);
    for (const auto& [a_case, readings] : cases) {
      ++first[readings.empty() ? "(none)" : without_numbers(readings[0].words)];
      whole += !readings.empty() && readings[0].is_whole();
      right += known != right_words.end() && is_right(readings, known->second);
      if (std::getenv("LOCKSTEP_MISSES") && (readings.empty() || !readings[0].is_whole()))
        fmt::print("    {} \n      {}\n", print(a_case), readings.empty() ? "(none)" : print(readings[0]));
    }
    fmt::print("{:<24} {:>2} cases, {:>2} whole, {:>2} right:", fault.id, cases.size(), whole, right);
    std::vector<std::pair<Index, std::string>> order;
    for (const auto& [words, n] : first) order.emplace_back(-n, words);
    std::ranges::sort(order);
    for (std::size_t i = 0; i < order.size() && i < 3; ++i)
      fmt::print(" {} x {};", -order[i].first, order[i].second.substr(0, 70));
    fmt::print("\n");
    if (known != right_words.end()) {
      EXPECT_GE(10 * right, 8 * std::ssize(cases)) << fault.id;
    }
  }
}

}  // namespace
}  // namespace lockstep
