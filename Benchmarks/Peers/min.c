#define NO_TRANSPORT_PROTOCOL
#include "min/target/min.c"
#include "peer.h"

static size_t received;
static uint8_t *written;

void min_application_handler(uint8_t id, uint8_t const *payload, uint8_t length, uint8_t port) {
  (void)id, (void)payload, (void)length, (void)port;
  received++;
}

uint16_t min_tx_space(uint8_t port) { return (void)port, UINT16_MAX; }
void min_tx_byte(uint8_t port, uint8_t byte) { (void)port, *written++ = byte; }
void min_tx_start(uint8_t port) { (void)port; }
void min_tx_finished(uint8_t port) { (void)port; }

/// MIN has a framing of its own: the same bodies as MIN frames.
/// Returns the bytes written to `stream`.
PEER size_t peer_encode(
    const uint8_t *bodies, const uint32_t *ends, size_t frames, uint8_t *stream) {
  struct min_context context;
  min_init_context(&context, 0);
  written = stream;
  size_t start = 0;
  for (size_t i = 0; i < frames; i++) {
    min_send_frame(&context, 1, bodies + start, (uint8_t)(ends[i] - start));
    start = ends[i];
  }
  return (size_t)(written - stream);
}

size_t peer_decode_stream(const uint8_t *stream, size_t count) {
  struct min_context context;
  min_init_context(&context, 0);
  received = 0;
  min_poll(&context, stream, (uint32_t)count);
  return received;
}
