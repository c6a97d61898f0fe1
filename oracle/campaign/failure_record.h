// A failure on its way from one process to another: all that is printed and written of it, in one line of JSON.
#pragma once

#include "oracle/diagnosis/failure.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace lockstep {

std::string line_of(const Failure& failure);
// None where it is none: code under test may write into any pipe of its process.
std::optional<Failure> failure_on(const std::string& line);

// A verdict by itself, with the first elements that differ.
nlohmann::json verdict_json(const Verdict& verdict);
Verdict verdict_of(const nlohmann::json& json);

}  // namespace lockstep
