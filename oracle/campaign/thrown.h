// An exception on its way from one process to another: a line, and the same kind of exception once more.
#pragma once

#include <string>

namespace lockstep {

// Of the exception that is being handled: a mark, a letter for its kind, and its sentence.
std::string line_of_throw();
bool is_throw(const std::string& line);
[[noreturn]] void throw_again(const std::string& line);

}  // namespace lockstep
