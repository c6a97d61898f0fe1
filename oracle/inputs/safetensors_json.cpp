#include "oracle/inputs/safetensors_json.h"

#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace lockstep {
namespace {

using nlohmann::json;

// The deepest that anything may begin: the lists in a tensor's entry in the header.
constexpr std::size_t max_depth = 2;

// Looks the header through before anything is built of it: refuses nesting that would cost memory, a name that stands
// twice, a number that no double holds. (The parser's own callback takes time with the square of an object's size.)
struct Watch final : json::json_sax_t {
  explicit Watch(const std::string& p) : path(p) {}

  bool begin() {
    if (names.size() > max_depth) refuse("{}: the header nests deeper than a safetensors header does", path);
    names.emplace_back();
    return true;
  }
  bool end() {
    names.pop_back();
    return true;
  }

  bool start_object(std::size_t) override { return begin(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(std::string& name) override {
    if (!names.back().insert(name).second) refuse("{}: the header has the name {} twice", path, in_quotes(name));
    return true;
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }

  bool parse_error(std::size_t byte, const std::string&, const json::exception& error) override {
    if (dynamic_cast<const json::out_of_range*>(&error))
      refuse("{}: the header has a number too large to be read, at its byte {}", path, byte);
    refuse("{}: the header is not JSON, as a safetensors header is: wrong at its byte {}", path, byte);
  }

  const std::string& path;
  std::vector<std::set<std::string>> names{};  // of every object and list that is open
};

}  // namespace

json parse_header_json(const std::string& path, std::string_view text) {
  Watch watch(path);
  json::sax_parse(text, &watch);
  return json::parse(text);
}

}  // namespace lockstep
