#pragma once

#include <libusb.h>

/// Contexts made from now on look for no devices and start no thread for it: their devices are
/// opened by descriptor. Variadic in libusb, so out of Swift's reach.
static inline int cusb_leave_discovery_out(void) {
  return libusb_set_option(NULL, LIBUSB_OPTION_NO_DEVICE_DISCOVERY);
}
