// The calls of libpq that a store needs. The library is loaded when the first server is named, so
// that neither a build nor a start without one needs it. Names, types and results are libpq's own
// (PostgreSQL 14 and later; https://www.postgresql.org/docs/15/libpq.html), behind cpg_.
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <stddef.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

// ConnStatusType, ExecStatusType and the codes of error fields, as libpq-fe.h has them.
enum { CPG_CONNECTION_OK = 0 };
enum {
  CPG_COMMAND_OK = 1,
  CPG_TUPLES_OK = 2,
  CPG_SINGLE_TUPLE = 9,
  CPG_PIPELINE_SYNC = 10,
  CPG_PIPELINE_ABORTED = 11,
};
enum { CPG_SEVERITY = 'V', CPG_SQLSTATE = 'C', CPG_MESSAGE = 'M', CPG_DETAIL = 'D' };

// Loads libpq.so.5, once for all threads. NULL: it is loaded; else why it is not.
const char *cpg_load(void);

// The value that a URL or connection string gives `keyword`, to be freed with free(3); NULL: none,
// or libpq cannot read the string: then *error says why, to be freed, too.
char *cpg_option(const char *url, const char *keyword, char **error);

// Blocks, per host as long as connect_timeout says. Never NULL but for a lack of memory.
PGconn *cpg_connect(const char *const *keywords, const char *const *values);
void cpg_finish(PGconn *connection);
int cpg_status(const PGconn *connection);
int cpg_socket(const PGconn *connection);
const char *cpg_error(const PGconn *connection);
// Non-blocking, in pipeline mode, its notices to `receiver`. 0: it cannot be so.
int cpg_pipeline(PGconn *connection, void (*receiver)(void *, const PGresult *), void *context);

int cpg_send_prepare(PGconn *connection, const char *name, const char *sql);
int cpg_send_execute(PGconn *connection, const char *name, int count, const char *const *values,
                     const int *lengths, const int *formats);
int cpg_send_sync(PGconn *connection);
int cpg_single_rows(PGconn *connection);
int cpg_flush(PGconn *connection);
int cpg_consume(PGconn *connection);
int cpg_is_busy(PGconn *connection);
PGresult *cpg_result(PGconn *connection);

int cpg_result_status(const PGresult *result);
const char *cpg_field(const PGresult *result, int field);
int cpg_rows(const PGresult *result);
int cpg_columns(const PGresult *result);
unsigned int cpg_type(const PGresult *result, int column);
int cpg_is_null(const PGresult *result, int row, int column);
const char *cpg_value(const PGresult *result, int row, int column);
int cpg_length(const PGresult *result, int row, int column);
void cpg_clear(PGresult *result);

#endif
