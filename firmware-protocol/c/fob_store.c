#include "fob_store.h"

static const uint32_t magic = 0x666F6231u;

static size_t offset_of(uint8_t slot) { return FOB_SLOTS_AT + (size_t)slot * FOB_SLOT_SIZE; }

bool fob_store_write(const fob_storage *storage, uint8_t slot, const fob_event *event) {
  uint8_t bytes[FOB_SLOT_SIZE] = {0};
  fob_write_event(event, bytes);
  fob_put(bytes + FOB_EVENT_LONGEST, fob_crc32c(bytes, FOB_EVENT_LONGEST), 4);
  return storage->write(storage->context, offset_of(slot), bytes, sizeof bytes);
}

bool fob_store_read(const fob_storage *storage, uint8_t slot, fob_event *event) {
  uint8_t bytes[FOB_SLOT_SIZE];
  const uint8_t *crc = bytes + FOB_EVENT_LONGEST;
  if (!storage->read(storage->context, offset_of(slot), bytes, sizeof bytes)) return false;
  if (fob_take32(&crc) != fob_crc32c(bytes, FOB_EVENT_LONGEST)) return false;
  return fob_read_event(bytes, FOB_EVENT_LONGEST, event) == FOB_READ;
}

bool fob_store_clear(const fob_storage *storage, uint8_t slot) {
  static const uint8_t nothing[FOB_SLOT_SIZE] = {0};
  return storage->write(storage->context, offset_of(slot), nothing, sizeof nothing);
}

bool fob_store_is_readable(const fob_storage *storage) {
  uint8_t bytes[FOB_SLOT_SIZE];
  for (uint8_t slot = 0; slot < FOB_SLOTS; slot++) {
    if (!storage->read(storage->context, offset_of(slot), bytes, sizeof bytes)) return false;
  }
  return true;
}

bool fob_store_last_boot(const fob_storage *storage, uint32_t *counter) {
  bool is_found = false;
  for (size_t copy = 0; copy < 2; copy++) {
    uint8_t bytes[12];
    const uint8_t *at = bytes;
    if (!storage->read(storage->context, copy * 16, bytes, sizeof bytes)) continue;
    if (fob_take32(&at) != magic) continue;
    uint32_t found = fob_take32(&at);
    if (fob_take32(&at) != fob_crc32c(bytes, 8)) continue;
    if (!is_found || found > *counter) *counter = found;
    is_found = true;
  }
  return is_found;
}

bool fob_store_write_boot(const fob_storage *storage, uint32_t counter) {
  uint8_t bytes[12];
  uint8_t *at = fob_put(bytes, magic, 4);
  at = fob_put(at, counter, 4);
  fob_put(at, fob_crc32c(bytes, 8), 4);
  return storage->write(storage->context, counter % 2 == 0 ? 0 : 16, bytes, sizeof bytes);
}

bool fob_store_is_blank(const fob_storage *storage) {
  uint8_t bytes[FOB_SLOTS_AT];
  if (!storage->read(storage->context, 0, bytes, sizeof bytes)) return false;
  for (size_t i = 1; i < sizeof bytes; i++) {
    if (bytes[i] != bytes[0]) return false;
  }
  return true;
}

uint32_t fob_store_newest_boot(const fob_storage *storage) {
  uint32_t newest = 0;
  for (uint8_t slot = 0; slot < FOB_SLOTS; slot++) {
    fob_event event;
    if (!fob_store_read(storage, slot, &event)) continue;
    uint32_t boot = (uint32_t)(event.event_no >> 32);
    if (boot > newest) newest = boot;
  }
  return newest;
}

enum { KEY_AT = 32, KEY_RECORD_SIZE = 24 };

static const uint32_t key_magic = 0x666F626Bu;

/* A record whose magic has at most so many wrong bits was a key's once. Blank memory has 13 or 19,
 * and what is worn some half: a device that was never paired must not believe nobody. */
enum { MOST_STRAY_BITS = 4 };

static int bits_set(uint32_t word) {
  int count = 0;
  for (; word != 0; word &= word - 1) count++;
  return count;
}

fob_key_record fob_store_read_key(const fob_storage *storage, uint8_t *key) {
  uint8_t bytes[KEY_RECORD_SIZE];
  const uint8_t *at = bytes;
  const uint8_t *crc = bytes + KEY_RECORD_SIZE - 4;
  if (!storage->read(storage->context, KEY_AT, bytes, sizeof bytes)) return FOB_NO_KEY;
  int stray_bits = bits_set(fob_take32(&at) ^ key_magic);
  if (stray_bits > MOST_STRAY_BITS) return FOB_NO_KEY;
  bool is_whole = fob_take32(&crc) == fob_crc32c(bytes, KEY_RECORD_SIZE - 4);
  if (stray_bits > 0 || !is_whole) return FOB_DAMAGED_KEY;
  for (int i = 0; i < FOB_KEY_SIZE; i++) key[i] = at[i];
  return FOB_KEY;
}

bool fob_store_write_key(const fob_storage *storage, const uint8_t *key) {
  uint8_t bytes[KEY_RECORD_SIZE] = {0};
  if (key != NULL) {
    uint8_t *at = fob_put(bytes, key_magic, 4);
    for (int i = 0; i < FOB_KEY_SIZE; i++) *at++ = key[i];
    fob_put(at, fob_crc32c(bytes, KEY_RECORD_SIZE - 4), 4);
  }
  return storage->write(storage->context, KEY_AT, bytes, sizeof bytes);
}
