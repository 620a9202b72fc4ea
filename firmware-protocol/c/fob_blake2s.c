#include "fob_blake2s.h"

static const uint32_t initial[8] = {
    0x6A09E667u, 0xBB67AE85u, 0x3C6EF372u, 0xA54FF53Au,
    0x510E527Fu, 0x9B05688Cu, 0x1F83D9ABu, 0x5BE0CD19u,
};

/* The permutations of RFC 7693, section 2.7. */
static const uint8_t order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static uint32_t turned(uint32_t word, unsigned right) {
  return word >> right | word << (32 - right);
}

/* The function G of section 3.1, on the words `a` to `d` of `work`. */
static void mix(uint32_t *work, const unsigned *at, uint32_t x, uint32_t y) {
  uint32_t a = work[at[0]], b = work[at[1]], c = work[at[2]], d = work[at[3]];
  a += b + x;
  d = turned(d ^ a, 16);
  c += d;
  b = turned(b ^ c, 12);
  a += b + y;
  d = turned(d ^ a, 8);
  c += d;
  b = turned(b ^ c, 7);
  work[at[0]] = a;
  work[at[1]] = b;
  work[at[2]] = c;
  work[at[3]] = d;
}

/* The function F of section 3.2. `count` bytes of the message end with this block. */
static void compress(uint32_t *chain, const uint8_t *block, uint32_t count, bool is_last) {
  uint32_t work[16], words[16];
  for (int i = 0; i < 8; i++) {
    work[i] = chain[i];
    work[i + 8] = initial[i];
  }
  for (int i = 0; i < 16; i++) words[i] = fob_take32(&block);
  work[12] ^= count;
  if (is_last) work[14] = ~work[14];
  for (int round = 0; round < 10; round++) {
    const uint8_t *next = order[round];
    /* Four columns, then four diagonals. */
    for (unsigned step = 0; step < 8; step++) {
      unsigned column = step & 3, shift = step >> 2;
      const unsigned at[4] = {column, 4 + ((column + shift) & 3), 8 + ((column + 2 * shift) & 3),
                              12 + ((column + 3 * shift) & 3)};
      mix(work, at, words[next[2 * step]], words[next[2 * step + 1]]);
    }
  }
  for (int i = 0; i < 8; i++) chain[i] ^= work[i] ^ work[i + 8];
}

void fob_blake2s_prepare(fob_blake2s_key *prepared, const uint8_t *key, size_t count,
                         const char *person) {
  uint8_t block[FOB_BLOCK_SIZE] = {0};
  const uint8_t *letters = (const uint8_t *)person;
  for (int i = 0; i < 8; i++) prepared->chain[i] = initial[i];
  /* The parameter block: digest, key, fanout 1, depth 1; the person fills its last words. */
  prepared->chain[0] ^= 0x01010000u ^ (uint32_t)count << 8 ^ FOB_DIGEST_SIZE;
  prepared->chain[6] ^= fob_take32(&letters);
  prepared->chain[7] ^= fob_take32(&letters);
  for (size_t i = 0; i < count; i++) block[i] = key[i];
  compress(prepared->chain, block, FOB_BLOCK_SIZE, false);
}

void fob_blake2s_begin(fob_blake2s *hash, const fob_blake2s_key *key) {
  for (int i = 0; i < 8; i++) hash->chain[i] = key->chain[i];
  hash->filled = 0;
  hash->compressed = FOB_BLOCK_SIZE;
}

void fob_blake2s_add(fob_blake2s *hash, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (hash->filled == FOB_BLOCK_SIZE) {
      hash->compressed += FOB_BLOCK_SIZE;
      compress(hash->chain, hash->block, hash->compressed, false);
      hash->filled = 0;
    }
    hash->block[hash->filled++] = bytes[i];
  }
}

static void close_hash(fob_blake2s *hash) {
  hash->compressed += hash->filled;
  while (hash->filled < FOB_BLOCK_SIZE) hash->block[hash->filled++] = 0;
  compress(hash->chain, hash->block, hash->compressed, true);
}

void fob_blake2s_end(fob_blake2s *hash, uint8_t *digest) {
  close_hash(hash);
  for (int i = 0; i < 8; i++) digest = fob_put(digest, hash->chain[i], 4);
}

uint64_t fob_blake2s_tag(fob_blake2s *hash) {
  close_hash(hash);
  return (uint64_t)hash->chain[1] << 32 | hash->chain[0];
}
