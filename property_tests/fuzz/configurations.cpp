#include "fused/config/overlap_config_json.h"
#include "fused/config/overlap_config_keys.h"
#include "property_tests/fuzz/mutate_json.h"
#include "property_tests/fuzz/readers.h"

namespace lockstep {
namespace {

void read(const std::string& text) {
  const OverlapConfig config = parse_overlap_config(text, 4);
  const std::string printed = print(config);
  if (parse_overlap_config(printed, 7) != config) throw Wrong("what is printed is read otherwise: " + printed);
}

std::string spoilt(const std::string& text, const std::string& other, Random& random) {
  return random.coin() ? mutated_json(text, random) : mutated(text, other, random);
}

OverlapConfig some_config(Random& random) {
  ChosenMethods chosen;
  for (const Communicator& communicator : communicators())
    if (random.coin()) chosen.emplace(communicator.name, random.one_of(communicator.methods));
  OverlapConfig config = default_config(4, chosen);
  for (auto& [name, of_name] : config)
    for (const OverlapKey& key : overlap_keys())
      if (const auto* number = std::get_if<Index CommunicatorConfig::*>(&key.field))
        of_name.*(*number) = random.between(key.least, key.most);
  return config;
}

}  // namespace

Reader configurations() {
  Reader reader{.name = "config", .read = read, .spoil = spoilt};
  Random random(2);
  for (int i = 0; i < 100; ++i) reader.valid.push_back(print(some_config(random)));
  for (const char* text : {"{}", R"({"proj_fprop": {"method": "ring_exchange", "num_sm": 4}})",
                           R"({"qkv_dgrad": {"method": "pipeline", "num_splits": 8, "use_ce": false}})",
                           R"({"fc1_fprop": {"aggregate": true, "comm_priority": -5}, "fc2_fprop": {}})"})
    reader.valid.emplace_back(text);
  return reader;
}

}  // namespace lockstep
