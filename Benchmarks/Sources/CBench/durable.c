#include "CBench.h"

#include <sqlite3.h>
#include <stdlib.h>

struct bench_store {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *event, *log;
};

static sqlite3_stmt *prepare(bench_store *store, const char *sql) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  return statement;
}

bench_store *bench_store_open(const char *path) {
  bench_store *store = calloc(1, sizeof *store);
  if (!store) return NULL;
  if (sqlite3_open(path, &store->database) != SQLITE_OK ||
      sqlite3_exec(store->database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL,
                   NULL, NULL) != SQLITE_OK) {
    bench_store_close(store);
    return NULL;
  }
  store->begin = prepare(store, "BEGIN IMMEDIATE");
  store->commit = prepare(store, "COMMIT");
  store->event = prepare(
      store,
      "INSERT INTO event (device, number, kind, clock, nonce, received_wall, payload, meaning,"
      " incident) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
      " ON CONFLICT (device, number, kind, clock, nonce) DO NOTHING");
  store->log = prepare(
      store,
      "INSERT INTO log (wall, name, incident, device, event, contact, who, sink, detail)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (store->begin && store->commit && store->event && store->log) return store;
  bench_store_close(store);
  return NULL;
}

void bench_store_close(bench_store *store) {
  sqlite3_finalize(store->begin);
  sqlite3_finalize(store->commit);
  sqlite3_finalize(store->event);
  sqlite3_finalize(store->log);
  sqlite3_close(store->database);
  free(store);
}

static bool run(sqlite3_stmt *statement) {
  bool done = sqlite3_step(statement) == SQLITE_DONE;
  return sqlite3_reset(statement) == SQLITE_OK && done;
}

bool bench_store_begin(bench_store *store) { return run(store->begin); }

bool bench_store_commit(bench_store *store) { return run(store->commit); }

static void bind(sqlite3_stmt *statement, int index, const char *text) {
  if (text)
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
  else
    sqlite3_bind_null(statement, index);
}

bool bench_store_event(bench_store *store, const int64_t *numbers, const void *payload, int size,
                       const char *meaning, const char *incident) {
  for (int i = 0; i < 6; i++) sqlite3_bind_int64(store->event, i + 1, numbers[i]);
  sqlite3_bind_blob(store->event, 7, payload, size, SQLITE_STATIC);
  bind(store->event, 8, meaning);
  bind(store->event, 9, incident);
  return run(store->event);
}

bool bench_store_log(bench_store *store, int64_t wall, const char *const *texts) {
  sqlite3_bind_int64(store->log, 1, wall);
  for (int i = 0; i < 8; i++) bind(store->log, i + 2, texts[i]);
  return run(store->log);
}
