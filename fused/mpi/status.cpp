#include "fused/mpi/status.h"

#include "reference/contract/device_error.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace lockstep {

void expect(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(status, text.data(), &length) != MPI_SUCCESS) length = 0;
  throw DeviceError(
      fmt::format("{} failed with status {}: {}", call, status, std::string_view(text.data(), std::size_t(length))));
}

}  // namespace lockstep
