/// The numbers of USB/IP (the Linux kernel's Documentation/usb/usbip_protocol.rst).
public enum USBIPCode {
  /// Binary-coded decimal, 1.1.1.
  public static let version: UInt16 = 0x0111
  public static let requestDeviceList: UInt16 = 0x8005
  public static let replyDeviceList: UInt16 = 0x0005
  public static let requestImport: UInt16 = 0x8003
  public static let replyImport: UInt16 = 0x0003

  /// Version, code and status, before every request and reply.
  public static let operationSize = 8
  /// Before each URB and each answer.
  public static let headerSize = 48

  public static let submit: UInt32 = 1
  public static let unlink: UInt32 = 2
  public static let submitted: UInt32 = 3
  public static let unlinked: UInt32 = 4
}

/// What becomes of an URB, as Linux numbers it.
public enum USBIPStatus {
  public static let done: Int32 = 0
  /// ENOMEM: more URBs wait than the device keeps.
  public static let tooMany: Int32 = -12
  /// EPIPE: the endpoint answers STALL.
  public static let stalled: Int32 = -32
  /// EOVERFLOW: the packet is longer than what the URB has left.
  public static let overflow: Int32 = -75
  /// ECONNRESET: the host has taken it back.
  public static let unlinked: Int32 = -104
  /// ESHUTDOWN: its endpoint has been set up anew.
  public static let shutDown: Int32 = -108
}
