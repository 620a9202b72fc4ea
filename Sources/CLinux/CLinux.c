#define _GNU_SOURCE
#include "CLinux.h"

#include <crypt.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int clinux_memory_file(void) { return memfd_create("input", MFD_CLOEXEC); }

int clinux_bounded_file(size_t size) {
  int file = memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, (off_t)size) == 0 &&
      fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0) {
    return file;
  }
  int error = errno;
  close(file);
  errno = error;
  return -1;
}

int clinux_timerfd_boottime(void) {
  return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
}

int clinux_timerfd_set(int timer, int64_t seconds, int64_t nanoseconds) {
  struct itimerspec at = {.it_value = {.tv_sec = seconds, .tv_nsec = nanoseconds}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

int clinux_timerfd_wall_set(void) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  if (timer < 0) return -1;
  // It never comes: the timer is there to be cancelled.
  struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX}};
  if (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) == 0)
    return timer;
  int error = errno;
  close(timer);
  errno = error;
  return -1;
}

int clinux_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_watch(int epoll, int descriptor, uint32_t events, uint64_t tag) {
  struct epoll_event event = {.events = events, .data = {.u64 = tag}};
  if (epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
  return errno == ENOENT ? epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) : -1;
}

int clinux_epoll_forget(int epoll, int descriptor) {
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

int clinux_epoll_wait(int epoll, uint64_t *tags, int capacity, int waits) {
  struct epoll_event events[64];
  int count = epoll_wait(epoll, events, capacity < 64 ? capacity : 64, waits ? -1 : 0);
  for (int i = 0; i < count; i++) tags[i] = events[i].data.u64;
  return count;
}

int clinux_signalfd(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error) {
    errno = error;
    return -1;
  }
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int clinux_signalfd_next(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : -1;
}

int clinux_pty_open(void) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (master < 0) return -1;
  if (grantpt(master) == 0 && unlockpt(master) == 0) return master;
  int error = errno;
  close(master);
  errno = error;
  return -1;
}

int clinux_pty_slave_path(int master, char *path, size_t capacity) {
  errno = ptsname_r(master, path, capacity);
  return errno ? -1 : 0;
}

int clinux_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

int clinux_prlimit(pid_t process, int resource, const struct rlimit *set, struct rlimit *old) {
  return prlimit(process, (enum __rlimit_resource)resource, set, old);
}

int clinux_crypt(const char *phrase, const char *setting, char *hash, size_t capacity) {
  struct crypt_data *data = calloc(1, sizeof *data);
  if (!data) return -1;
  const char *made = crypt_r(phrase, setting, data);
  int error = errno;
  int result = -1;
  // libxcrypt reports failure with a string that begins with '*', glibc's old one with NULL.
  if (!made || made[0] == '*') {
    if (error == 0) error = EINVAL;
  } else if (strlen(made) >= capacity) {
    error = ERANGE;
  } else {
    strcpy(hash, made);
    result = 0;
  }
  explicit_bzero(data, sizeof *data);
  free(data);
  errno = error;
  return result;
}

void clinux_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }

int clinux_forbid_dumps(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0);
}

int clinux_clock_is_kept(void) {
  struct timex clock = {0};
  int state = adjtimex(&clock);
  return state < 0 ? -1 : state != TIME_ERROR;
}

int clinux_run_soon(void) {
  // As sched_setattr(2) takes it, which the C library has no function for.
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } attributes = {0};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return -1;
  // Somebody has given it a policy that is better than this.
  if (attributes.policy != SCHED_OTHER) return 0;
  // The least that the kernel takes, ns.
  attributes.runtime = 100000;
  return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

static locale_t utf8;

static void make_utf8(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int clinux_columns(uint32_t scalar) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_utf8);
  if (utf8 == (locale_t)0) return -1;
  locale_t before = uselocale(utf8);
  int columns = wcwidth((wchar_t)scalar);
  uselocale(before);
  return columns;
}
