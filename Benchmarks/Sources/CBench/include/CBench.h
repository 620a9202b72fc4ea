#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// CLOCK_MONOTONIC, ns: for blocks of work.
uint64_t bench_monotonic(void);
/// CLOCK_BOOTTIME, ns: the clock of the stamps of a press.
uint64_t bench_boottime(void);
void bench_sleep_until_boottime(uint64_t nanoseconds);

/// Keeps the calling thread, and the threads and processes that it will start, on one processor;
/// -1: on any.
bool bench_pin(int processor);

/// Goes before other work, where this process may ask for that: less of what else the machine does
/// gets into the figures. Its processes inherit it.
void bench_go_first(void);

/// Ends this process when its parent ends.
void bench_end_with_parent(void);

/// Occupies the processor with SCHED_IDLE until the parent ends: any other work goes first, but
/// the processor never sleeps.
void bench_keep_awake(void);

/// A file that both ends of a measurement map; NULL where it cannot be made or mapped.
uint64_t *bench_shared_stamps(const char *path, size_t count);

/// Stamps, then writes all of the frame with one call: t1. 0 where the write failed or was short.
uint64_t bench_stamp_and_write(int descriptor, const uint8_t *frame, size_t count);

/// The bare receiver: opens the line raw and blocking, and stamps each frame of `frame_size` bytes
/// right behind the read that returned its end, in whole microseconds as the bridge's stamps are.
/// With a `file` that many bytes are appended to it first, and made durable by fdatasync(2).
/// Returns when the line has hung up.
bool bench_receive(const char *path, size_t frame_size, uint64_t *stamps, size_t count,
                   const char *file, size_t appended);

/// Opens the line raw and blocking, and writes back what it reads until it has hung up.
bool bench_echo(const char *path);

/// Writes to a pty's master, which is made to block, and reads until as much has come back. ns; 0
/// where it was not the same, or the line has gone.
uint64_t bench_round_trip(int master, const uint8_t *bytes, size_t count);

/// Bytes that the calling thread has handed to write(2) and its like; 0 where the kernel does not
/// say.
uint64_t bench_written_by_thread(void);

/// The bare peer of the store: every row that a store of this process writes, written once more by
/// SQLite's own interface, in the same transactions.
typedef struct bench_rows bench_rows;

/// Connections that this process opens from now on, until `bench_rows_stop`, can be recorded.
bench_rows *bench_rows_trace(void);
void bench_rows_record(bench_rows *rows);
/// Whether all was understood.
bool bench_rows_stop(bench_rows *rows);
size_t bench_rows_count(const bench_rows *rows);
/// Each form of statement prepared once, values bound as they were. Nanoseconds; 0 where SQLite
/// refused something.
uint64_t bench_rows_write(const bench_rows *rows, const char *path);
void bench_rows_free(bench_rows *rows);
