# Libraries, from the system's packages (ci/setup.sh installs them); fetched only where a package is missing.
include(FetchContent)

# find_package(package), or the same at a fixed tag from its home. `target` is what the rest of the build links.
function(lockstep_dependency package target url tag)
  find_package(${package} QUIET)
  if(TARGET ${target})
    return()
  endif()
  message(STATUS "${package} is not installed: fetching ${tag} from ${url}")
  # A shallow clone holds tags, but not any commit. CMake 3.25 reads SYSTEM as part of the value before it: of the tag it
  # must not be, so GIT_SHALLOW is said last, and only where it is ON.
  set(shallow GIT_SHALLOW ON)
  if(tag MATCHES "^[0-9a-f]+$")
    set(shallow)
  endif()
  FetchContent_Declare(${package} SYSTEM GIT_REPOSITORY ${url} GIT_TAG ${tag} ${shallow})
  FetchContent_MakeAvailable(${package})
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${package} from ${url} does not provide ${target}: install its package, ci/setup.sh names it")
  endif()
endfunction()

# Projects older than CMake 3.13 drop a plain variable where they declare the option.
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
set(RC_ENABLE_GTEST ON)
set(BENCHMARK_ENABLE_TESTING OFF)
set(JSON_BuildTests OFF)

find_package(Threads REQUIRED)
lockstep_dependency(fmt fmt::fmt https://github.com/fmtlib/fmt 9.1.0)
lockstep_dependency(nlohmann_json nlohmann_json::nlohmann_json https://github.com/nlohmann/json v3.11.2)
lockstep_dependency(CLI11 CLI11::CLI11 https://github.com/CLIUtils/CLI11 v2.3.2)
lockstep_dependency(GTest GTest::gtest_main https://github.com/google/googletest release-1.12.1)
lockstep_dependency(rapidcheck rapidcheck https://github.com/emil-e/rapidcheck ff6af6fc683159deb51c543b065eba14dfcf329b)
lockstep_dependency(benchmark benchmark::benchmark_main https://github.com/google/benchmark v1.7.1)
