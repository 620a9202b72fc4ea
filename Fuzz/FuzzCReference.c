// Any bytes through the decoder in C, cut in two ways, and through the device in C, whose store and
// link fail as the bytes say. Neither may leave its memory; the device's own frames are whole.
#include <stdlib.h>
#include <string.h>

#include "fob_device.h"

enum { KINDS = 12 };

static uint8_t store[FOB_STORE_SIZE];
// How store and link fail now.
static uint8_t fault;
static const uint8_t *script;
static size_t script_left;
static fob_decoder own_frames;

static uint8_t next_byte(void) {
  if (script_left == 0) return 0;
  script_left--;
  return *script++;
}

static void check(bool is_right) {
  if (!is_right) abort();
}

static bool read_store(void *context, size_t offset, uint8_t *bytes, size_t count) {
  check(offset + count <= sizeof store);
  memcpy(bytes, store + offset, count);
  return *(uint8_t *)context != 1;
}

static bool write_store(void *context, size_t offset, const uint8_t *bytes, size_t count) {
  check(offset + count <= sizeof store);
  // Power may go in the middle of a write.
  memcpy(store + offset, bytes, *(uint8_t *)context == 3 ? count / 2 : count);
  return *(uint8_t *)context < 2;
}

static size_t write_link(void *context, const uint8_t *bytes, size_t count) {
  size_t taken = *(uint8_t *)context == 4 ? count / 2 : count;
  size_t left = taken;
  fob_outcome outcome;
  while ((outcome = fob_decoder_next(&own_frames, &bytes, &left)) != FOB_NOTHING) {
    check(outcome == FOB_FRAME);
  }
  return taken;
}

static uint32_t read_piece(fob_decoder *decoder, const uint8_t *at, size_t left, uint32_t sum) {
  fob_outcome outcome;
  while ((outcome = fob_decoder_next(decoder, &at, &left)) != FOB_NOTHING) {
    size_t count;
    const uint8_t *body = fob_decoder_body(decoder, &count);
    sum = sum * 31 + (uint32_t)outcome;
    if (outcome == FOB_FRAME) sum = sum * 31 + fob_crc32c(body, count);
  }
  check(left == 0);
  return sum;
}

// The outcomes of a stream in pieces of so many bytes, each in memory of its own.
static uint32_t outcomes(const uint8_t *bytes, size_t count, size_t piece) {
  fob_decoder decoder;
  uint32_t sum = 0;
  fob_decoder_reset(&decoder);
  while (count > 0) {
    size_t length = count < piece ? count : piece;
    uint8_t *copy = malloc(length);
    memcpy(copy, bytes, length);
    sum = read_piece(&decoder, copy, length, sum);
    free(copy);
    bytes += length;
    count -= length;
  }
  return sum;
}

static uint32_t outcomes_by_bytes(const uint8_t *bytes, size_t count) {
  fob_decoder decoder;
  uint32_t sum = 0;
  fob_decoder_reset(&decoder);
  for (size_t i = 0; i < count; i++) {
    uint8_t byte = bytes[i];
    sum = read_piece(&decoder, &byte, 1, sum);
  }
  return sum;
}

// A host's frame with a right CRC, of any type and payload.
static void say(fob_device *device, uint64_t now) {
  uint8_t body[FOB_LONGEST_BODY], wire[FOB_LONGEST_WIRE];
  size_t count = FOB_HEADER + next_byte() % (FOB_LONGEST_PAYLOAD + 1);
  body[0] = FOB_HEAD;
  for (size_t i = 1; i < count; i++) body[i] = next_byte();
  fob_device_receive(device, wire, fob_frame_encode(body, count, wire), now);
}

static fob_board boards[KINDS];

// A device of that kind that has booted with an empty store: once for each kind, since a boot reads
// the whole store.
static fob_device booted(uint8_t kind) {
  static fob_device devices[KINDS];
  static uint8_t stores[KINDS][sizeof store];
  static bool is_made[KINDS];
  if (!is_made[kind]) {
    boards[kind] = (fob_board){.device_id = 1,
                               .boot_nonce = 7,
                               .reset_cause = kind / 2,
                               .button_closed = kind & 1,
                               .storage = {&fault, read_store, write_store},
                               .context = &fault,
                               .write_link = write_link};
    memset(store, 0xFF, sizeof store);
    fob_device_boot(&devices[kind], &boards[kind], 0);
    memcpy(stores[kind], store, sizeof store);
    is_made[kind] = true;
  }
  memcpy(store, stores[kind], sizeof store);
  return devices[kind];
}

static void run_device(void) {
  static fob_device device;
  uint64_t now = 0;
  uint8_t kind = next_byte() % KINDS;
  fault = 0;
  fob_decoder_reset(&own_frames);
  device = booted(kind);
  while (script_left > 0) {
    uint8_t what = next_byte();
    now += (uint64_t)next_byte() << (what & 7) << 8;
    if ((what & 128) && now > 5000) now -= 5000; // A clock that goes back.
    if (what & 8) fault = next_byte() % 5;
    if (what & 16) say(&device, now);
    if (what & 32) fob_device_contact(&device, what & 64, now, now);
    if (what == 255) {
      now = 0;
      fob_decoder_reset(&own_frames);
      fob_device_boot(&device, &boards[kind], now);
    }
    check(fob_device_poll(&device, now) >= now);
    const fob_events *events = &device.session.events;
    check(events->records.unacked.count <= FOB_EVENTS && events->link.count <= FOB_TRANSMIT_RING);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  uint32_t whole = outcomes(bytes, count, count);
  check(whole == outcomes_by_bytes(bytes, count) && whole == outcomes(bytes, count, 7));
  script = bytes;
  script_left = count;
  run_device();
  return 0;
}
