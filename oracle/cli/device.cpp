#include "oracle/cli/device.h"

#include "fused/cuda/execute.h"
#include "reference/contract/quote.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <filesystem>
#include <fstream>
#include <iterator>
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

void need_device() {
  const std::string reason = why_no_device();
  if (reason.empty()) return;
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path other = self.parent_path() / "lockstep_cuda";
  if (self.filename() == "lockstep_cuda") throw DeviceError("device=cuda: " + reason);
  become(other);
  throw DeviceError(fmt::format("device=cuda: {}, and {} cannot be run in its place: {}", reason,
                                in_quotes(other.string()), std::generic_category().message(errno)));
}

}  // namespace lockstep
