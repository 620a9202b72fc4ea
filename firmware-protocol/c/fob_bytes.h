/* Little-endian fields, one after another. Used by the sources here, not by firmware. */
#ifndef FOB_BYTES_H
#define FOB_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Each takes a field from the front of the bytes at `*at`, and moves `*at` on. */
uint8_t fob_take8(const uint8_t **at);
uint16_t fob_take16(const uint8_t **at);
uint32_t fob_take32(const uint8_t **at);
uint64_t fob_take64(const uint8_t **at);

/* Writes the low `size` bytes of `value`, at most 8; returns the place behind them. */
uint8_t *fob_put(uint8_t *at, uint64_t value, size_t size);

#endif
