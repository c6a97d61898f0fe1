// Dumps of whole linear layers: right ones agree, in one piece and in many, as one file and as many; a wrong element of
// any output is named; what contradicts itself is refused.
#include "oracle/inputs/recorded_linear.h"

#include "oracle/diagnosis/recorded/explain.h"
#include "oracle/inputs/dump.h"
#include "oracle/judges/recorded/judge_pieces.h"
#include "oracle/judges/recorded/judge_recorded.h"
#include "property_tests/oracle/linear_dump.h"
#include "property_tests/oracle/recordings.h"
#include "property_tests/oracle/shell.h"
#include "property_tests/oracle/temporary_file.h"
#include "property_tests/oracle/temporary_folder.h"
#include "property_tests/refusal_by.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int cases = 30;
constexpr double tiny = 0x1p14;  // bytes of a piece: a few rows and columns

Problem random_problem(Random& random, Index most = 12) {
  Problem p;
  p.mode = random.coin() ? ParallelMode::row : ParallelMode::column;
  p.tp = random.between(1, 4);
  p.tokens = random.between(1, most), p.in = random.between(1, most), p.out = random.between(1, most);
  return p;
}

Problem problem_of(ParallelMode mode) {
  Problem p;
  p.mode = mode;
  p.tp = 3, p.tokens = 20, p.in = 30, p.out = 24;
  return p;
}

RecordedVerdict verdict_on(const LinearDump& dump, double most_bytes = usual_memory,
                           RecordedJudge judge = RecordedJudge::strongest) {
  const TemporaryFile file;
  save(file.path, dump);
  return judge_recorded(read_safetensors(file.path), judge, most_bytes);
}

Index elements(const LinearDump& dump) {
  Index all = 0;
  for (const auto& [name, tensor] : dump.tensors)
    for (const char* output : {".y", ".dx", ".dw", ".db"})
      if (name.ends_with(output)) all += tensor.rows * tensor.cols;
  return all;
}

// Any element of any output.
struct Place {
  std::string tensor;
  Index row, col;
};

Place random_place(const LinearDump& dump, Random& random) {
  for (;;) {
    auto at = dump.tensors.begin();
    std::advance(at, random.between(0, std::ssize(dump.tensors) - 1));
    const auto& [name, t] = *at;
    const bool is_output =
        name.ends_with(".y") || name.ends_with(".dx") || name.ends_with(".dw") || name.ends_with(".db");
    if (is_output && t.rows * t.cols > 0) return {name, random.between(0, t.rows - 1), random.between(0, t.cols - 1)};
  }
}

TEST(RecordedLinear, ExactDataIsJudgedToTheBitAndAWrongElementIsNamed) {
  Random random(41);
  for (int n = 0; n < cases; ++n) {
    const DType type = random.coin() ? DType::f32 : DType::fp16;
    LinearDump dump = linear_dump(random_problem(random), type, type, random.coin(), small_number, random);
    for (const double memory : {usual_memory, tiny}) {
      const RecordedVerdict right = verdict_on(dump, memory);
      EXPECT_EQ(right.differing, 0) << describe(right.first.at(0)) << right.model;
      EXPECT_EQ(right.compared, elements(dump));
      EXPECT_TRUE(right.judge == "exact" || type != DType::f32) << right.model;
    }
    const Place at = random_place(dump, random);
    Tensor& t = dump.tensors.at(at.tensor);
    const std::uint32_t code = code_at(t, at.row, at.col);
    set_code(t, at.row, at.col, code ^ (type == DType::f32 ? 1u : 0x0400u));
    for (const double memory : {usual_memory, tiny}) {
      const RecordedVerdict wrong = verdict_on(dump, memory);
      ASSERT_EQ(wrong.differing, 1) << wrong.model;
      EXPECT_EQ(wrong.first.at(0).tensor, at.tensor);
      EXPECT_EQ(wrong.first.at(0).row, at.row);
      EXPECT_EQ(wrong.first.at(0).col, at.col);
      EXPECT_EQ(wrong.first.at(0).want, code);
    }
  }
}

