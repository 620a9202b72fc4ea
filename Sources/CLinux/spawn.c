// Starting a program of others.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// As <linux/close_range.h> has it.
#define CLOSE_ON_EXEC (1U << 2)

// What a service manager says to its service, and to nobody whom that starts.
static const char *const told_to_us[] = {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID",
                                         "LISTEN_FDS",    "LISTEN_PID",    "LISTEN_FDNAMES"};

static size_t name_length(const char *variable) {
  const char *equals = strchr(variable, '=');
  return equals ? (size_t)(equals - variable) : strlen(variable);
}

static int has_name(const char *variable, const char *name, size_t length) {
  return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

static int is_passed_on(const char *variable, char *const *variables) {
  for (size_t i = 0; i < sizeof told_to_us / sizeof *told_to_us; i++) {
    if (has_name(variable, told_to_us[i], strlen(told_to_us[i]))) return 0;
  }
  for (; variables && *variables; variables++) {
    if (has_name(variable, *variables, name_length(*variables))) return 0;
  }
  return 1;
}

static char **environment(char *const *variables) {
  size_t count = 1;
  for (char **ours = environ; ours && *ours; ours++) count++;
  for (char *const *more = variables; more && *more; more++) count++;
  char **made = malloc(count * sizeof *made);
  if (!made) return NULL;
  size_t at = 0;
  for (char **ours = environ; ours && *ours; ours++) {
    if (is_passed_on(*ours, variables)) made[at++] = *ours;
  }
  for (; variables && *variables; variables++) made[at++] = *variables;
  made[at] = NULL;
  return made;
}

// From here to `become` it is the child that runs, on our memory: system calls alone.

static int keep_nothing_but(const int *kept, int count) {
  if (syscall(SYS_close_range, 3U, UINT_MAX, CLOSE_ON_EXEC) != 0) {
    // Kernels before 5.11.
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    for (rlim_t number = 3; number < limit.rlim_max && number < INT_MAX; number++) {
      fcntl((int)number, F_SETFD, FD_CLOEXEC);
    }
  }
  for (int i = 0; i < count; i++) {
    if (fcntl(kept[i], F_SETFD, 0) != 0) return -1;
  }
  return 0;
}

static int take(int descriptor, int as, int nothing) {
  int wanted = descriptor < 0 ? nothing : descriptor;
  if (wanted == as) return fcntl(as, F_SETFD, 0);
  return dup2(wanted, as) < 0 ? -1 : 0;
}

static int prepare(const struct clinux_program *program, pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -1;
  // Asked after it is tied: a parent that died before that would never be noticed.
  if (getppid() != parent) {
    errno = ECHILD;
    return -1;
  }
  if (program->has_own_group && setpgid(0, 0) != 0) return -1;
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return -1;
  if (take(program->input, 0, nothing) != 0 || take(program->output, 1, nothing) != 0 ||
      take(program->errors, 2, nothing) != 0) {
    return -1;
  }
  if (keep_nothing_but(program->kept, program->kept_count) != 0) return -1;
  for (int number = 1; number < NSIG; number++) {
    if (number != SIGKILL && number != SIGSTOP) signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  return sigprocmask(SIG_SETMASK, &none, NULL);
}

pid_t clinux_spawn(const struct clinux_program *program) {
  char **variables = environment(program->variables);
  if (!variables) return -1;
  pid_t parent = getpid();
  volatile int error = 0;
  // A handler of ours must not run in the child, which has our memory.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = vfork();
  if (child == 0) {
    if (prepare(program, parent) == 0) execve(program->path, program->words, variables);
    error = errno ? errno : ECHILD;
    _exit(127);
  }
  if (child < 0) error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  free(variables);
  if (error == 0) return child;
  if (child > 0) waitpid(child, NULL, 0);
  errno = error;
  return -1;
}
