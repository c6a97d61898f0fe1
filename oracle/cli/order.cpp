// lockstep order: in which order a sum was taken, from its outputs alone.
#include "oracle/cli/device.h"
#include "oracle/cli/exit_code.h"
#include "oracle/cli/flags.h"
#include "oracle/cli/verbs.h"
#include "oracle/inputs/recorded_path.h"
#include "oracle/order/case_order.h"
#include "oracle/order/print.h"
#include "oracle/order/recorded_probe.h"
#include "oracle/report/json.h"
#include "oracle/report/standard_error.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>

namespace lockstep {
namespace {

using nlohmann::json;

struct OrderFlags {
  std::optional<std::string> line, model, make, dtype;
  std::optional<Index> k, split_k;
  std::vector<std::string> files;
  std::string json;
};

struct Result {
  int code = exit_agree;
  json content{};
  std::string text{};
};

std::string_view verdict_of(int code) {
  return code == exit_agree ? "agree" : code == exit_disagree ? "disagree" : code == exit_blind ? "blind" : "invalid";
}

void add_lines(Result& result, Index call, const std::vector<OrderFound>& lines) {
  for (const OrderFound& line : lines) {
    if (!line.agrees) result.code = exit_disagree;
    const std::string_view verdict = line.agrees ? "agree" : "disagree";
    result.text += fmt::format("{:<8} call {}, {}, {}: {}\n", verdict, call, line.what, line.where, line.found);
    if (!line.agrees) result.text += fmt::format("         declared: {}\n", line.declared);
    result.content["orders"].push_back({{"call", call},
                                        {"what", line.what},
                                        {"where", line.where},
                                        {"found", line.found},
                                        {"declared", line.declared},
                                        {"verdict", verdict}});
  }
}

Result of_case(const std::string& line) {
  const Case a_case = parse_case(line);
  need_device_for(a_case);
  Result result{.content = {{"case", print(a_case)}, {"orders", json::array()}}};
  for (std::size_t which = 0; which < a_case.calls.size(); ++which)
    add_lines(result, static_cast<Index>(which), orders_of(a_case.calls[which]));
  if (result.content["orders"].empty())
    result.code = exit_blind, result.text = "no order shows: there is no sum of two terms or more\n";
  result.text += fmt::format("case: {}\nverdict: {}\n", print(a_case), verdict_of(result.code));
  result.content["verdict"] = verdict_of(result.code);
  return result;
}

DType type_of_model(const Model& model) {
  return model.operand_bits == 8 ? DType::e4m3 : model.operand_bits == 16 ? DType::bf16 : DType::f32;
}

Index required_k(const OrderFlags& flags, std::string_view of) {
  if (!flags.k) refuse("{} needs --k, the length of the sum: 2 to {}", of, max_probe_k);
  return *flags.k;
}

Result of_model(const OrderFlags& flags) {
  const Model& model = model_named(*flags.model);
  const DType type = flags.dtype ? dtype_named(*flags.dtype) : type_of_model(model);
  const Index split_k = flags.split_k.value_or(1), k = required_k(flags, "--model");
  if (!takes(model, type))
    refuse("--dtype {}: the model {} takes operands of {} bits", name(type), model.name, model.operand_bits);
  if (split_k < 1 || split_k > 1024) refuse("--split-k {}: a number from 1 to 1024", split_k);
  if (k < 2 || k > max_probe_k) refuse("--k {}: a sum whose order can show has 2 to {} terms", k, max_probe_k);
  const auto terms = terms_of(k, stride_for(k, most_terms(type)));
  const SumTree tree = declared_tree(model.accumulator, split_k, type, k, terms);
  const std::string found = print(tree, terms), row = signature(counts_of(tree));
  return {.content = {{"verdict", "agree"},
                      {"model", model.name},
                      {"split_k", split_k},
                      {"dtype", name(type)},
                      {"k", k},
                      {"tree", found},
                      {"signature", row},
                      {"stride", terms.front().size()}},
          .text = fmt::format("{}\n{}{}\nrow 0: {}\n", describe(model.accumulator), found,
                              resolution(terms.front().size()), row)};
}

Result made(const OrderFlags& flags) {
  if (!flags.dtype) refuse("--make needs --dtype: f32, bf16, fp16, e4m3 or e5m2");
  const Probe probe = make_probe(dtype_named(*flags.dtype), required_k(flags, "--make"));
  write_probe(*flags.make, probe);
  const Index n = std::ssize(probe.terms);
  return {
      .content = {{"verdict", "agree"}, {"file", *flags.make}, {"rows", n}, {"k", probe.k}, {"stride", probe.stride()}},
      .text = fmt::format("{}: input and weight, each {} x {} {}. Run output = input weight^T to F32, add it to the "
                          "file as output, and give that to lockstep order\n",
                          shown_path(*flags.make), n, probe.k, name(probe.input.dtype))};
}

Result of_recorded(const std::string& file) {
  const RecordedProbe recorded = read_recorded_probe(file);
  Result result{.content = {{"file", file}}};
  const std::string path = shown_path(file);
  if (!recorded.probe) {
    result.code = exit_blind;
    result.text = fmt::format("blind    {}: input and weight are no probe's, so its output shows no order\n", path);
    result.content["verdict"] = "blind";
    return result;
  }
  const TreeReading& reading = recorded.reading;
  const auto fits = which_models(*recorded.probe, reading.counts, recorded.split_k);
  const bool wrong = !declaration_fits(recorded, fits), unknown = !reading.finding.empty() && fits.empty();
  result.code = wrong || unknown ? exit_disagree : exit_agree;
  const std::string found = reading.finding.empty()
                                ? print(reading.tree, recorded.probe->terms) + resolution(recorded.probe->stride())
                                : reading.finding;
  const std::string row = reading.counts.rows > 0 ? signature(reading.counts) : "";
  result.text = fmt::format("{:<8} {}: {}\n         row 0: {}\n         fits: {}{}\n", verdict_of(result.code), path,
                            found, row, print(fits), wrong ? "; not what the file declares" : "");
  json models = json::array();
  for (const Fit& fit : fits) models.push_back({{"model", fit.model->name}, {"split_k", fit.split_k}});
  result.content.update({{"verdict", verdict_of(result.code)}, {"tree", found}, {"signature", row}, {"fits", models}});
  return result;
}

Result refused(const std::string& file, const std::string& why) {
  say(fmt::format("lockstep: {}\n", why));
  return {exit_invalid, {{"file", file}, {"verdict", "refused"}, {"refusal", why}}, ""};
}

// Each on its own, as check does.
Result of_file(const std::string& file) try { return of_recorded(file); } catch (const Refusal& refusal) {
  return refused(file, refusal.what());
} catch (const std::bad_alloc&) {
  return refused(file, fmt::format("{}: there is not enough memory to read it", shown_path(file)));
}

Result of_files(const std::vector<std::string>& files) {
  Result all{.content = {{"files", json::array()}}};
  const auto worse = [](int a, int b) {
    for (int code : {exit_disagree, exit_invalid, exit_blind})
      if (a == code || b == code) return code;
    return int{exit_agree};
  };
  for (const std::string& file : files) {
    const Result one = of_file(file);
    all.code = worse(all.code, one.code);
    all.content["files"].push_back(one.content);
    all.text += one.text;
  }
  all.content["verdict"] = verdict_of(all.code);
  all.text += fmt::format("verdict: {}\n", verdict_of(all.code));
  return all;
}

void check_form(const OrderFlags& f) {
  const int forms = f.line.has_value() + f.model.has_value() + f.make.has_value() + !f.files.empty();
  if (forms != 1)
    refuse("order takes one of: --case LINE; --model NAME --k K; --make FILE --dtype T --k K; or files to read");
  if (f.split_k && !f.model) refuse("--split-k goes with --model");
  if (f.k && !f.model && !f.make) refuse("--k goes with --model or --make");
  if (f.dtype && !f.model && !f.make) refuse("--dtype goes with --model or --make");
}

int run(const OrderFlags& flags) {
  check_form(flags);
  expect_json_writable(flags.json, flags.make ? std::vector{*flags.make} : flags.files);
  const Result result = flags.line    ? of_case(*flags.line)
                        : flags.model ? of_model(flags)
                        : flags.make  ? made(flags)
                                      : of_files(flags.files);
  if (flags.json != "-") fmt::print("{}", result.text);
  if (!flags.json.empty()) write_json(result.content, flags.json);
  return result.code;
}

}  // namespace

void add_order(CLI::App& app, Chosen& chosen) {
  auto flags = std::make_shared<OrderFlags>();
  CLI::App* verb = app.add_subcommand("order", "Reveal in which order a plan, a model or a recorded kernel sums");
  verb->add_option("--case", flags->line, "a case line: the sums of its plan, over K and over the ranks");
  verb->add_option("--model", flags->model, "a known model: the order that it declares");
  verb->add_option("--make", flags->make, "write a probe for another kernel to this safetensors file");
  verb->add_option("--dtype", flags->dtype, "of the operands, with --model or --make");
  verb->add_option("--k", flags->k, "the length of the sum, with --model or --make");
  verb->add_option("--split-k", flags->split_k, "with --model; 1 if it is not given");
  verb->add_option("files", flags->files, "safetensors files with input, weight (a probe) and the output of it");
  add_json(verb, flags->json);
  verb->callback([flags, &chosen] { chosen = [flags] { return run(*flags); }; });
}

}  // namespace lockstep
