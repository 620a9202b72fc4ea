// strdup.
#define _POSIX_C_SOURCE 200809L

#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// PQconninfoOption of libpq-fe.h.
typedef struct {
  char *keyword, *envvar, *compiled, *val, *label, *dispchar;
  int dispsize;
} Option;

typedef void (*Receiver)(void *, const PGresult *);

// Result, name and parameters of each call.
#define CALLS(X)                                                                                   \
  X(Option *, PQconninfoParse, (const char *, char **))                                            \
  X(void, PQconninfoFree, (Option *))                                                              \
  X(void, PQfreemem, (void *))                                                                     \
  X(PGconn *, PQconnectdbParams, (const char *const *, const char *const *, int))                  \
  X(void, PQfinish, (PGconn *))                                                                    \
  X(int, PQstatus, (const PGconn *))                                                               \
  X(int, PQsocket, (const PGconn *))                                                               \
  X(char *, PQerrorMessage, (const PGconn *))                                                      \
  X(int, PQsetnonblocking, (PGconn *, int))                                                        \
  X(int, PQenterPipelineMode, (PGconn *))                                                          \
  X(Receiver, PQsetNoticeReceiver, (PGconn *, Receiver, void *))                                   \
  X(int, PQsendPrepare, (PGconn *, const char *, const char *, int, const unsigned int *))         \
  X(int, PQsendQueryPrepared,                                                                      \
    (PGconn *, const char *, int, const char *const *, const int *, const int *, int))             \
  X(int, PQpipelineSync, (PGconn *))                                                               \
  X(int, PQsetSingleRowMode, (PGconn *))                                                           \
  X(int, PQflush, (PGconn *))                                                                      \
  X(int, PQconsumeInput, (PGconn *))                                                               \
  X(int, PQisBusy, (PGconn *))                                                                     \
  X(PGresult *, PQgetResult, (PGconn *))                                                           \
  X(int, PQresultStatus, (const PGresult *))                                                       \
  X(char *, PQresultErrorField, (const PGresult *, int))                                           \
  X(int, PQntuples, (const PGresult *))                                                            \
  X(int, PQnfields, (const PGresult *))                                                            \
  X(unsigned int, PQftype, (const PGresult *, int))                                                \
  X(int, PQgetisnull, (const PGresult *, int, int))                                                \
  X(char *, PQgetvalue, (const PGresult *, int, int))                                              \
  X(int, PQgetlength, (const PGresult *, int, int))                                                \
  X(void, PQclear, (PGresult *))

#define POINTER(result, name, parameters) static result(*name) parameters;
CALLS(POINTER)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *obstacle;

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    obstacle = "libpq.so.5 is not installed";
    return;
  }
#define FIND(result, name, parameters)                                                             \
  if (!(name = (result(*) parameters)dlsym(library, #name))) obstacle = "libpq lacks " #name;
  CALLS(FIND)
}

const char *cpg_load(void) {
  pthread_once(&once, load);
  return obstacle;
}

char *cpg_option(const char *url, const char *keyword, char **error) {
  char *words = NULL, *value = NULL;
  Option *options = PQconninfoParse(url, &words);
  *error = words ? strdup(words) : NULL;
  if (words) PQfreemem(words);
  for (Option *option = options; option && option->keyword; option++)
    if (!strcmp(option->keyword, keyword) && option->val) value = strdup(option->val);
  if (options) PQconninfoFree(options);
  return value;
}

PGconn *cpg_connect(const char *const *keywords, const char *const *values) {
  return PQconnectdbParams(keywords, values, 1);
}
void cpg_finish(PGconn *connection) { PQfinish(connection); }
int cpg_status(const PGconn *connection) { return PQstatus(connection); }
int cpg_socket(const PGconn *connection) { return PQsocket(connection); }
const char *cpg_error(const PGconn *connection) { return PQerrorMessage(connection); }
int cpg_pipeline(PGconn *connection, Receiver receiver, void *context) {
  PQsetNoticeReceiver(connection, receiver, context);
  return PQsetnonblocking(connection, 1) == 0 && PQenterPipelineMode(connection);
}

int cpg_send_prepare(PGconn *connection, const char *name, const char *sql) {
  return PQsendPrepare(connection, name, sql, 0, NULL);
}
int cpg_send_execute(PGconn *connection, const char *name, int count, const char *const *values,
                     const int *lengths, const int *formats) {
  return PQsendQueryPrepared(connection, name, count, values, lengths, formats, 0);
}
int cpg_send_sync(PGconn *connection) { return PQpipelineSync(connection); }
int cpg_single_rows(PGconn *connection) { return PQsetSingleRowMode(connection); }
int cpg_flush(PGconn *connection) { return PQflush(connection); }
int cpg_consume(PGconn *connection) { return PQconsumeInput(connection); }
int cpg_is_busy(PGconn *connection) { return PQisBusy(connection); }
PGresult *cpg_result(PGconn *connection) { return PQgetResult(connection); }

int cpg_result_status(const PGresult *result) { return PQresultStatus(result); }
const char *cpg_field(const PGresult *result, int field) {
  return PQresultErrorField(result, field);
}
int cpg_rows(const PGresult *result) { return PQntuples(result); }
int cpg_columns(const PGresult *result) { return PQnfields(result); }
unsigned int cpg_type(const PGresult *result, int column) { return PQftype(result, column); }
int cpg_is_null(const PGresult *result, int row, int column) {
  return PQgetisnull(result, row, column);
}
const char *cpg_value(const PGresult *result, int row, int column) {
  return PQgetvalue(result, row, column);
}
int cpg_length(const PGresult *result, int row, int column) {
  return PQgetlength(result, row, column);
}
void cpg_clear(PGresult *result) { PQclear(result); }
