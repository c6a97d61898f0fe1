#include "oracle/cli/device.h"

#include "fused/cuda/execute.h"

#include <unistd.h>

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
  if (self.filename() == "lockstep") become(self.parent_path() / "lockstep_cuda");
  throw DeviceError("device=cuda: " + reason);
}

}  // namespace lockstep