TEST(RecordedLinear, NormalDataOfEveryFormatIsWithinTheBoundAndANaNIsNot) {
  Random random(43);
  for (const DType operands : {DType::f32, DType::bf16, DType::fp16, DType::e4m3})
    for (int n = 0; n < cases / 3; ++n) {
      const DType type = bytes_of(operands) == 1 ? DType::bf16 : operands;
      LinearDump dump = linear_dump(random_problem(random, 40), type, operands, random.coin(), normal_number, random);
      const RecordedVerdict right = verdict_on(dump, usual_memory, RecordedJudge::bound);
      EXPECT_EQ(right.differing, 0) << describe(right.first.at(0));
      EXPECT_EQ(right.utilisation.unjudged, 0);
      EXPECT_EQ(verdict_on(dump).differing, 0);
      const Place at = random_place(dump, random);
      set_code(dump.tensors.at(at.tensor), at.row, at.col, ~0u >> (32 - format(type).bits));
      EXPECT_EQ(verdict_on(dump).differing, 1);
    }
}

// The words of what was done to a layer's outputs.
std::vector<std::string> words_on(const LinearDump& dump) {
  const TemporaryFile file;
  save(file.path, dump);
  const Safetensors read = read_safetensors(file.path);
  std::vector<std::string> words;
  for (const Reading& reading : explain_recorded(read, judge_recorded(read, RecordedJudge::strongest)).readings)
    words.push_back(reading.output + ": " + reading.words);
  return words;
}

// What rank r adds to a reduced output, taken away.
void take_away(LinearDump& dump, Index rank) {
  const Problem& p = dump.problem;
  const bool row = p.is_row();
  const Matrix a = decode(dump.at(rank, row ? "x" : "dy")), w = decode(dump.at(rank, "w"));
  const Matrix product = dense(a, row ? w : transposed(w));
  for (Index owner = 0; owner < p.tp; ++owner) {
    Tensor& output = dump.at(owner, row ? "y" : "dx");
    const Index first = p.tokens_of(owner).begin;
    Matrix values = decode(output);
    for (Index i = 0; i < values.rows; ++i)
      for (Index j = 0; j < values.cols; ++j)
        values(i, j) -= product(first + i, j) + (row && !dump.bias_is_late ? value_at(dump.at(rank, "b"), 0, j) : 0);
    output = encode(output.dtype, values);
  }
}

// Unfused: the product is rounded before the bias is added. JAX: db is a sum in BF16.
TEST(RecordedLinear, RoundingsOnTheWayAreWithinTheBound) {
  Random random(73);
  const auto bf16 = [](float value) { return round_to(DType::bf16, value); };
  LinearDump dump =
      linear_dump(problem_of(ParallelMode::column), DType::bf16, DType::bf16, false, normal_number, random);
  for (Index rank = 0; rank < 3; ++rank) {
    const Matrix dy = decode(dump.at(rank, "dy")), b = decode(dump.at(rank, "b"));
    Matrix x(0, dump.problem.in), db(1, dy.cols);
    for (Index source = 0; source < 3; ++source) {
      const Matrix part = decode(dump.at(source, "x"));
      x.rows += part.rows, x.values.insert(x.values.end(), part.values.begin(), part.values.end());
    }
    Matrix y = dense(x, decode(dump.at(rank, "w")));
    for (Index i = 0; i < y.rows; ++i)
      for (Index j = 0; j < y.cols; ++j) y(i, j) = bf16(y(i, j)) + b(0, j), db(0, j) = bf16(db(0, j) + dy(i, j));
    dump.put(rank, "y", DType::bf16, y), dump.put(rank, "db", DType::bf16, db);
  }
  EXPECT_GT(verdict_on(dump).differing, 0) << "a sum in BF16 has to be said";
  dump.metadata["db_sum"] = "rounded";
  const RecordedVerdict verdict = verdict_on(dump, usual_memory, RecordedJudge::bound);
  EXPECT_EQ(verdict.differing, 0) << describe(verdict.first.at(0));
  EXPECT_GT(verdict.utilisation.largest, 0.3);
}

TEST(RecordedLinear, AMissingRankAndABiasTwiceAreReadInWords) {
  Random random(47);
  for (const ParallelMode mode : {ParallelMode::row, ParallelMode::column})
    for (const Draw& draw : {Draw(small_number), Draw(normal_number)}) {
      const LinearDump right = linear_dump(problem_of(mode), DType::f32, DType::f32, false, draw, random);
      for (Index rank = 0; rank < 3; ++rank) {
        LinearDump dump = right;
        take_away(dump, rank);
        EXPECT_THAT(words_on(dump), testing::ElementsAre(fmt::format("{}: the sum without rank {}",
                                                                     mode == ParallelMode::row ? "y" : "dx", rank)));
      }
      LinearDump dump = right;
      const Index rank = random.between(0, 2);
      Tensor& db = dump.at(rank, "db");
      set_code(db, 0, 2, ~0u);
      EXPECT_THAT(words_on(dump), testing::ElementsAre("db: NaN where a number is due"));
    }
}

