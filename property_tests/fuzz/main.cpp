// Looks for a text that one of our readers does wrong with: crashes, hangs, throws what is no refusal, takes memory
// that the text does not warrant, or reads what it does not print again.
//
//   lockstep_fuzz READER --seed S (--inputs N | --seconds T | --only NUMBER)
//
// Input NUMBER of a seed is always the same. Built with the address and undefined-behaviour sanitizers
// (CMakeLists.txt). Exit code 0: nothing found; 1: a finding, with its number; anything else ends in the middle, with
// the number said.
#include "oracle/judges/stopwatch.h"
#include "property_tests/fuzz/readers.h"
#include "reference/contract/quote.h"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstring>
#include <limits>
#include <map>

// What the sanitizers read; memory is theirs and ours together.
extern "C" const char* __asan_default_options() {
  return "abort_on_error=1:max_allocation_size_mb=64:hard_rss_limit_mb=512";
}
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1"; }

namespace lockstep {
namespace {

char where[256];  // which input is being read, for whoever ends the process in the middle

void say_where() { (void)!write(STDERR_FILENO, where, strnlen(where, sizeof where)); }

void say_abort(int) { say_where(); }

void say_hang(int) {
  say_where();
  constexpr std::string_view words = "lockstep_fuzz: it has not ended\n";
  (void)!write(STDERR_FILENO, words.data(), words.size());
  _exit(1);
}

struct Asked {
  std::string reader;
  std::uint64_t seed = 0;
  Index inputs = std::numeric_limits<Index>::max(), only = -1;
  double seconds = std::numeric_limits<double>::infinity();
};

std::optional<Finding> look(const Reader& reader, const Asked& asked, Index number, Counts& counts) {
  *fmt::format_to_n(where, sizeof where - 1, "lockstep_fuzz {} --seed {} --only {}\n", reader.name, asked.seed, number)
       .out = '\0';
  alarm(static_cast<unsigned>(2 * longest_seconds));
  return look_at(reader, asked.seed, number, counts);
}

int report(const Finding& finding) {
  say_where();
  fmt::print("{}\ninput, {} bytes: {}\n", finding.what, finding.input.size(), in_quotes(finding.input));
  return 1;
}

int fuzz(const Reader& reader, const Asked& asked) {
  const Stopwatch stopwatch;
  Counts counts;
  const bool is_one = asked.only >= 0;
  Index number = is_one ? asked.only : 0;
  for (; is_one ? number == asked.only : number < asked.inputs && stopwatch.seconds() < asked.seconds; ++number)
    if (const auto finding = look(reader, asked, number, counts)) return report(*finding);
  fmt::print("{}: {} texts taken, {} refused, in {:.1f} s\n", reader.name, counts.taken, counts.refused,
             stopwatch.seconds());
  if (is_one) return 0;
  return counts.taken > std::ssize(reader.valid) && counts.refused > 0 ? 0 : 1;  // else it has looked at nothing
}

int run(int argc, char** argv) {
  const std::map<std::string, Reader (*)()> readers{
      {"case", case_lines}, {"config", configurations}, {"safetensors", safetensors}, {"journal", journals}};
  Asked asked;
  CLI::App app("Looks for a text that a reader of Lockstep does wrong with", "lockstep_fuzz");
  app.add_option("reader", asked.reader, "which")->required()->check(CLI::IsMember(readers));
  app.add_option("--seed", asked.seed, "of the texts (0)");
  app.add_option("--inputs", asked.inputs, "how many texts")->check(CLI::NonNegativeNumber);
  app.add_option("--seconds", asked.seconds, "for how long")->check(CLI::NonNegativeNumber);
  app.add_option("--only", asked.only, "the text of this number")->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, argc, argv);
  std::signal(SIGALRM, say_hang);
  std::signal(SIGABRT, say_abort);
  return fuzz(readers.at(asked.reader)(), asked);
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) { return lockstep::run(argc, argv); }
