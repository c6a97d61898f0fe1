#include "oracle/campaign/draw.h"
#include "oracle/campaign/journal.h"
#include "property_tests/file_text.h"
#include "property_tests/fuzz/mutate_json.h"
#include "property_tests/fuzz/readers.h"
#include "property_tests/fuzz/valid_files.h"

#include <filesystem>
#include <limits>

namespace lockstep {
namespace {

// Every result comes back as it was read.
void read(const std::string& text) {
  static const TemporaryFile file;
  put_file_text(file.path, text);
  const JournalContents contents = read_journal(file.path);
  if (contents.whole_bytes > text.size()) throw Wrong("it has more whole bytes than bytes");
  if (contents.header.random_cases < 0) throw Wrong("fewer cases than none");
  for (const auto& [number, a_case] : contents.first_begun)
    if (number < 0) throw Wrong("a case before the first");
  for (const auto& [number, result] : contents.done) {
    const std::string line = line_of(Record{number, result.a_case, result});
    if (line_of(record_of(line)) != line) throw Wrong("what is written is read otherwise: " + line);
  }
}

// One line as JSON, or anything.
std::string spoilt(const std::string& text, const std::string& other, Random& random) {
  if (random.coin()) return mutated(text, other, random);
  const std::size_t from = static_cast<std::size_t>(random.between(1, std::ssize(text) - 1));
  const std::size_t begin = text.rfind('\n', from - 1) + 1, end = text.find('\n', begin);
  return text.substr(0, begin) + mutated_json(text.substr(begin, end - begin), random) + text.substr(end);
}

CaseResult some_result(const Case& a_case, Random& random) {
  const auto outcome = random.one_of(all_outcomes);
  CaseResult result{a_case, {}, random.coin() ? "" : "rank_missing:3", 0.25};
  result.verdict.outcome = outcome, result.verdict.judge = "exact", result.verdict.finding = "\"a\" finding\n\xff";
  result.verdict.comparison.compared = random.between(0, 100);
  result.verdict.comparison.utilisation = random.coin() ? 0.5 : std::numeric_limits<double>::infinity();
  result.verdict.outputs = random.word();
  return result;
}

void write_journal(const std::string& path, Random& random) {
  std::filesystem::remove(path);
  {
    Journal journal(path,
                    {{"op=gemm_rs", "tp=2"}, random.between(0, 9), random.word(), {{"data", "wild"}}, true, 0.25});
    for (Index number = 0, count = random.between(0, 5); number < count; ++number) {
      const Case a_case = draw_case(random.word(), number, 0, {});
      journal.add({number, a_case, {}});
      if (random.coin()) journal.add({number, a_case, some_result(a_case, random)});
    }
  }
  if (random.coin()) Journal(path, read_journal(path)).add({7, parse_case("op=ag_gemm"), {}});
}

}  // namespace

Reader journals() {
  return {.name = "journal", .valid = valid_files(write_journal, 60, 4), .read = read, .spoil = spoilt};
}

}  // namespace lockstep
