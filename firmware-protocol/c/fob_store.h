/* Where the events lie in non-volatile memory of FOB_STORE_SIZE bytes:
 *
 *   0    boot counter, copy A: u32 magic, u32 counter, u32 CRC-32C of both
 *   16   boot counter, copy B
 *   32   key of the pairing: u32 magic, 16 bytes, u32 CRC-32C of both
 *   64   65 slots of 68 bytes: an EVENT payload of 64 (zeros behind it), u32 CRC-32C of it
 *
 * One slot more than events are kept, so that a merged press is written before the one that it
 * stands for is cleared. A slot whose CRC does not verify is free: a write that power cut short
 * never was. */
#ifndef FOB_STORE_H
#define FOB_STORE_H

#include "fob_messages.h"
#include "fob_unacked.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  FOB_SLOTS = FOB_EVENTS + 1,
  FOB_SLOT_SIZE = FOB_EVENT_LONGEST + 4,
  FOB_SLOTS_AT = 64,
  FOB_STORE_SIZE = FOB_SLOTS_AT + FOB_SLOTS * FOB_SLOT_SIZE
};

/* The memory, byte by byte. False when it failed. A write may be cut short by a reset. */
typedef struct {
  void *context;
  bool (*read)(void *context, size_t offset, uint8_t *bytes, size_t count);
  bool (*write)(void *context, size_t offset, const uint8_t *bytes, size_t count);
} fob_storage;

bool fob_store_write(const fob_storage *storage, uint8_t slot, const fob_event *event);
bool fob_store_read(const fob_storage *storage, uint8_t slot, fob_event *event);
bool fob_store_clear(const fob_storage *storage, uint8_t slot);

/* Whether every slot can be read, full or free. */
bool fob_store_is_readable(const fob_storage *storage);

/* The counter of the last boot: the greater of two copies; false when neither verifies. */
bool fob_store_last_boot(const fob_storage *storage, uint32_t *counter);

/* Writes over the older copy, so that power cut in between loses neither. */
bool fob_store_write_boot(const fob_storage *storage, uint32_t counter);

/* Whether this memory never held a boot counter: one byte, again and again, where it would be. */
bool fob_store_is_blank(const fob_storage *storage);

/* The highest boot among the events stored, 0 when there are none. */
uint32_t fob_store_newest_boot(const fob_storage *storage);

typedef enum {
  FOB_NO_KEY, /* never written, cleared, or worn beyond knowing; also where the memory fails */
  FOB_KEY,
  FOB_DAMAGED_KEY /* written once, and not to be read any more */
} fob_key_record;

/* key: gets FOB_KEY_SIZE bytes, where there are any. */
fob_key_record fob_store_read_key(const fob_storage *storage, uint8_t *key);

/* NULL clears it. A write that power cut short leaves a damaged record, which nobody can prove. */
bool fob_store_write_key(const fob_storage *storage, const uint8_t *key);

#ifdef __cplusplus
}
#endif

#endif