TEST(RecordedLinear, ABiasThatIsAddedTwiceIsReadInWords) {
  Random random(53);
  for (const bool late : {false, true}) {
    LinearDump dump =
        linear_dump(problem_of(ParallelMode::column), DType::f32, DType::f32, late, normal_number, random);
    for (Index rank = 0; rank < 3; ++rank) {
      const Matrix bias = decode(dump.at(rank, "b")), y = decode(dump.at(rank, "y"));
      dump.put(rank, "y", DType::f32,
               matrix_of<float>(y.rows, y.cols, [&](Index i, Index j) { return y(i, j) + bias(0, j); }));
    }
    EXPECT_THAT(words_on(dump), testing::ElementsAre("y: the bias added twice"));
  }
}

TEST(RecordedLinear, OneFileARankIsTheSameDump) {
  Random random(59);
  const LinearDump dump =
      linear_dump(problem_of(ParallelMode::row), DType::bf16, DType::bf16, false, normal_number, random);
  const TemporaryFolder folder;
  std::vector<std::string> paths;
  for (const Index rank : {2, 0, 1}) {
    paths.push_back(fmt::format("{}/{}.safetensors", folder.path, rank));
    save_rank(paths.back(), dump, rank);
  }
  EXPECT_EQ(judge_recorded(read_dump(paths), RecordedJudge::strongest).compared, elements(dump));
  const std::string three = fmt::format("{} {} {}", paths[0], paths[1], paths[2]);
  const Ended twice = shell(fmt::format("$L check {0} {0}", three));
  EXPECT_EQ(twice.code, 0) << twice.output;
  EXPECT_THAT(twice.output, HasSubstr("2 dumps, 0 disagree"));
  const Ended two = shell(fmt::format("$L check {} {}", paths[0], paths[1]));
  EXPECT_EQ(two.code, 2);
  EXPECT_THAT(two.output, HasSubstr("of tp=3 ranks, rank 1 is not there: give the files of all ranks"));
  LinearDump other = dump;
  other.metadata["tokens"] = "21";
  save_rank(paths[1], other, 0);
  EXPECT_THAT(shell("$L check " + three).output, HasSubstr(R"(the metadata tokens="20" of )"));
}

// What the file of rank 1 may be instead, and what is said of the three.
TEST(RecordedLinear, FilesOfRanksThatDoNotFitAreRefused) {
  Random random(79);
  const LinearDump dump =
      linear_dump(problem_of(ParallelMode::row), DType::f32, DType::f32, false, small_number, random);
  const TemporaryFolder folder;
  const auto path = [&](Index rank) { return fmt::format("{}/{}.safetensors", folder.path, rank); };
  const auto write = [&](Metadata metadata, const std::string& prefix) {
    metadata["rank"] = metadata.contains("rank") ? metadata["rank"] : "1";
    write_safetensors(path(1), metadata, {named(prefix + "x", dump.tensors.at("rank1.x"))});
    return shell(fmt::format("$L check {} {} {}", path(0), path(1), path(2)));
  };
  save_rank(path(0), dump, 0), save_rank(path(2), dump, 2);
  const auto with = [&](const char* key, const char* value) {
    Metadata metadata = dump.metadata;
    metadata[key] = value;
    return metadata;
  };
  const std::tuple<Metadata, const char*, const char*> table[] = {
      {dump.metadata, "", "has no tensor rank1.w: w is there on every rank or on none"},
      {dump.metadata, "rank2.", "tensor \"rank2.x\" is not of rank 1, whose file this is"},
      {with("rank", "3"), "", "of tp=3 ranks, rank 1 is not there"},
      {with("rank", "-1"), "", "the metadata rank=\"-1\" is not a whole number from 0 to 71"},
      {with("rank", "0"), "", "of tp=3 ranks, rank 1 is not there"},
      {with("tp", "4"), "", "of tp=4 ranks, rank 0 is not there"},
      {with("op", "column_linear"), "", "the metadata op=\"row_linear\" of "},
      {with("note", "new"), "", "the metadata note=\"new\" is not in "},
  };
  for (const auto& [metadata, prefix, because] : table) {
    const Ended ended = write(metadata, prefix);
    EXPECT_EQ(ended.code, 2) << ended.output;
    EXPECT_THAT(ended.output, HasSubstr(because));
  }
  std::filesystem::resize_file(path(1), 100);
  EXPECT_THAT(shell(fmt::format("$L check {} {} {}", path(0), path(1), path(2))).output, HasSubstr("is truncated"));
}

