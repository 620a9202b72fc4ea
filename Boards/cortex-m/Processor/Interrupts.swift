import CortexM

/// The interrupt controller. All interrupts have one priority, so none interrupts another.
enum Interrupts {
  @inline(__always)
  static func enable(_ number: UInt) {
    Register(0xE000_E100 + number / 32 * 4).value = 1 << UInt32(number % 32)
  }

  @inline(__always)
  static func disable(_ number: UInt) {
    Register(0xE000_E180 + number / 32 * 4).value = 1 << UInt32(number % 32)
  }

  /// Runs `body` without an interrupt in between; inside an interrupt, too.
  @inline(__always)
  static func without<R>(_ body: () -> R) -> R {
    let mask = interrupt_mask()
    disable_interrupts()
    defer { if mask == 0 { enable_interrupts() } }
    return body()
  }

  /// Sleeps until `isSo`, which interrupts make true.
  static func wait(_ isSo: () -> Bool) {
    while true {
      disable_interrupts()
      let isDone = isSo()
      if !isDone { wait_for_interrupt() }
      enable_interrupts()
      if isDone { return }
    }
  }
}
