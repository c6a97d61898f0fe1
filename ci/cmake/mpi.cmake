# MPI where it is. LOCKSTEP_MPI: AUTO (use it if it is there), ON (it must be there), OFF.
# Sets LOCKSTEP_HAVE_MPI, and the target MPI::MPI_CXX, of which the C interface alone is used.
set(LOCKSTEP_MPI AUTO CACHE STRING "Compile the MPI parts: AUTO, ON or OFF")
set_property(CACHE LOCKSTEP_MPI PROPERTY STRINGS AUTO ON OFF)
set(LOCKSTEP_HAVE_MPI OFF)

if(LOCKSTEP_MPI STREQUAL "OFF")
  message(STATUS "MPI: switched off")
  return()
endif()

set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  set(LOCKSTEP_HAVE_MPI ON)
  message(STATUS "MPI: ${MPI_CXX_VERSION}, ${MPIEXEC_EXECUTABLE}")
elseif(LOCKSTEP_MPI STREQUAL "ON")
  message(FATAL_ERROR "LOCKSTEP_MPI=ON, but there is no MPI here: install one (ci/setup.sh does) or set LOCKSTEP_MPI=OFF")
else()
  message(STATUS "MPI: none on this machine, executor=mpi is refused")
endif()
