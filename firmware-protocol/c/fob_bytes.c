#include "fob_bytes.h"

uint8_t fob_take8(const uint8_t **at) { return *(*at)++; }

uint16_t fob_take16(const uint8_t **at) {
  uint16_t low = fob_take8(at);
  return (uint16_t)(low | fob_take8(at) << 8);
}

uint32_t fob_take32(const uint8_t **at) {
  uint32_t low = fob_take16(at);
  return low | (uint32_t)fob_take16(at) << 16;
}

uint64_t fob_take64(const uint8_t **at) {
  uint64_t low = fob_take32(at);
  return low | (uint64_t)fob_take32(at) << 32;
}

uint8_t *fob_put(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++) {
    *at++ = (uint8_t)value;
    value >>= 8;
  }
  return at;
}
