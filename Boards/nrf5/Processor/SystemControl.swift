import WireProtocol

/// Clock, and why the processor was reset.
enum SystemControl {
  /// CLOCK: TASKS_HFCLKSTART, EVENTS_HFCLKSTARTED.
  private static let startCrystal = Register(0x4000_0000)
  private static let crystalStarted = Register(0x4000_0100)
  /// POWER: RESETREAS, whose bits are cleared by writing them.
  private static let resetReasons = Register(0x4000_0400)

  // Set once, before anything else.
  nonisolated(unsafe) private(set) static var isEmulated = false

  /// The crystal, without which the UART's baud rate is off by too much.
  static func start() {
    crystalStarted.value = 0
    startCrystal.value = 1
    while crystalStarted.value == 0 {}
  }

  /// Asked once a boot. QEMU has no POWER: what is read there is the same after each write, and the
  /// host says the cause by the mark.
  static func takeResetCause() -> ResetCause {
    let flags = resetReasons.value
    resetReasons.value = flags
    isEmulated = flags != 0 && resetReasons.value == flags
    let mark = ResetMark.take()
    if isEmulated { return mark }
    if flags & 0b0001 != 0 { return .resetPin }
    if flags & 0b0010 != 0 { return .watchdog }
    if flags & 0b0100 != 0 { return .software }
    // A lockup is none of the causes that the wire has. Power-on and brown-out set no bit.
    return flags == 0 ? .powerOn : .unknown
  }
}

extension ResetMark {
  static var address: UInt { SharedMemory.address }
}
