// Eight elements of a row at once, in 16-byte loads and stores: for what is bound by memory.
#pragma once

#include "fused/cuda/operations.cuh"

namespace lockstep::device {

inline constexpr Index wide = 8;

// Whether elements j .. j + 7 lie at a multiple of their size, for every j that is a multiple of 8.
inline bool is_wide(const DeviceMatrix& m) {
  const Index bytes = wide * code_bytes(m.type), at_least = bytes < 16 ? bytes : 16;
  return m.cols % wide == 0 && m.ld % wide == 0 && reinterpret_cast<std::uintptr_t>(m.data) % at_least == 0;
}

template <DType type>
struct Wide {
  using Word = std::conditional_t<code_bytes(type) == 1, uint2, uint4>;
  static constexpr int words = code_bytes(type) == 4 ? 2 : 1, codes = static_cast<int>(wide) / words;

  union Block {
    Word word;
    std::uint32_t code4[4];
    std::uint16_t code2[8];
    std::uint8_t code1[8];
    __host__ __device__ Block() {}
  };

  __host__ __device__ static std::uint32_t code(const Block& block, int e) {
    if constexpr (code_bytes(type) == 4)
      return block.code4[e];
    else if constexpr (code_bytes(type) == 2)
      return block.code2[e];
    else
      return block.code1[e];
  }
  __host__ __device__ static void set_code(Block& block, int e, std::uint32_t code) {
    if constexpr (code_bytes(type) == 4)
      block.code4[e] = code;
    else if constexpr (code_bytes(type) == 2)
      block.code2[e] = static_cast<std::uint16_t>(code);
    else
      block.code1[e] = static_cast<std::uint8_t>(code);
  }

  // As it lies, so that a thread can have several on their way before it looks at one.
  struct Raw {
    Block blocks[words];
  };
  __host__ __device__ static Raw load(const DeviceMatrix& m, Index i, Index j) {
    Raw raw;
    for (int w = 0; w < words; ++w) raw.blocks[w].word = (static_cast<const Word*>(m.data) + (i * m.ld + j) / codes)[w];
    return raw;
  }
  __host__ __device__ static float value(const Raw& raw, int e) {
    return decode_code(type, code(raw.blocks[e / codes], e % codes));
  }
  __host__ __device__ static void store(const DeviceMatrix& m, Index i, Index j, const float (&values)[wide]) {
    auto* at = static_cast<Word*>(m.data) + (i * m.ld + j) / codes;
    for (int w = 0; w < words; ++w) {
      Block block;
      for (int e = 0; e < codes; ++e) set_code(block, e, encode_value(type, values[w * codes + e]));
      at[w] = block.word;
    }
  }
};

// CopyCode for 16 bytes; leading dimensions in words of 16 bytes.
struct CopyWide {
  const uint4* from;
  uint4* to;
  Index from_ld, to_ld;
  __host__ __device__ void operator()(Index i, Index j) const { to[i * to_ld + j] = from[i * from_ld + j]; }
};

// Words of 16 bytes in so many elements; 0 where they are no whole number, or begin elsewhere than at one.
inline Index whole_words(const DeviceMatrix& m, Index elements) {
  constexpr Index word = sizeof(uint4);
  const Index bytes = elements * code_bytes(m.type);
  return bytes % word == 0 && reinterpret_cast<std::uintptr_t>(m.data) % word == 0 ? bytes / word : 0;
}

// ReduceElement for elements 8 j .. 8 j + 7 of row i, all sources of one type; sums in float alone.
template <DType source, DType target, int most>
struct ReduceWide {
  DeviceMatrix sources[most], scale_inv[most];
  int count = 0;
  bool scaled = false;
  DeviceMatrix d;

  static constexpr int at_once = 4;

  __host__ __device__ void operator()(Index i, Index j) const {
    float all[wide] = {};
    for (int first = 0; first < count; first += at_once) {
      typename Wide<source>::Raw raw[at_once];
      for (int s = 0; s < at_once; ++s)
        if (first + s < count) raw[s] = Wide<source>::load(sources[first + s], i, j * wide);
      for (int s = 0; s < at_once; ++s)
        if (first + s < count) add(raw[s], first + s, all);
    }
    Wide<target>::store(d, i, j * wide, all);
  }

 private:
  __host__ __device__ void add(const typename Wide<source>::Raw& raw, int s, float (&all)[wide]) const {
    const float scale = scaled ? scalar(scale_inv[s]) : 1;
    for (int e = 0; e < wide; ++e) all[e] += Wide<source>::value(raw, e) * scale;  // times 1 changes nothing
  }
};

}  // namespace lockstep::device
