// A file of its own: <asm/termbits.h> and <termios.h> both define struct termios.
#include "CLinux.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>

int ioctl(int descriptor, unsigned long request, ...);

int clinux_set_speed(int terminal, uint32_t bits_per_second) {
  struct termios2 mode;
  if (ioctl(terminal, TCGETS2, &mode) < 0) return -1;
  mode.c_cflag &= ~(tcflag_t)(CBAUD | (CBAUD << IBSHIFT));
  mode.c_cflag |= BOTHER | (BOTHER << IBSHIFT);
  mode.c_ispeed = bits_per_second;
  mode.c_ospeed = bits_per_second;
  return ioctl(terminal, TCSETS2, &mode);
}

int clinux_get_speed(int terminal, uint32_t *bits_per_second) {
  struct termios2 mode;
  if (ioctl(terminal, TCGETS2, &mode) < 0) return -1;
  *bits_per_second = mode.c_ospeed;
  return 0;
}
