#include "oracle/report/json_file.h"

#include "oracle/inputs/recorded_path.h"
#include "reference/contract/refusal.h"

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_unwritable(const std::string& path, int error) {
  refuse("{}: the file cannot be written: {}", shown_path(path), std::strerror(error));
}

void refuse_input(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs)
    if (input == path || fs::equivalent(input, path, ignored))
      refuse("{}: is one of the files to be read, and would be lost: name another", shown_path(path));
}

// What a link leads to, so that the link stays.
fs::path behind_links(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : target;
}

bool is_device_or_pipe(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::is_other(status) && status.type() != fs::file_type::unknown;
}

fs::path beside(const fs::path& target) {
  fs::path other = target;
  return other += fmt::format(".{}.partial", getpid());
}

// False, and errno says why.
bool write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  return !stream.fail();
}

[[noreturn]] void give_up(const fs::path& partial, const std::string& path, int error) {
  std::error_code ignored;
  fs::remove(partial, ignored);
  refuse_unwritable(path, error);
}

void write_beside_and_rename(const fs::path& target, const std::string& text, const std::string& path) {
  const fs::path partial = beside(target);
  if (!write_text(partial, text)) give_up(partial, path, errno);
  std::error_code error;
  fs::rename(partial, target, error);
  if (error) give_up(partial, path, error.value());
}

}  // namespace

void expect_json_writable(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty() || path == "-") return;
  refuse_input(path, inputs);
  const fs::path target = behind_links(path);
  std::error_code ignored;
  if (fs::is_directory(target, ignored)) refuse_unwritable(path, EISDIR);
  if (fs::exists(target, ignored) && access(target.c_str(), W_OK) != 0) refuse_unwritable(path, errno);
  if (is_device_or_pipe(target)) return;
  const fs::path partial = beside(target);
  if (!write_text(partial, "")) give_up(partial, path, errno);
  fs::remove(partial, ignored);
}

void write_json(const nlohmann::json& json, const std::string& path) {
  write_result(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n", path);
}

void write_result(const std::string& text, const std::string& path) {
  if (path == "-") {
    std::cout << text;
    return;
  }
  const fs::path target = behind_links(path);
  if (!is_device_or_pipe(target)) return write_beside_and_rename(target, text, path);
  if (!write_text(target, text)) refuse_unwritable(path, errno);
}

}  // namespace lockstep
