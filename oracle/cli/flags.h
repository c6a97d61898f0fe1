// Flags that verbs share, and read alike.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace lockstep {

// --json FILE, - for standard output; refuses an empty name.
void add_json(CLI::App* verb, std::string& json);
// --seed N, as the key `seed` of a case.
void add_seed(CLI::App* verb, std::uint64_t& seed);

}  // namespace lockstep
