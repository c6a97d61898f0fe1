#include "oracle/campaign/saved_failures.h"

#include "oracle/diagnosis/short_line.h"
#include "oracle/report/json.h"
#include "oracle/report/json_read.h"
#include "reference/contract/hash.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

SavedFailure read_failure(const fs::path& path) {
  const nlohmann::json json = read_json(path.string());
  const auto text = [&](const char* key) -> std::string {
    if (!json.is_object() || !json.contains(key) || !json[key].is_string())
      refuse("{}: has no text \"{}\", so it is no saved failure", shown_path(path.string()), key);
    return json[key];
  };
  try {
    const std::string kernel = json.is_object() && json.contains("kernel") ? text("kernel") : "";
    return {path.stem().string(), parse_case(text("case")), text("class"), text("where"), text("explanation"), kernel};
  } catch (const Refusal& refusal) {
    const std::string why = refusal.what(), name = shown_path(path.string());
    refuse("{}", why.starts_with(name) ? why : name + ": " + why);
  }
}

std::vector<fs::path> files_of(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  if (!fs::exists(folder, error)) return files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".json") files.push_back(at->path());
  if (error) refuse("--db {}: the folder cannot be read: {}", in_quotes(folder), error.message());
  std::ranges::sort(files);
  return files;
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

std::string without_comment(const std::string& line) {
  const std::string text = line.substr(0, line.find('#'));
  const auto begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == text.npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace

std::string saved_name(const Case& a_case, const std::string& kernel) {
  const std::string line = print(a_case) + kernel;
  return fmt::format("{:016x}", hash_of(std::as_bytes(std::span(line))));
}

void expect_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse("--db {}: the folder cannot be made: {}", in_quotes(folder), error.message());
  if (access(folder.c_str(), W_OK) != 0)
    refuse("--db {}: nothing can be written there: {}", in_quotes(folder), std::strerror(errno));
}

std::string save(const std::string& folder, const Failure& failure) {
  std::error_code error;
  expect_folder(folder);
  const std::string name = saved_name(failure.shrunk, failure.kernel);
  const fs::path path = fs::path(folder) / (name + ".json");
  if (!fs::exists(path, error)) return write_json(to_json(failure), path.string()), name;
  if (read_failure(path).a_case != failure.shrunk)
    refuse("{}: holds another case, so this failure is not saved: {}", shown_path(path.string()),
           print(failure.shrunk));
  return name;
}

SavedFailures saved_failures(const std::string& folder) {
  SavedFailures saved;
  for (const fs::path& path : files_of(folder)) try {
      saved.all.push_back(read_failure(path));
    } catch (const Refusal& refusal) {
      saved.refused.emplace_back(refusal.what());
    }
  return saved;
}

SavedFailure saved_failure(const std::string& folder, std::string_view name) {
  const SavedFailures saved = saved_failures(folder);
  std::vector<SavedFailure> found;
  for (const SavedFailure& failure : saved.all)
    if (!name.empty() && failure.name.starts_with(name)) found.push_back(failure);
  if (found.size() == 1) return found.front();
  refuse("{} is the beginning of {} names in {}: `lockstep db list` shows them", in_quotes(name),
         found.empty() ? "none of the" : "several", in_quotes(folder));
}

std::string why_not_ours(const SavedFailure& failure, const std::string& folder) {
  if (failure.kernel.empty()) return "";
  return fmt::format("{}: it is a failure of the library {}, which `lockstep run --kernel {} --db {}` judges",
                     failure.name, in_quotes(failure.kernel), in_quotes(failure.kernel), in_quotes(folder));
}

std::string promoted_line(const SavedFailure& failure, std::string_view name) {
  return fmt::format("{}  # {}: {}", short_line(failure.a_case), one_line(std::string(name)),
                     one_line(failure.sentence));
}

void promote(const std::string& file, const std::string& line) {
  std::error_code error;
  const std::string before = fs::exists(file, error) ? read_text(file) : "";
  if (("\n" + before).find("\n" + line + "\n") != before.npos) return;
  std::ofstream stream(file, std::ios::app | std::ios::binary);
  stream << (before.empty() || before.ends_with('\n') ? "" : "\n") << line << '\n';
  stream.close();
  if (!stream) refuse("{}: the line cannot be written", shown_path(file));
}

std::vector<std::string> read_case_file(const std::string& file) {
  std::istringstream text(read_text(file));
  std::vector<std::string> lines;
  Index number = 0;
  for (std::string line; std::getline(text, line);) try {
      ++number;
      if (line = without_comment(line); line.empty()) continue;
      parse_case(line);
      lines.push_back(line);
    } catch (const Refusal& refusal) {
      refuse("{}, line {}: {}", shown_path(file), number, refusal.what());
    }
  return lines;
}

}  // namespace lockstep
