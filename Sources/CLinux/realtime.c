// What a thread or process asks of the scheduler, of memory and of a serial driver.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/serial.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int clinux_thread_create(pthread_t *thread, int priority, int processor, void *(*body)(void *),
                         void *argument) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error) return error;
  if (priority > 0) {
    struct sched_param parameter = {.sched_priority = priority};
    error = pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    if (!error) error = pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    if (!error) error = pthread_attr_setschedparam(&attributes, &parameter);
  }
  if (!error && processor >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (processor < CPU_SETSIZE) CPU_SET(processor, &set);
    error = pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
  }
  if (!error) error = pthread_create(thread, &attributes, body, argument);
  pthread_attr_destroy(&attributes);
  return error;
}

int clinux_keep_priority(int priority) {
  struct sched_param parameter = {.sched_priority = priority};
  return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter);
}

pid_t clinux_thread_number(void) { return (pid_t)syscall(SYS_gettid); }

int clinux_processors(pid_t thread, uint8_t *set, size_t size) {
  return (int)syscall(SYS_sched_getaffinity, thread, size, set);
}

int clinux_set_processors(pid_t thread, const uint8_t *set, size_t size) {
  return (int)syscall(SYS_sched_setaffinity, thread, size, set);
}

int clinux_set_low_latency(int terminal) {
  struct serial_struct serial;
  if (ioctl(terminal, TIOCGSERIAL, &serial) < 0) return -1;
  if (serial.flags & ASYNC_LOW_LATENCY) return 0;
  serial.flags |= ASYNC_LOW_LATENCY;
  if (ioctl(terminal, TIOCSSERIAL, &serial) < 0) return -1;
  if (ioctl(terminal, TIOCGSERIAL, &serial) < 0) return -1;
  // A driver that has no such mode says yes, and forgets it.
  if (serial.flags & ASYNC_LOW_LATENCY) return 1;
  errno = EOPNOTSUPP;
  return -1;
}
