// What Swift's Glibc module does not show: calls behind _GNU_SOURCE or _XOPEN_SOURCE, variadic
// calls, and types that only C headers can name. No logic; results and errno are the kernel's.
#ifndef CLINUX_H
#define CLINUX_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

// Non-blocking and close-on-exec, both.
int clinux_eventfd(void);
// A file in memory, close-on-exec.
int clinux_memory_file(void);
// One of so many bytes, all 0, that does not grow: what is written behind them is EPERM.
int clinux_bounded_file(size_t size);
int clinux_timerfd_boottime(void);
// Absolute CLOCK_BOOTTIME; 0 and 0 disarm.
int clinux_timerfd_set(int timer, int64_t seconds, int64_t nanoseconds);
// Readable once the wall clock was set; each read waits for the next time.
int clinux_timerfd_wall_set(void);

// epoll(7), close-on-exec. Events are those of poll(2), whose values the kernel shares.
int clinux_epoll(void);
// Watches `descriptor` for `events` under `tag`, anew or otherwise than before.
int clinux_epoll_watch(int epoll, int descriptor, uint32_t events, uint64_t tag);
int clinux_epoll_forget(int epoll, int descriptor);
// The tags of those that are ready, at most `capacity`; waits for one if `waits`.
int clinux_epoll_wait(int epoll, uint64_t *tags, int capacity, int waits);

// Blocks the signals in the calling thread and returns a descriptor that reports them.
int clinux_signalfd(const int *signals, int count);
// The next signal's number, or -1 with EAGAIN.
int clinux_signalfd_next(int descriptor);

// A pty master: read-write, non-blocking, close-on-exec, never a controlling terminal, unlocked.
int clinux_pty_open(void);
int clinux_pty_slave_path(int master, char *path, size_t capacity);
// Any rate the driver can make (termios2, BOTHER), not only those with a B constant.
int clinux_set_speed(int terminal, uint32_t bits_per_second);
// The rate that the driver made of it.
int clinux_get_speed(int terminal, uint32_t *bits_per_second);

int clinux_accept(int listener);
int clinux_name_thread(const char *name);
// Asks the scheduler for short turns of the calling thread (Linux 6.12 and later): it runs sooner
// when it wakes and gets no more of the processor in all. Earlier kernels pass over it.
int clinux_run_soon(void);
// As pthread_create(3), by SCHED_FIFO where the priority is above 0, and on that processor alone
// where it is not negative: refused as a whole, with EPERM or EINVAL, where one of them is.
int clinux_thread_create(pthread_t *thread, int priority, int processor, void *(*body)(void *),
                         void *argument);
// Has threads that the calling one starts begin without its priority.
int clinux_keep_priority(int priority);
pid_t clinux_thread_number(void);
// The processors that a thread (0: the calling one) may run on, a bit each, lowest first: the bytes
// that the kernel wrote, or -1.
int clinux_processors(pid_t thread, uint8_t *set, size_t size);
int clinux_set_processors(pid_t thread, const uint8_t *set, size_t size);
// ASYNC_LOW_LATENCY of a serial port: 1 set now, 0 was set, -1 with EOPNOTSUPP where the driver
// took it and kept nothing.
int clinux_set_low_latency(int terminal);
int clinux_prlimit(pid_t process, int resource, const struct rlimit *set, struct rlimit *old);

// Whether something keeps CLOCK_REALTIME right (adjtimex(2)): 1 or 0, or -1.
int clinux_clock_is_kept(void);

// crypt(3) without its static buffer. `hash` receives at most `capacity` bytes with the final 0.
int clinux_crypt(const char *phrase, const char *setting, char *hash, size_t capacity);

// Overwrites, and is not left out by the compiler.
void clinux_wipe(void *bytes, size_t count);
// No core dump of this process, and nobody but root attaches to it.
int clinux_forbid_dumps(void);

// How many columns of a terminal a Unicode scalar takes (wcwidth(3) in C.UTF-8): 0 to 2, or -1
// where it has no width, or this system has no such locale.
int clinux_columns(uint32_t scalar);

// A program to start. -1 in place of a descriptor: /dev/null.
struct clinux_program {
  const char *path;
  char *const *words;
  // Each as NAME=value, in place of ours of that name; what systemd told us alone is left out.
  char *const *variables;
  int input, output, errors;
  // Further descriptors, which it gets under the same numbers; it gets no other.
  const int *kept;
  int kept_count;
  // A process group of its own, so that it is killed with what it starts.
  int has_own_group;
};
// It is killed when the calling THREAD ends, and so with our process however it dies
// (PR_SET_PDEATHSIG). It has no signal blocked, and none ignored.
pid_t clinux_spawn(const struct clinux_program *program);

#endif
