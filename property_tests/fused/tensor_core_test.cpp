// The two models of a Hopper tensor core, written apart: the executor's, in doubles, and the reference's, in integers.
#include "fused/host/tensor_core.h"

#include "oracle/inputs/random.h"
#include "reference/numerics/sums.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

// Of every size that the type has, some zero or subnormal, a NaN or an infinity now and then.
Tensor random_codes(DType type, Index rows, Index cols, bool wide, Random random) {
  const Format& f = format(type);
  Tensor t = poisoned(type, rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < cols; ++k) {
      const auto code = static_cast<std::uint32_t>(random.word() >> 13) & ((1u << f.bits) - 1);
      const bool as_it_is = wide && (std::isfinite(decode(type, code)) || random.between(0, 9) == 0);
      set_code(t, i, k, as_it_is ? code : encode(type, random.normal()));
    }
  return t;
}

RC_GTEST_PROP(HostTensorCore, IsThatOfTheReference, ()) {
  const auto type_a = *rc::gen::element(DType::bf16, DType::fp16, DType::e4m3, DType::e5m2);
  const bool byte = bytes_of(type_a) == 1;
  const auto type_b = byte ? *rc::gen::element(DType::e4m3, DType::e5m2) : type_a;
  const bool promote = *rc::gen::arbitrary<bool>(), wide = *rc::gen::arbitrary<bool>();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto k = *rc::gen::inRange<Index>(0, 300), m = *rc::gen::inRange<Index>(0, 4),
             n = *rc::gen::inRange<Index>(0, 12);
  const Tensor a = random_codes(type_a, m, k, wide, Random(seed, 1)),
               b = random_codes(type_b, n, k, wide, Random(seed, 2));
  const Matrix of_a = decode(a), of_b = transposed(decode(b));
  const Matrix got = host::tensor_core_product({of_a, type_a}, {of_b, type_b}, {0, k}, promote);
  const Accumulator core = !byte ? hopper_16bit : promote ? hopper_fp8_promoted : hopper_fp8;
  const Matrix want = sums(core, Factor(a), Factor(b), {0, k});
  for (std::size_t e = 0; e < want.values.size(); ++e)
    RC_ASSERT(got.values[e] == want.values[e] || (std::isnan(got.values[e]) && std::isnan(want.values[e])));
}

}  // namespace
}  // namespace lockstep
