#include "oracle/cli/run_flags.h"

#include "fused/cuda/execute.h"
#include "oracle/campaign/child.h"
#include "oracle/campaign/saved_failures.h"
#include "oracle/cli/device.h"
#include "oracle/cli/runnable.h"
#include "oracle/cli/with_overlap.h"
#include "oracle/inputs/program.h"
#include "oracle/kernel/kernel_subject.h"
#include "oracle/report/standard_error.h"
#include "reference/contract/hash.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>

namespace lockstep {
namespace {

// Values are checked as in a case line.
void set_keys(Call& call, const RunFlags& flags) {
  for (const auto& [key, value] : flags.keys)
    if (value) key_named(key).set(call, *value);
}

Case parse_with_flags(const std::string& line, const RunFlags& flags) {
  Case a_case = with_overlap(parse_case(line), flags.overlap, flags.layer);
  for (Call& call : a_case.calls) set_keys(call, flags);
  validate(a_case);
  return a_case;
}

// What random cases would have to leave out of what was asked.
void check_fixed(const RunFlags& flags) {
  Call call;
  for (std::string_view key : {"data", "judge", "device", "executor"})
    if (const auto& value = flags.keys.at(key)) key_named(key).set(call, *value);
  call.tp = max_tp, call.world = call.judge == JudgeChoice::relations ? 0 : max_world;
  validate({{resolved(call)}});
}

Fixed fixed_by(const RunFlags& flags) {
  Call call;
  set_keys(call, flags);
  const auto given = [&](std::string_view key) { return flags.keys.at(key).has_value(); };
  Fixed fixed;
  if (given("executor")) fixed.executor = call.executor;
  if (given("data")) fixed.data = call.data;
  if (given("arithmetic")) fixed.arithmetic = call.arithmetic;
  fixed.device = call.executor.device;
  fixed.judge = call.judge;
  fixed.fault = call.fault;
  return fixed;
}

// Before anything runs: what one case cannot do should not cost the results of the others.
void check_case(const Case& a_case) try { expect_runnable(a_case); } catch (const Refusal& refusal) {
  refuse("--case {}: {}", in_quotes(print(a_case)), refusal.what());
}

}  // namespace

bool asks_for_mpi(const RunFlags& flags) {
  const auto& executor = flags.keys.at("executor");
  const auto names_it = [](const std::string& line) { return line.find("executor=mpi") != line.npos; };
  return (executor && executor->starts_with("mpi")) || std::ranges::any_of(flags.cases, names_it);
}

namespace {

void expect_no_other_subject(const RunFlags& flags) {
  if (asks_for_mpi(flags))
    refuse("--kernel: it goes with no executor=mpi: the library runs all ranks of a case itself");
  if (!flags.html.empty())
    refuse("--kernel: it goes without --html, a page that draws a schedule, which a library has not");
  for (std::string_view key : {"device", "executor", "fault"})
    if (flags.keys.at(key))
      refuse(
          "--kernel: it goes without --{}, which is of Lockstep's own programs: the library says where and how it runs",
          key);
}

// Saved failures of the program that is judged, ours or the library, are judged before all other cases that are given,
// as they are.
void add_saved(CampaignOptions& options, const std::string& folder, std::size_t after) {
  const SavedFailures saved = saved_failures(folder);
  for (const std::string& sentence : saved.refused) say(fmt::format("lockstep: {}\n", sentence));
  auto at = options.cases.begin() + static_cast<std::ptrdiff_t>(after);
  Index others = 0;
  for (const SavedFailure& failure : saved.all)
    if (failure.kernel == options.subject.kernel)
      at = options.cases.insert(at, failure.a_case) + 1;
    else
      ++others;
  if (others > 0) say(fmt::format("lockstep: {} saved failures are not judged: they are of other programs\n", others));
}

}  // namespace

CampaignOptions options_of(const RunFlags& flags, const std::vector<ModelCase>& models) {
  CampaignOptions options;
  for (const ModelCase& model : models) options.cases.push_back(parse_with_flags(print(model.a_case), flags));
  for (const std::string& line : flags.cases) options.cases.push_back(parse_with_flags(line, flags));
  const bool only_given = flags.random_cases < 0 && !options.cases.empty();
  options.fixed = fixed_by(flags);
  options.random_cases = only_given ? 0 : flags.random_cases < 0 ? 100 : flags.random_cases;
  if (flags.overlap && options.random_cases > 0)
    refuse("--overlap {}: a configuration goes with the cases of --case or --preset, not with random ones",
           in_quotes(*flags.overlap));
  if (const auto& key = flags.keys.at("data"); options.random_cases > 0 && key && is_coded(*options.fixed.data))
    refuse(
        "--data {}: random cases take planted or data that are not exact, since few layers can be shown by {}; give it "
        "a --case",
        *key, *key);
  if (options.random_cases > 0) check_fixed(flags);
  options.seed = flags.seed;
  options.keep_going = flags.keep_going;
  options.threads = flags.threads;
  options.isolate = flags.isolate;
  options.case_limit = std::chrono::seconds(flags.case_timeout.value_or(flags.kernel ? 60 : 600));
  if (flags.kernel) expect_no_other_subject(flags);
  if (asks_for_mpi(flags)) {
    if (flags.threads > 1)
      refuse("--threads {}: with executor=mpi one thread judges, the one that calls MPI", flags.threads);
    if (flags.isolate) refuse("--isolate: with executor=mpi the processes of the job judge, none is forked");
    options.threads = 1;
    options.may_fork = false;
  }
  std::optional<KernelAbout> kernel;
  if (flags.kernel) kernel = about_kernel(*flags.kernel, options.case_limit), options.subject.kernel = kernel->path;
  if (flags.db) expect_folder(*flags.db);
  if (flags.db && !flags.resume) add_saved(options, *flags.db, models.size());  // a journal has them
  if (kernel) judge_kernel_in(options, *kernel);
  expect_fault(options.fixed.fault);
  for (const Case& a_case : options.cases) check_case(a_case);
  return options;
}

namespace {

std::string why_not_on_device(const CampaignOptions& options) {
  for (const Case& a_case : options.cases) {
    if (a_case.first().executor.device != RunsOn::cuda) continue;
    if (const std::string reason = lockstep::why_not_on_device(correct_program(a_case)); !reason.empty())
      return fmt::format("--case {}: {}", in_quotes(print(a_case)), reason);
  }
  return "";
}

void need_device_for_kernel(const CampaignOptions& options) {
  const KernelAbout about = about_kernel(options.subject.kernel, options.case_limit);
  if (about.memory == RunsOn::cuda && !told_by_child(why_no_device).empty()) need_device();
  expect_supported(options, about);
}

}  // namespace

// A process that has asked for its devices cannot be forked: then a child asks.
void need_device_for(const CampaignOptions& options) {
  if (!options.subject.kernel.empty()) return need_device_for_kernel(options);
  const auto on_device = [](const Case& a_case) { return a_case.first().executor.device == RunsOn::cuda; };
  const bool is_asked = options.fixed.device == RunsOn::cuda && options.random_cases > 0;
  if (!is_asked && std::ranges::none_of(options.cases, on_device)) return;
  const bool asks_here = !options.isolate || !told_by_child(why_no_device).empty();
  if (asks_here) need_device();
  const auto ask = [&] { return why_not_on_device(options); };
  const std::string reason = asks_here ? ask() : told_by_child(ask);
  if (!reason.empty()) refuse("{}", reason);
}

namespace {

// "" of no file.
std::string hash_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return bytes.empty() ? "" : fmt::format("{:016x}", hash_of(std::as_bytes(std::span(bytes))));
}

}  // namespace

