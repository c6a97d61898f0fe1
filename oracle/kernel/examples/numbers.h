/* Elements of tensors as floats, and back, to nearest even; of FP8 the codes, without their scale. */
#ifndef LOCKSTEP_EXAMPLE_NUMBERS_H
#define LOCKSTEP_EXAMPLE_NUMBERS_H

#include "../lockstep_kernel.h"

#include <math.h>
#include <string.h>

static float small_float(uint32_t code, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1, largest = (1 << exponent_bits) - 1;
  const int exponent = (int)(code >> fraction_bits) & largest;
  const uint32_t fraction = code & ((1u << fraction_bits) - 1);
  const float sign = code >> (exponent_bits + fraction_bits) ? -1.0f : 1.0f;
  const int is_e4m3 = exponent_bits == 4;
  if (exponent == largest && (!is_e4m3 || fraction == 7)) return fraction ? NAN : sign * INFINITY;
  const float significand = (float)(exponent == 0 ? fraction : fraction + (1u << fraction_bits));
  return sign * ldexpf(significand, (exponent == 0 ? 1 : exponent) - bias - fraction_bits);
}

static uint16_t half_of(float value) {
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  if (isnan(value)) return 0x7FFF;
  const float size = fabsf(value);
  if (size >= 65520.0f) return sign | 0x7C00;
  int exponent = size == 0 ? -14 : ilogbf(size);
  if (exponent < -14) exponent = -14;
  const float units = rintf(ldexpf(size, 10 - exponent)); /* 2048 carries into the exponent */
  return (uint16_t)(sign + (units < 1024 ? (int)units : ((exponent + 14) << 10) + (int)units));
}

static uint16_t bfloat_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if (isnan(value)) return 0x7FFF;
  return (uint16_t)((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

static float bfloat(uint16_t code) {
  const uint32_t bits = (uint32_t)code << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

static float get(const lockstep_tensor* t, int64_t i, int64_t j) {
  const int64_t at = i * t->leading_dimension + j;
  switch (t->dtype) {
    case LOCKSTEP_F32:
      return ((const float*)t->data)[at];
    case LOCKSTEP_BF16:
      return bfloat(((const uint16_t*)t->data)[at]);
    case LOCKSTEP_FP16:
      return small_float(((const uint16_t*)t->data)[at], 5, 10);
    case LOCKSTEP_E4M3:
      return small_float(((const uint8_t*)t->data)[at], 4, 3);
    default:
      return small_float(((const uint8_t*)t->data)[at], 5, 2);
  }
}

static void put(const lockstep_tensor* t, int64_t i, int64_t j, float value) {
  const int64_t at = i * t->leading_dimension + j;
  switch (t->dtype) {
    case LOCKSTEP_F32:
      ((float*)t->data)[at] = value;
      break;
    case LOCKSTEP_BF16:
      ((uint16_t*)t->data)[at] = bfloat_of(value);
      break;
    default:
      ((uint16_t*)t->data)[at] = half_of(value);
      break;
  }
}

/* To one of the formats that put takes. */
static float rounded(float value, int32_t dtype) {
  if (dtype == LOCKSTEP_F32) return value;
  return dtype == LOCKSTEP_BF16 ? bfloat(bfloat_of(value)) : small_float(half_of(value), 5, 10);
}

/* Of the product of two tensors. */
static float scale(const lockstep_tensor* a, const lockstep_tensor* b) {
  return a->scale_inv ? *a->scale_inv * *b->scale_inv : 1;
}

#endif
