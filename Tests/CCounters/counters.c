#include "CCounters.h"

#include <sys/wait.h>
#include <unistd.h>

// Of the profile runtime, where it is linked.
__attribute__((weak)) void __llvm_profile_reset_counters(void);
__attribute__((weak)) void __llvm_profile_set_filename(const char *path);
__attribute__((weak)) int __llvm_profile_write_file(void);

int counters_begin(void) {
  if (!__llvm_profile_write_file) return -1;
  const pid_t child = fork();
  if (child == 0) {
    __llvm_profile_reset_counters();
    return 0;
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 1 : -1;
}

_Noreturn void counters_end(const char *path) {
  __llvm_profile_set_filename(path);
  _exit(__llvm_profile_write_file() == 0 ? 0 : 1);
}
