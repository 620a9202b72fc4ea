#define _DEFAULT_SOURCE
#include "minmea/minmea.c"
#include "peer.h"

/// Sentences that were read, of `sentences` lines that each end in a zero byte. Checksums are
/// verified; GSV is taken apart only where asked for.
PEER size_t peer_read_sentences(const char *lines, size_t sentences, int with_gsv) {
  size_t read = 0;
  for (size_t i = 0; i < sentences; i++, lines += strlen(lines) + 1) {
    switch (minmea_sentence_id(lines, true)) {
    case MINMEA_SENTENCE_GGA: {
      struct minmea_sentence_gga gga;
      read += minmea_parse_gga(&gga, lines);
      break;
    }
    case MINMEA_SENTENCE_RMC: {
      struct minmea_sentence_rmc rmc;
      read += minmea_parse_rmc(&rmc, lines);
      break;
    }
    case MINMEA_SENTENCE_GSV: {
      struct minmea_sentence_gsv gsv;
      read += with_gsv ? minmea_parse_gsv(&gsv, lines) : 1;
      break;
    }
    default: break;
    }
  }
  return read;
}
