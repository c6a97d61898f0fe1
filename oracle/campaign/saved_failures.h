// Failures that are kept in a folder, so that every campaign begins with them: one JSON file each, as run writes a
// failure, under a name that is a hash of its case line. A file that is there is never written to again.
#pragma once

#include "oracle/diagnosis/failure.h"

namespace lockstep {

inline constexpr std::string_view default_failure_folder = ".lockstep/failures";

struct SavedFailure {
  std::string name;  // 16 hexadecimal digits
  Case a_case;
  std::string kind, where, sentence;
  std::string kernel{};  // the library whose failure it is; "": a program of ours
};

struct SavedFailures {
  std::vector<SavedFailure> all;     // by name
  std::vector<std::string> refused;  // a sentence for each file that is not one
};

std::string saved_name(const Case& a_case, const std::string& kernel = "");

// Makes it; refuses where nothing could be saved in it.
void expect_folder(const std::string& folder);

// Why it is not to be judged as a program of ours; "" where it is one.
std::string why_not_ours(const SavedFailure& failure, const std::string& folder);

// The smallest case of a failure; makes the folder. Returns the name. Refuses where it cannot be written, and where the
// file of the name holds another case.
std::string save(const std::string& folder, const Failure& failure);

// Of all files *.json of the folder; none where there is no folder. Refuses one that cannot be read.
SavedFailures saved_failures(const std::string& folder);

// Whose name begins so; refuses none and several.
SavedFailure saved_failure(const std::string& folder, std::string_view name);

// A case line with a comment: "op=gemm_rs tp=2  # name: why". `name` must not be empty.
std::string promoted_line(const SavedFailure& failure, std::string_view name);
// Appended to a file as a line of its own, unless it is there.
void promote(const std::string& file, const std::string& line);

// The case lines of a file: one a line, what follows # left out, empty ones too. Refuses, with file and line, one that
// is no case line.
std::vector<std::string> read_case_file(const std::string& file);

}  // namespace lockstep
