// What a call of MPI answers: whatever is not a success becomes a DeviceError that says which call, and what MPI says.
#pragma once

#include "reference/contract/device_error.h"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <string_view>

namespace lockstep {

// `call` is what was tried, as in "MPI_Put".
inline void expect(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(status, text.data(), &length) != MPI_SUCCESS) length = 0;
  throw DeviceError(
      fmt::format("{} failed with status {}: {}", call, status, std::string_view(text.data(), std::size_t(length))));
}

}  // namespace lockstep
