/* What a bare program does for a question to a keychain by libusb: transfers wait for what comes,
   as any driver has them wait, one goes there, and then as many bytes are awaited as answer it.
   Prints how long each took, in ns.
     echo_usb SERIAL HEX LENGTH COUNT */
// Links: -lusb-1.0
#include <libusb-1.0/libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { vendor = 0x1209, product = 0x0001, out = 0x01, in = 0x81, data = 1, waiting = 4 };

static volatile int have, is_gone, ended;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int fail(const char *what, int code) {
  fprintf(stderr, "%s: %s\n", what, libusb_error_name(code));
  return 1;
}

static libusb_device_handle *find(const char *serial) {
  libusb_device **list;
  libusb_device_handle *found = NULL;
  ssize_t count = libusb_get_device_list(NULL, &list);
  for (ssize_t i = 0; i < count && found == NULL; i++) {
    struct libusb_device_descriptor descriptor;
    unsigned char text[64] = "";
    if (libusb_get_device_descriptor(list[i], &descriptor) != 0) continue;
    if (descriptor.idVendor != vendor || descriptor.idProduct != product) continue;
    if (libusb_open(list[i], &found) != 0) continue;
    libusb_get_string_descriptor_ascii(found, descriptor.iSerialNumber, text, sizeof text);
    if (strcmp((char *)text, serial) == 0) break;
    libusb_close(found);
    found = NULL;
  }
  libusb_free_device_list(list, 1);
  return found;
}

static void came(struct libusb_transfer *transfer) {
  have += transfer->actual_length;
  if (transfer->status != LIBUSB_TRANSFER_COMPLETED || libusb_submit_transfer(transfer) != 0)
    ended = 1;
}

static void went(struct libusb_transfer *transfer) {
  is_gone = 1;
  if (transfer->status != LIBUSB_TRANSFER_COMPLETED) ended = 1;
}

int main(int argc, char **argv) {
  static unsigned char question[256], answers[waiting][64];
  int code;
  if (argc != 5) return fputs("echo_usb SERIAL HEX LENGTH COUNT\n", stderr), 2;
  int size = (int)strlen(argv[2]) / 2;
  for (int i = 0; i < size && i < (int)sizeof question; i++)
    sscanf(argv[2] + 2 * i, "%2hhx", &question[i]);
  int length = atoi(argv[3]), count = atoi(argv[4]);

  if ((code = libusb_init(NULL)) != 0) return fail("libusb_init", code);
  libusb_device_handle *device = find(argv[1]);
  if (device == NULL) return fprintf(stderr, "no keychain %s\n", argv[1]), 1;
  libusb_set_auto_detach_kernel_driver(device, 1);
  if ((code = libusb_claim_interface(device, data)) != 0) return fail("claim", code);

  for (int i = 0; i < waiting; i++) {
    struct libusb_transfer *transfer = libusb_alloc_transfer(0);
    libusb_fill_bulk_transfer(transfer, device, in, answers[i], sizeof answers[i], came, NULL, 0);
    if ((code = libusb_submit_transfer(transfer)) != 0) return fail("submit", code);
  }
  struct libusb_transfer *asking = libusb_alloc_transfer(0);
  libusb_fill_bulk_transfer(asking, device, out, question, size, went, NULL, 0);
  for (int i = 0; i < count && !ended; i++) {
    /* What the keychain says by itself is no answer. */
    struct timeval none = {0, 0};
    do {
      have = 0;
      libusb_handle_events_timeout_completed(NULL, &none, NULL);
    } while (have > 0);
    is_gone = 0;
    long long start = now();
    if ((code = libusb_submit_transfer(asking)) != 0) return fail("write", code);
    while ((have < length || !is_gone) && !ended) libusb_handle_events(NULL);
    printf("%lld\n", now() - start);
  }
  /* The end of the process gives transfers and interface back. */
  return ended ? fprintf(stderr, "a transfer failed\n"), 1 : 0;
}
