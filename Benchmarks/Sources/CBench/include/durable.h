#pragma once
#include <stdbool.h>
#include <stdint.h>

// The bare peer of the store: the same rows by SQLite's own interface. Each answers whether it was
// done. A text may be NULL.
typedef struct bench_store bench_store;

bench_store *bench_store_open(const char *path);
void bench_store_close(bench_store *store);
bool bench_store_begin(bench_store *store);
bool bench_store_commit(bench_store *store);
bool bench_store_event(bench_store *store, const int64_t *numbers, const void *payload, int size,
                       const char *meaning, const char *incident);
bool bench_store_log(bench_store *store, int64_t wall, const char *const *texts);
