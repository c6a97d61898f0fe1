#include "oracle/campaign/thrown.h"

#include "reference/contract/device_error.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <new>

namespace lockstep {
namespace {

std::string line(char kind, std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return fmt::format("!{}{}", kind, text);
}

}  // namespace

std::string line_of_throw() try { throw; } catch (const Refusal& refusal) {
  return line('r', refusal.what());
} catch (const DeviceError& error) {
  return line('d', error.what());
} catch (const std::bad_alloc&) {
  return line('m', "");
} catch (const std::exception& error) {
  return line('e', error.what());
}

bool is_throw(const std::string& line) { return line.starts_with('!'); }

void throw_again(const std::string& line) {
  const std::string text = line.substr(2);
  if (line[1] == 'r') throw Refusal(text);
  if (line[1] == 'd') throw DeviceError(text);
  if (line[1] == 'm') throw std::bad_alloc();
  throw std::runtime_error(text);
}

}  // namespace lockstep
