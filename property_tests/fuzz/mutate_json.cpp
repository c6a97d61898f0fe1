#include "property_tests/fuzz/mutate_json.h"

#include "property_tests/fuzz/mutate.h"

#include <nlohmann/json.hpp>

#include <array>
#include <vector>

namespace lockstep {
namespace {

using json = nlohmann::ordered_json;

void collect(json& value, std::vector<json*>& all) {
  all.push_back(&value);
  if (!value.is_structured()) return;
  for (json& element : value) collect(element, all);
}

json& any_of(json& root, Random& random) {
  std::vector<json*> all;
  collect(root, all);
  return *random.one_of(all);
}

json odd_value(Random& random) {
  static const std::array<json, 20> odd{nullptr,
                                        true,
                                        false,
                                        "",
                                        "\u0000\u001b\u00e9",
                                        "-1",
                                        json::array(),
                                        json::object(),
                                        json{1, 2, 3},
                                        json{{"method", nullptr}},
                                        0,
                                        -1,
                                        1.5,
                                        -0.0,
                                        1e300,
                                        std::uint64_t{1} << 31,
                                        std::uint64_t{1} << 62,
                                        std::uint64_t{1} << 63,
                                        ~std::uint64_t{0},
                                        std::string(3000, 'x')};
  return random.one_of(odd);
}

using Change = void (*)(json& value, json& root, Random& random);

void replace(json& value, json&, Random& random) { value = odd_value(random); }

void replace_by_other(json& value, json& root, Random& random) { value = json(any_of(root, random)); }

void move_number(json& value, json&, Random& random) {
  if (value.is_number_integer()) value = value.get<std::uint64_t>() + static_cast<std::uint64_t>(random.between(-2, 2));
}

void lose_one(json& value, json&, Random& random) {
  if (value.empty() || !value.is_structured()) return;
  const auto which = static_cast<std::ptrdiff_t>(below(value.size(), random));
  value.erase(std::next(value.begin(), which));
}

void add_one(json& value, json& root, Random& random) {
  const json more = random.coin() ? odd_value(random) : any_of(root, random);
  if (value.is_array()) value.push_back(more);
  if (value.is_object()) value[random.coin() ? "dtype" : std::string(1 + below(90, random), 'k')] = more;
}

void rename(json& value, json&, Random& random) {
  if (value.empty() || !value.is_object()) return;
  const auto from = std::next(value.begin(), static_cast<std::ptrdiff_t>(below(value.size(), random)));
  const auto to = std::next(value.begin(), static_cast<std::ptrdiff_t>(below(value.size(), random)));
  const json moved = from.value();
  value[to.key() + (random.coin() ? "" : "\x01")] = moved;
}

}  // namespace

std::string mutated_json(const std::string& text, Random& random) {
  constexpr std::array<Change, 6> changes{replace, replace_by_other, move_number, lose_one, add_one, rename};
  json root = json::parse(text, nullptr, false);
  if (root.is_discarded()) return text;
  for (Index left = random.between(1, 3); left > 0; --left) random.one_of(changes)(any_of(root, random), root, random);
  return root.dump();
}

}  // namespace lockstep
