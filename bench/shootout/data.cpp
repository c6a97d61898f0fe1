#include "bench/shootout/data.h"

#include <fmt/format.h>

namespace lockstep::shootout {
namespace {

// In [0, 1), in steps of 2^-24.
float unit(Random& random) { return static_cast<float>(random.word() >> 40) * 0x1p-24f; }

}  // namespace

Generator uniform(float least, float most) {
  return {fmt::format("uniform [{}, {})", least, most),
          [=](Random& random, const Place&) { return least + (most - least) * unit(random); }};
}

Generator uniform_by_rank(float scale) {
  return {fmt::format("uniform +-{} (rank + 1)", scale), [=](Random& random, const Place& place) {
            return scale * static_cast<float>(place.rank + 1) * (2 * unit(random) - 1);
          }};
}

Generator normal(float deviation) {
  return {fmt::format("normal, deviation {}", deviation),
          [=](Random& random, const Place&) { return deviation * random.normal(); }};
}

Generator whole(Index least, Index most) {
  return {fmt::format("whole numbers {} to {}", least, most),
          [=](Random& random, const Place&) { return static_cast<float>(random.between(least, most)); }};
}

Generator sparse(Index most, Index one_in) {
  return {fmt::format("whole numbers -{} to {}, all but one in {} zero", most, most, one_in),
          [=](Random& random, const Place&) {
            return random.between(1, one_in) == 1 ? static_cast<float>(random.between(-most, most)) : 0.0f;
          }};
}

Generator constant(float value) {
  return {fmt::format("all {}", value), [=](Random&, const Place&) { return value; }};
}

Generator identity() {
  return {"identity", [](Random&, const Place& place) { return place.row == place.col ? 1.0f : 0.0f; }};
}

Generator held_in(DType type, float scale, Generator g) {
  g.words += fmt::format(" held in {}{}", name(type), scale == 1 ? "" : fmt::format(" by scale {}", scale));
  g.draw = [=, inner = g.draw](Random& random, const Place& place) {
    return round_to(type, inner(random, place) * scale) / scale;
  };
  return g;
}

Generator on_every_rank(Generator g) {
  g.words += ", the same on every rank";
  g.same_on_every_rank = true;
  return g;
}

}  // namespace lockstep::shootout
