#include "oracle/diagnosis/advice.h"

#include "oracle/diagnosis/short_line.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

struct Advice {
  std::string_view of;  // a class of faults, or a judge
  std::string_view words;
};

constexpr Advice all_advice[] = {
    {"offset", "Look where the pointer of each chunk is made: a base that is not advanced, or by the wrong stride."},
    {"mapping", "Look where a chunk or a peer gets its number: ranks of the group and of the world, send and receive."},
    {"contribution", "Count the terms of the sum: a rank, a chunk or a bias is left out or comes in twice."},
    {"remainder", "Look at what is left over when sizes do not divide: the last chunk, the tail of a vector."},
    {"scale", "Follow the scale of each operand from where it is made to where it is read: whose, of which call."},
    {"precision", "Look at the type and the order of the sum: where it is rounded, in which order the ranks come."},
    {"layout", "Compare leading dimensions and transposes with what the operand really has."},
    {"backward", "Look at the gradient's own path: its reduction, and what it is added to."},
    {"overflow", "Look for an offset or a count that is computed in too few bits."},
    {"zero", "Look at what happens for no rows, no columns or one of them: an early return skips its epilogue."},
    {"dispatch", "Look at which kernel is chosen for this configuration, and whether it runs at all."},
    {"order",
     "An event or a signal is missing between the two operations: record it after the first, wait before the "
     "second."},
    {"reuse", "A buffer is written again before its reader is done: hand it back by a signal, or take two."},
    {"stream", "Fork the stream from the caller's, and join it again, by events."},
    {"hang", "Look at who should send what is waited for, and to which value the counter is awaited."},
    {"bounds", "Look at the size that the buffer is given against the largest extent that is written."},
    {"hazards", "Two operations that conflict are not ordered: add the edge that the finding names."},
    {"memory", "Something is written outside what it belongs to: look at extents and tails."},
    {"provenance", "The values happen to agree, but something else reached the output: look at what bisect names."}};

constexpr std::string_view of_others =
    "No fault that is known looks like this: let bisect name the first operation that goes wrong, and read what the "
    "wrong values say themselves.";

}  // namespace

std::string advice(const Explanation& explanation, const Verdict& verdict) {
  for (const Advice& advice : all_advice)
    if (advice.of == explanation.kind || (explanation.faults.empty() && advice.of == verdict.judge))
      return std::string(advice.words);
  return std::string(of_others);
}

std::vector<Command> commands_to_go_on(const Case& a_case, const Verdict& verdict) {
  const std::string line = short_line(a_case);
  const auto command = [&](std::string_view why, std::string_view verb) {
    return Command{std::string(why), fmt::format("lockstep {} --case '{}'", verb, line)};
  };
  std::vector<Command> commands{command("the smallest case that fails like it", "reduce"),
                                command("the first operation that goes wrong", "bisect")};
  if (verdict.judge == "hazards" || verdict.judge == "hang")
    commands.push_back(command("what is wrong whatever the timing", "hazards"));
  if (a_case.first().executor.kind == ExecutorKind::threads || a_case.first().executor.device == RunsOn::cuda)
    commands.push_back(command("how often it fails", "repeat --until 100"));
  commands.push_back(command("its schedule, and a timeline for ui.perfetto.dev", "plan --trace timeline.json"));
  return commands;
}

}  // namespace lockstep
