/* BLAKE2s with a key and a person, and a digest of 32 bytes: RFC 7693. PROTOCOL.md, section 15.1.
 *
 * It takes the same time for all keys and messages of one length. */
#ifndef FOB_BLAKE2S_H
#define FOB_BLAKE2S_H

#include "fob_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes. */
enum { FOB_BLOCK_SIZE = 64, FOB_DIGEST_SIZE = 32 };

/* A key for one purpose, prepared: what is left of its block. A tag over 64 bytes or fewer then
 * costs one compression. */
typedef struct {
  uint32_t chain[8];
} fob_blake2s_key;

typedef struct {
  uint32_t chain[8];
  uint8_t block[FOB_BLOCK_SIZE];
  uint8_t filled;      /* bytes in `block`: the last block is compressed at the end */
  uint32_t compressed; /* bytes; a message here is far shorter than 2^32 */
} fob_blake2s;

/* key: 1 to 32 bytes.
 * person: 8 letters. */
void fob_blake2s_prepare(fob_blake2s_key *prepared, const uint8_t *key, size_t count,
                         const char *person);

/* The message, in as many pieces as there are, must have a byte at least. */
void fob_blake2s_begin(fob_blake2s *hash, const fob_blake2s_key *key);
void fob_blake2s_add(fob_blake2s *hash, const uint8_t *bytes, size_t count);
void fob_blake2s_end(fob_blake2s *hash, uint8_t *digest);

/* The same end, cut to a tag: the first 8 bytes of the digest, low byte first. */
uint64_t fob_blake2s_tag(fob_blake2s *hash);

#ifdef __cplusplus
}
#endif

#endif
