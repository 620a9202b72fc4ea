/// Button A, the middle light of the display, the sounder on a ring. Both ports are alike.
enum Pins {
  private static let port: UInt = 0x5000_0000
  private static let secondPort: UInt = 0x5000_0300
  /// PIN_CNF: input, connected, pulled up.
  private static let pulledUp: UInt32 = 0b1100

  // The level at the last tick. Touched in its interrupt, and else only read.
  nonisolated(unsafe) private(set) static var isButtonClosed = false

  static func start() {
    configure(Wiring.button, pulledUp)
    // A light is on while its row is high and its column low.
    set(Wiring.lightColumn, false)
    setLight(false)
    setSpeaker(false)
    set(Wiring.linkOut, true)
    drive(Wiring.lightColumn)
    drive(Wiring.lightRow)
    drive(Wiring.speaker)
    drive(Wiring.linkOut)
    sampleButton()
  }

  static func setLight(_ on: Bool) { set(Wiring.lightRow, on) }
  static func setSpeaker(_ on: Bool) { set(Wiring.speaker, on) }

  /// Edges are noticed by the tick alone.
  static var hasButtonEdge: Bool { false }
  static func clearButtonEdge() {}

  /// IN: closed is low.
  static func sampleButton() {
    isButtonClosed =
      Register(base(Wiring.button) + 0x510).value & (1 << UInt32(Wiring.button & 31)) == 0
  }

  /// PIN_CNF.
  static func configure(_ pin: UInt, _ value: UInt32) {
    Register(base(pin) + 0x700 + 4 * (pin & 31)).value = value
  }

  /// DIRSET.
  static func drive(_ pin: UInt) { Register(base(pin) + 0x518).value = 1 << UInt32(pin & 31) }

  /// OUTSET or OUTCLR.
  static func set(_ pin: UInt, _ high: Bool) {
    Register(base(pin) + (high ? 0x508 : 0x50C)).value = 1 << UInt32(pin & 31)
  }

  private static func base(_ pin: UInt) -> UInt { pin < 32 ? port : secondPort }
}
