/// `udev/70-fob.rules` as it was when this was built; a test holds them alike.
enum ShippedRule {
  static let text = #"""
    ACTION=="remove", GOTO="fob_end"
    SUBSYSTEM!="usb|usb-serial|tty", GOTO="fob_end"
    SUBSYSTEM=="usb", ENV{DEVTYPE}!="usb_device", GOTO="fob_end"

    SUBSYSTEMS=="usb", ATTRS{idVendor}=="1209", ATTRS{idProduct}=="0001", \
      ATTRS{manufacturer}=="fob", ATTRS{product}=="fob keychain", ENV{FOB_KEYCHAIN}="1"
    ENV{FOB_KEYCHAIN}!="1", GOTO="fob_end"

    ENV{ID_MM_DEVICE_IGNORE}="1"
    SUBSYSTEM=="usb-serial", TEST=="latency_timer", ATTR{latency_timer}="1"
    SUBSYSTEM=="usb-serial", GOTO="fob_end"

    GROUP="plugdev", MODE="0660", TAG+="uaccess", TAG+="fob"
    SUBSYSTEM=="tty", ENV{ID_SERIAL_SHORT}=="[0-9A-Za-z]*", \
      ENV{ID_SERIAL_SHORT}!="*[!0-9A-Za-z]*", SYMLINK+="fob/$env{ID_SERIAL_SHORT}"

    LABEL="fob_end"
    """#
}
