#pragma once

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros in OpenSSL, so out of Swift's reach.

/// TLS 1.2 or later with forward secrecy, one whole handshake a connection: none is renegotiated,
/// and none resumes another. Buffers are let go of where nothing is under way.
static inline int copenssl_set_rules(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1
      && SSL_CTX_set_num_tickets(context, 0) == 1
      && SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1;
}

static inline int copenssl_add_to_chain(SSL_CTX *context, X509 *certificate) {
  return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

/// An empty BIO says that more will come, not that it has ended.
static inline void copenssl_expect_more(BIO *bio) { BIO_set_mem_eof_return(bio, -1); }

/// Whether the last error is that there was no PEM (any more).
static inline int copenssl_is_end_of_pem(void) {
  unsigned long error = ERR_peek_last_error();
  return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

/// In place of OpenSSL's own, which would ask at the terminal.
static inline int copenssl_no_password(char *text, int size, int writes, void *context) {
  (void)text, (void)size, (void)writes, (void)context;
  return -1;
}

static inline int copenssl_choose_http1(
    SSL *session, const unsigned char **chosen, unsigned char *length,
    const unsigned char *offered, unsigned int count, void *context) {
  static const unsigned char ours[] = "\x08http/1.1";
  (void)session, (void)context;
  int found = SSL_select_next_proto(
      (unsigned char **)chosen, length, ours, sizeof ours - 1, offered, count);
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

/// Of the protocols that a client offers (RFC 7301) http/1.1 is chosen, or none.
static inline void copenssl_speak_http1(SSL_CTX *context) {
  SSL_CTX_set_alpn_select_cb(context, copenssl_choose_http1, NULL);
}
