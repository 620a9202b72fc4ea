/* What a bare program does for a question on the keychain's serial port: writes the bytes, reads as
   many as answer it. Prints how long each took, in ns, a line each.
     echo_tty PORT HEX LENGTH COUNT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int fail(const char *what) {
  perror(what);
  return 1;
}

int main(int argc, char **argv) {
  unsigned char question[256], answer[4096];
  if (argc != 5) return fputs("echo_tty PORT HEX LENGTH COUNT\n", stderr), 2;
  size_t size = strlen(argv[2]) / 2;
  for (size_t i = 0; i < size && i < sizeof question; i++)
    sscanf(argv[2] + 2 * i, "%2hhx", &question[i]);
  int length = atoi(argv[3]), count = atoi(argv[4]);

  int port = open(argv[1], O_RDWR | O_NOCTTY);
  if (port < 0) return fail(argv[1]);
  struct termios settings;
  if (tcgetattr(port, &settings) != 0) return fail("tcgetattr");
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL;
  if (tcsetattr(port, TCSANOW, &settings) != 0) return fail("tcsetattr");

  struct pollfd readable = {.fd = port, .events = POLLIN};
  for (int i = 0; i < count; i++) {
    /* What the keychain says by itself is no answer. */
    while (poll(&readable, 1, 0) > 0 && read(port, answer, sizeof answer) > 0) continue;
    long long start = now();
    if (write(port, question, size) != (ssize_t)size) return fail("write");
    for (int have = 0; have < length;) {
      if (poll(&readable, 1, 5000) <= 0) return fail("no answer");
      ssize_t more = read(port, answer, sizeof answer);
      if (more <= 0) return fail("read");
      have += more;
    }
    printf("%lld\n", now() - start);
  }
  return 0;
}