JournalHeader header_of(const RunFlags& flags, const CampaignOptions& options) {
  JournalHeader header{{}, options.random_cases, options.seed, {}, options.keep_going, flags.max_blind};
  for (const Case& a_case : options.cases) header.cases.push_back(print(a_case));
  for (const auto& [key, value] : flags.keys)
    if (value) header.keys[std::string(key)] = *value;
  if (const std::string& kernel = options.subject.kernel; !kernel.empty())
    header.keys["kernel"] = kernel, header.keys["kernel.hash"] = hash_of_file(kernel);
  return header;
}

void take(RunFlags& flags, const JournalHeader& header) {
  flags.cases = header.cases;
  flags.random_cases = header.random_cases, flags.seed = header.seed;
  flags.keep_going = header.keep_going, flags.max_blind = header.max_blind;
  for (auto& [key, value] : flags.keys)
    if (const auto found = header.keys.find(std::string(key)); found != header.keys.end()) value = found->second;
  if (!header.keys.contains("kernel")) return;
  flags.kernel = header.keys.at("kernel");
  if (header.keys.contains("kernel.hash") && hash_of_file(*flags.kernel) != header.keys.at("kernel.hash"))
    refuse("--resume: the library {} is another than the one that the journal is of", in_quotes(*flags.kernel));
}

}  // namespace lockstep
