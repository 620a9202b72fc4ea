import WireProtocol

/// A word at the end of the RAM, which the linker gives to nobody and a reset leaves as it is: what
/// led to the reset, as far as the firmware knew. Each board says at which address.
enum ResetMark {
  private static let running: UInt32 = 0x666F_6200
  private static var word: Register { Register(address) }

  static func set(_ cause: ResetCause) { word.value = running | UInt32(cause.rawValue) }

  /// What was marked; `powerOn` where nothing was. From now on a reset is one from outside.
  static func take() -> ResetCause {
    let found = word.value
    set(.resetPin)
    guard found & ~0xFF == running else { return .powerOn }
    return ResetCause(rawValue: UInt8(truncatingIfNeeded: found)) ?? .unknown
  }

  /// Ends this boot, as one that the firmware itself has ended: SYSRESETREQ in AIRCR (Armv7-M and
  /// Armv6-M Architecture Reference Manuals, B3.2.6).
  static func startOver() -> Never {
    set(.software)
    Register(0xE000_ED0C).value = 0x05FA_0004
    while true {}
  }
}

/// A trap of Swift or a fault of the processor: start over, and say so.
@c(faulted)
public func faulted() { ResetMark.startOver() }
