/* What the sources of the device share: not for firmware. */
#ifndef FOB_DEVICE_PARTS_H
#define FOB_DEVICE_PARTS_H

#include "fob_device.h"

enum { FOB_NO_SLOT = 255 };

/* fob_device.c */

/* The board's clock where it has one, else the time of the call. */
uint64_t fob_device_time(const fob_device *device, uint64_t now);

/* Frames a body whose payload, of `count` bytes, is written behind FOB_HEADER free bytes, and puts
 * it into the ring, whole or not at all. */
bool fob_device_put(fob_device *device, uint8_t type, bool resent, uint8_t *body, size_t count,
                    uint64_t now);

/* The same for what is said again by rule: it is counted where there is no room. */
void fob_device_send(fob_device *device, uint8_t type, uint8_t *body, size_t count, uint64_t now);

/* Hands to the board what it takes. */
void fob_device_drain(fob_device *device);

/* A press is unacked, or may be: one can lie in a store that was not read yet. */
bool fob_device_may_have_press(const fob_device *device);

void fob_device_send_hello(fob_device *device, uint32_t session, uint64_t now);
void fob_device_send_led_state(fob_device *device, uint64_t now);

/* fob_device_events.c */

typedef bool (*fob_slot_filter)(uint8_t slot);

void fob_device_commit(fob_device *device, uint8_t kind, uint64_t clock, uint8_t detail,
                       uint8_t flags, uint64_t now);
void fob_device_forget(fob_device *device, const fob_event_ack *ack);

/* A fault event, once, as soon as there is room for it. */
void fob_device_owe(fob_device *device, uint8_t fault);
void fob_device_send_again(fob_device *device, uint64_t now);
void fob_device_settle_debts(fob_device *device, uint64_t now);

/* Gives up the oldest event that is neither press nor release, else the oldest release; only where
 * its slot fits, NULL: any. */
bool fob_device_evict(fob_device *device, fob_slot_filter fits);

/* fob_device_store.c */

bool fob_is_volatile(uint8_t slot);
bool fob_device_record(const fob_device *device, uint8_t slot, fob_event *event);
void fob_device_release(fob_device *device, uint8_t slot);
void fob_device_note_store_failure(fob_device *device);

/* A slot of the store in which no press lies; FOB_NO_SLOT where there is none. */
uint8_t fob_device_free_slot(const fob_device *device);

/* FOB_NO_SLOT where the memory is full. */
uint8_t fob_device_keep_in_memory(fob_device *device, const fob_event *event);
bool fob_device_memory_is_empty(const fob_device *device);
bool fob_device_memory_is_full(const fob_device *device);

void fob_device_count_boot(fob_device *device);
void fob_device_load(fob_device *device, uint64_t now);
void fob_device_store_again(fob_device *device, uint64_t now);

/* fob_device_host.c */

void fob_device_answer(fob_device *device, const uint8_t *body, size_t count, uint64_t now);

#endif