TEST(RecordedLinear, AShardedDumpIsReadByItsIndex) {
  Random random(61);
  LinearDump dump = linear_dump(problem_of(ParallelMode::column), DType::f32, DType::f32, false, small_number, random);
  const TemporaryFolder folder;
  std::map<std::string, std::vector<NamedTensor>> shards;
  std::string map;
  for (const auto& [name, tensor] : dump.tensors) {
    const std::string file = fmt::format("{}.safetensors", random.between(0, 2));
    shards[file].push_back(named(name, tensor));
    map += fmt::format(R"({}"{}": "{}")", map.empty() ? "" : ", ", name, file);
  }
  for (const auto& [file, tensors] : shards)
    write_safetensors(folder.path + "/" + file, file.starts_with("0") ? dump.metadata : Metadata{}, tensors);
  const std::string index = folder.path + "/dump.safetensors.index.json";
  const auto write_index = [&](const std::string& text) { std::ofstream(index) << text; };
  write_index(fmt::format(R"({{"metadata": {{"total_size": 12}}, "weight_map": {{{}}}}})", map));
  const Ended right = shell("$L check " + index);
  EXPECT_EQ(right.code, 0) << right.output;
  EXPECT_THAT(right.output, HasSubstr(fmt::format("0 of {} elements differ, judge exact", elements(dump))));
  const auto refused = [&](const std::string& text) {
    write_index(text);
    const Ended ended = shell("$L check " + index);
    EXPECT_EQ(ended.code, 2) << ended.output;
    return ended.output;
  };
  EXPECT_THAT(refused("{}"), HasSubstr("has no weight_map"));
  EXPECT_THAT(refused("[1"), HasSubstr("is not JSON"));
  EXPECT_THAT(refused(R"({"weight_map": {"a": "../x.safetensors"}})"), HasSubstr("not the name of a file beside"));
  EXPECT_THAT(refused(R"({"weight_map": {"a": 3}})"), HasSubstr("not the name of a file beside"));
  EXPECT_THAT(refused(R"({"weight_map": {"a": "none.safetensors"}})"), HasSubstr("cannot be opened"));
  EXPECT_THAT(refused(R"({"weight_map": {"a": "0.safetensors"}})"), HasSubstr("says otherwise"));
  EXPECT_THAT(refused(fmt::format(R"({{"weight_map": {{{}, "more": "0.safetensors"}}}})", map)),
              HasSubstr(R"(has no tensor "more", which the index)"));
}

// One change to a good dump, and what is said of it.
struct Spoiled {
  const char* name;
  std::function<void(LinearDump&)> spoil;
  const char* because;
};

