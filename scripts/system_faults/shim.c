// Preloaded into fob by scripts/system-faults.py, for what strace cannot do: writes that take a
// part only, locks that are refused but given back, and a wall clock that is set. FOB_FAULTS names
// a file of 128 bytes that both share.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct faults {
  int64_t step_us;      // by which the wall clock is off
  int64_t short_first;  // the first write that takes a part, counted from 1; 0: none is counted
  int64_t short_last;
  int64_t writes;       // to files and terminals, since this was 0
  int64_t shortened;
  int64_t lock_first;   // the same for locks of a file, and by which error they are refused
  int64_t lock_last;
  int64_t lock_error;
  int64_t locks;
  int64_t refused;
};

static struct faults nothing;
static struct faults *faults = &nothing;

// A tracer may attach, and the process ends with who started it: a script that is killed leaves
// none.
__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FOB_FAULTS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file >= 0) {
    void *shared = mmap(NULL, 128, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) faults = shared;
    close(file);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
}

// fob forbids that it is traced; here it is.
int prctl(int option, ...) {
  va_list list;
  va_start(list, option);
  unsigned long a[4];
  for (int i = 0; i < 4; i++) a[i] = va_arg(list, unsigned long);
  va_end(list);
  if (option == PR_SET_DUMPABLE) return 0;
  return syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
}

// How much of that many bytes is written.
static size_t part(int file, size_t count) {
  int64_t first = __atomic_load_n(&faults->short_first, __ATOMIC_SEQ_CST);
  if (first == 0) return count;
  struct stat about;
  int before = errno;
  int counts = fstat(file, &about) == 0 && (S_ISREG(about.st_mode) || S_ISCHR(about.st_mode));
  errno = before;
  if (!counts || count < 2) return count;
  int64_t number = __atomic_add_fetch(&faults->writes, 1, __ATOMIC_SEQ_CST);
  if (number < first || number > faults->short_last) return count;
  __atomic_add_fetch(&faults->shortened, 1, __ATOMIC_SEQ_CST);
  return count / 2;
}

static int controlled(int file, int command, void *argument) {
  int64_t first = __atomic_load_n(&faults->lock_first, __ATOMIC_SEQ_CST);
  if (first != 0 && command == F_SETLK && ((struct flock *)argument)->l_type != F_UNLCK) {
    int64_t number = __atomic_add_fetch(&faults->locks, 1, __ATOMIC_SEQ_CST);
    if (number >= first && number <= faults->lock_last) {
      __atomic_add_fetch(&faults->refused, 1, __ATOMIC_SEQ_CST);
      errno = faults->lock_error;
      return -1;
    }
  }
  return syscall(SYS_fcntl, file, command, argument);
}

int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return controlled(file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return controlled(file, command, argument);
}

ssize_t write(int file, const void *bytes, size_t count) {
  return syscall(SYS_write, file, bytes, part(file, count));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  return syscall(SYS_pwrite64, file, bytes, part(file, count), at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  return pwrite64(file, bytes, count, at);
}

ssize_t writev(int file, const struct iovec *pieces, int count) {
  size_t first = count > 0 ? pieces[0].iov_len : 0;
  size_t taken = part(file, first);
  if (taken < first) return syscall(SYS_write, file, pieces[0].iov_base, taken);
  return syscall(SYS_writev, file, pieces, count);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int code = real(clock, now);
  int64_t step = __atomic_load_n(&faults->step_us, __ATOMIC_SEQ_CST);
  if (code == 0 && step != 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t ns = now->tv_nsec + step % 1000000 * 1000;
    now->tv_sec += step / 1000000 + (ns >= 1000000000) - (ns < 0);
    now->tv_nsec = ns >= 1000000000 ? ns - 1000000000 : ns < 0 ? ns + 1000000000 : ns;
  }
  return code;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec fine;
  int code = clock_gettime(CLOCK_REALTIME, &fine);
  now->tv_sec = fine.tv_sec;
  now->tv_usec = fine.tv_nsec / 1000;
  return code;
}

time_t time(time_t *seconds) {
  struct timespec fine;
  clock_gettime(CLOCK_REALTIME, &fine);
  if (seconds) *seconds = fine.tv_sec;
  return fine.tv_sec;
}
