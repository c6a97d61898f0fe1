// Flags that verbs share, and read alike.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep {

// --json FILE, - for standard output; refuses an empty name.
void add_json(CLI::App* verb, std::string& json);
// --seed N, as the key `seed` of a case.
void add_seed(CLI::App* verb, std::uint64_t& seed);
// Where a flag names a file to be written: refuses an empty name, and what cannot be written to.
void expect_file(std::string_view flag, const std::optional<std::string>& path);

}  // namespace lockstep