const std::vector<Spoiled> spoiled{
    {"op", [](LinearDump& d) { d.metadata["op"] = "linear"; }, "row_linear, column_linear"},
    {"no_tp", [](LinearDump& d) { d.metadata.erase("tp"); }, "its metadata has no tp: a whole number from 1 to 72"},
    {"tp", [](LinearDump& d) { d.metadata["tp"] = "73"; }, "the metadata tp=\"73\" is not a whole number from 1 to 72"},
    {"fewer_ranks", [](LinearDump& d) { d.metadata["tp"] = "2"; }, "tensor \"rank2.b\" is none of this"},
    {"more_ranks", [](LinearDump& d) { d.metadata["tp"] = "4"; },
     "has no tensor rank3.x: x is there on every rank or on none"},
    {"tokens", [](LinearDump& d) { d.metadata["tokens"] = "21"; },
     "rank0.x is 20 x 10; by the metadata and the other shapes it is 21 x 10"},
    {"sizes", [](LinearDump& d) { d.metadata["out_features"] = "1099511627777"; },
     "out_features=\"1099511627777\" is not a whole number"},
    {"bias", [](LinearDump& d) { d.metadata["bias"] = "both"; },
     "the metadata bias=\"both\" is not among what can be judged: per_rank, after"},
    {"arithmetic", [](LinearDump& d) { d.metadata["arithmetic"] = "abacus"; }, "unknown, hopper"},
    {"reduction", [](LinearDump& d) { d.metadata["reduction"] = "tree"; },
     "the metadata reduction=\"tree\" is not among"},
    {"recipe", [](LinearDump& d) { d.metadata["recipe"] = "block128"; }, "recipe=\"block128\" is not among"},
    {"fast", [](LinearDump& d) { d.metadata["fast_accumulate"] = "1"; }, "says fast_accumulate=1 of BF16 operands"},
    {"one_missing", [](LinearDump& d) { d.tensors.erase("rank1.w"); },
     "has no tensor rank1.w: w is there on every rank or on none"},
    {"no_source",
     [](LinearDump& d) {
       for (Index r = 0; r < 3; ++r) d.tensors.erase(fmt::format("rank{}.w", r));
     },
     "has rank0.y and no rank0.w: it is judged from x and w"},
    {"nothing", [](LinearDump& d) { std::erase_if(d.tensors, [](const auto& t) { return !t.first.ends_with(".x"); }); },
     "has nothing to judge: give y, dx, dw or db"},
    {"unknown_tensor", [](LinearDump& d) { d.tensors["rank0.z"] = d.at(0, "x"); },
     "tensor \"rank0.z\" is none of this"},
    {"shape", [](LinearDump& d) { std::swap(d.at(0, "w").rows, d.at(0, "w").cols); },
     "rank0.w is 10 x 24; by the metadata"},
    {"mixed",
     [](LinearDump& d) {
       for (Index r = 0; r < 3; ++r) d.put(r, "w", DType::fp16, decode(d.at(r, "w")));
     },
     "rank0.x is BF16 and rank0.w F16: they are alike"},
    {"one_rank_other", [](LinearDump& d) { d.put(1, "x", DType::fp16, decode(d.at(1, "x"))); },
     "rank0.x is BF16 and rank1.x F16: all ranks have the same format"},
    {"fp8_output", [](LinearDump& d) { d.put(0, "y", DType::e4m3, decode(d.at(0, "y"))); },
     "rank0.y is F8_E4M3; it may be F32, BF16, F16"},
    {"scale_of_bf16",
     [](LinearDump& d) {
       for (Index r = 0; r < 3; ++r) d.put(r, "x_scale_inv", DType::f32, Matrix(1, 1));
     },
     "has scales of BF16 operands"},
    {"no_scale",
     [](LinearDump& d) {
       for (Index r = 0; r < 3; ++r)
         for (const char* t : {"x", "w", "dy"}) d.put(r, t, DType::e4m3, decode(d.at(r, t)));
     },
     "has no tensor rank0.x_scale_inv: what is of F8 has a scale"},
};

class SpoiledLinear : public testing::TestWithParam<Spoiled> {};

TEST_P(SpoiledLinear, IsRefusedInASentence) {
  Random random(67);
  LinearDump dump = linear_dump(problem_of(ParallelMode::row), DType::bf16, DType::bf16, false, small_number, random);
  EXPECT_EQ(verdict_on(dump).differing, 0);
  GetParam().spoil(dump);
  EXPECT_THAT(refusal_by([&] { verdict_on(dump); }), HasSubstr(GetParam().because));
}

INSTANTIATE_TEST_SUITE_P(Table, SpoiledLinear, testing::ValuesIn(spoiled),
                         [](const testing::TestParamInfo<Spoiled>& one) { return std::string(one.param.name); });

TEST(RecordedLinear, GatheredScalesAreOne) {
  Random random(71);
  LinearDump dump = linear_dump(problem_of(ParallelMode::row), DType::bf16, DType::e4m3, false, small_number, random);
  EXPECT_EQ(verdict_on(dump).differing, 0);
  dump.put(2, "dy_scale_inv", DType::f32, Matrix(1, 1));
  EXPECT_THAT(refusal_by([&] { verdict_on(dump); }), HasSubstr("rank2.dy_scale_inv is not that of rank 0"));
}

// Every recording in pieces: the verdict is that on the whole.
TEST(RecordedPieces, GiveTheVerdictOnTheWhole) {
  const double of_a_piece = 0.7 * 0x1p20, in_all = of_a_piece * static_cast<double>(pieces_at_a_time());
  Index in_pieces = 0;
  for (const std::string& path : recording_paths()) {
    const Safetensors file = read_safetensors(path);
    const bool is_gemm = file.metadata.at("op") == "gemm";
    in_pieces += is_gemm && pieces_of(stored_gemm(file), of_a_piece).count > 1;
    for (const RecordedJudge judge : {RecordedJudge::strongest, RecordedJudge::bound}) {
      const RecordedVerdict whole = judge_recorded(file, judge), pieces = judge_recorded(file, judge, in_all);
      EXPECT_EQ(pieces.differing, 0) << path;
      EXPECT_LE(whole.compared - pieces.compared, file.find("output_amax") ? 1 : 0) << path;
      EXPECT_EQ(pieces.judge, whole.judge);
      EXPECT_DOUBLE_EQ(pieces.utilisation.largest, whole.utilisation.largest) << path;
    }
  }
  EXPECT_GT(in_pieces, 3);
}

}  // namespace
}  // namespace lockstep
