#include "oracle/kernel/kernel_run.h"

#include "oracle/judges/relations/outputs.h"
#include "oracle/judges/stopwatch.h"
#include "oracle/kernel/in_library.h"
#include "oracle/kernel/kernel_arguments.h"
#include "oracle/kernel/kernel_library.h"
#include "oracle/kernel/kernel_memory.h"
#include "oracle/kernel/kernel_operands.h"
#include "oracle/kernel/kernel_problem.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace lockstep {
namespace {

void add_all(KernelMemory& memory, Index call, bool is_input, const NamedTensors& tensors) {
  for (const auto& [name, ranks] : tensors)
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      const Index of = call_holding(name, call);
      memory.add(name, of, static_cast<Index>(rank), is_input && of != all_calls, ranks[rank]);
    }
}

KernelMemory memory_of(const KernelAbout& about, const Prepared& prepared) {
  KernelMemory memory(about.row_alignment);
  const auto operands = kernel_operands(prepared.a_case, prepared.inputs);
  const auto outputs = without(unwritten_outputs(prepared.a_case), [](const std::string& name) {
    return name != "y" && name != "dx" && name != "dw" && name != "db";  // main_grad has come with the inputs
  });
  for (std::size_t call = 0; call < operands.size(); ++call) {
    add_all(memory, static_cast<Index>(call), true, operands[call]);
    add_all(memory, static_cast<Index>(call), false, outputs[call]);
  }
  return memory;
}

// Whatever bytes a library wrote, fit for a terminal and for JSON.
std::string printable(std::string_view text) {
  std::string all;
  for (const char c : text)
    all += c >= ' ' && c <= '~' ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return all;
}

// What a function of the library says, where it says that it failed.
class Why {
 public:
  char* get() { return text_.data(); }
  std::string sentence(int code, const std::string& of_what) const {
    const std::string said = printable({text_.data(), strnlen(text_.data(), LOCKSTEP_WHY)});
    return fmt::format("{} (error {} of {})", said.empty() ? "without a sentence" : said, code, of_what);
  }

 private:
  std::array<char, LOCKSTEP_WHY> text_{};
};

std::string run_calls(const lockstep_kernel& table, void* state, const KernelMemory& memory, const KernelArena& arena,
                      const std::vector<lockstep_problem>& problems) {
  for (std::size_t call = 0; call < problems.size(); ++call) {
    const KernelArguments arguments(memory, arena, problems[call], static_cast<Index>(call));
    Why why;
    const int code = in_library([&] { return table.run(state, arguments.get(), why.get()); });
    if (code != 0) return why.sentence(code, fmt::format("run in call {}", call));
  }
  return "";
}

std::string run_all(const lockstep_kernel& table, const KernelMemory& memory, KernelArena& arena,
                    const std::vector<lockstep_problem>& problems) {
  void* state = nullptr;
  Why why;
  const int code = in_library(
      [&] { return table.init(problems.data(), static_cast<std::int32_t>(problems.size()), &state, why.get()); });
  if (code != 0) return why.sentence(code, "init");
  std::string failure = run_calls(table, state, memory, arena, problems);
  // After a device's complaint nothing can be done in this process any more.
  if (const std::string complaint = arena.wait(); !complaint.empty())
    return fmt::format("{} (the device, after {})", complaint, failure.empty() ? "the last call" : failure);
  in_library([&] { table.end(state); });
  return failure;
}

std::vector<NamedTensors> read_outputs(const KernelMemory& memory, const std::vector<std::byte>& image,
                                       const std::vector<NamedTensors>& wanted) {
  return each_tensor(wanted, [&](std::size_t call, const std::string& name, Index rank, const Tensor&) {
    return KernelMemory::read(*memory.find(name, call_holding(name, static_cast<Index>(call)), rank), image);
  });
}

void take_wanted_signs_of_zero(std::vector<NamedTensors>& outputs, const std::vector<NamedTensors>& wanted) {
  for (std::size_t call = 0; call < wanted.size(); ++call)
    for (const auto& [name, ranks] : wanted[call])
      for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const Tensor& want = ranks[rank];
        Tensor& got = outputs[call].at(name)[rank];
        for (Index i = 0; i < want.rows; ++i)
          for (Index j = 0; j < want.cols; ++j)
            if (value_at(got, i, j) == 0 && value_at(want, i, j) == 0) set_code(got, i, j, code_at(want, i, j));
      }
}

std::vector<lockstep_problem> problems_of(const KernelAbout& about, const Case& a_case) {
  std::vector<lockstep_problem> problems;
  for (const Call& call : a_case.calls) problems.push_back(kernel_problem(about, call));
  return problems;
}

}  // namespace

Prepared for_kernel(Prepared prepared) {
  const auto is_kept = [](const auto& named) {
    return named.first.starts_with("scale.") || named.first.starts_with("history.");
  };
  for (auto& of_call : prepared.wanted) std::erase_if(of_call, is_kept);
  for (auto& of_call : prepared.bounds) std::erase_if(of_call, is_kept);
  return prepared;
}

KernelRun run_kernel(const KernelAbout& about, const Prepared& prepared) {
  const lockstep_kernel& table = load_kernel(about.path);
  const KernelMemory memory = memory_of(about, prepared);
  const Index bytes = std::ssize(memory.image());
  const auto arena = about.memory == RunsOn::cuda ? device_arena(bytes) : host_arena(bytes);
  arena->upload(memory.image());
  KernelRun run;
  const Stopwatch stopwatch;
  run.failure = run_all(table, memory, *arena, problems_of(about, prepared.a_case));
  run.observed.seconds = stopwatch.seconds();
  if (!run.failure.empty()) return run;
  std::vector<std::byte> image(memory.image().size());
  arena->download(image);
  if (const auto finding = memory.wrongly_written(image)) run.observed.broken_guards.push_back(*finding);
  run.observed.outputs = read_outputs(memory, image, prepared.wanted);
  if (value_judge(prepared.a_case) == "exact" || value_judge(prepared.a_case) == "bound")
    take_wanted_signs_of_zero(run.observed.outputs, prepared.wanted);
  return run;
}

}  // namespace lockstep
