// A result, as JSON or another text, in a file or, for "-", on standard output. Bytes that are not UTF-8, as a file's
// name may hold, come out as U+FFFD.
//
// A file is there whole or as it was before: it is written beside, under another name, and renamed. What is no regular
// file (a device, a pipe) is not replaced but written to.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace lockstep {

// Before a run: refuses a path that write_json could not write to, as far as can be told, and one of the files that the
// run reads. Nothing is refused of "", no file, and "-".
void expect_json_writable(const std::string& path, const std::vector<std::string>& inputs = {});

// Refuse a file that cannot be written. The text is written as it is.
void write_result(const std::string& text, const std::string& path);
void write_json(const nlohmann::json& json, const std::string& path);

}  // namespace lockstep
