#include "oracle/cli/other_executable.h"

#include "reference/contract/device_error.h"
#include "reference/contract/quote.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace lockstep {
namespace {

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

// Returns where there is no such executable.
void become(const std::filesystem::path& executable) {
  std::vector<std::string> arguments = own_arguments();
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(executable.c_str(), pointers.data());
}

}  // namespace

void go_on_as(const std::string& name, const std::string& asked, const std::string& why_not_this) {
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path other = self.parent_path() / name;
  if (self.filename() == name) throw DeviceError(fmt::format("{}: {}", asked, why_not_this));
  become(other);
  throw DeviceError(fmt::format("{}: {}, and {} cannot be run in its place: {}", asked, why_not_this,
                                in_quotes(other.string()), std::generic_category().message(errno)));
}

}  // namespace lockstep
