#include "oracle/cli/flags.h"

#include "oracle/report/json_file.h"
#include "reference/contract/case.h"
#include "reference/contract/refusal.h"

namespace lockstep {

void add_json(CLI::App* verb, std::string& json) {
  verb->add_option_function<std::string>(
      "--json",
      [&json](const std::string& file) {
        if (file.empty()) refuse("--json \"\": give the name of a file, or - for standard output");
        json = file;
      },
      "also write the result as JSON; - for standard output");
}

void expect_file(std::string_view flag, const std::optional<std::string>& path) {
  if (path && path->empty())
    refuse("{} takes the name of a file, or - for standard output; an empty one is none", flag);
  if (path) expect_json_writable(*path);
}

void add_seed(CLI::App* verb, std::uint64_t& seed) {
  verb->add_option_function<std::string>(
      "--seed",
      [&seed](const std::string& text) {
        Call call;
        key_named("seed").set(call, text);
        seed = call.seed;
      },
      "of the random cases (0)");
}

}  // namespace lockstep
