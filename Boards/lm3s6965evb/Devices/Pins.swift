/// Ports A to G: which pins are whose (LM3S6965EVB user's manual).
enum Pins {
  private static let portA: UInt = 0x4000_4000
  private static let portB: UInt = 0x4000_5000
  private static let portD: UInt = 0x4000_7000
  private static let portF: UInt = 0x4002_5000
  private static let portG: UInt = 0x4002_6000

  /// PF0, the status light.
  private static let light = Register(portF + (1 << 2))
  /// PF1, the select button: closed is low. Its data register, masked to this pin.
  private static let button = Register(portF + (2 << 2))
  private static let buttonRaw = Register(portF + 0x414)
  private static let buttonClear = Register(portF + 0x41C)
  /// PG1, the speaker.
  private static let speaker = Register(portG + (2 << 2))

  static func start() {
    alternate(portA, 0b0000_0011)
    alternate(portB, 0b0000_1100)
    alternate(portD, 0b0000_1100)
    Register(portB + 0x50C).value = 0b0000_1000
    Register(portF + 0x400).value = 1
    Register(portG + 0x400).value = 2
    Register(portF + 0x510).value = 2
    Register(portF + 0x51C).value = 3
    Register(portG + 0x51C).value = 2
    Register(portF + 0x408).value = 2
    buttonClear.value = 2
    Register(portF + 0x410).value = 2
    Interrupts.enable(30)
  }

  static func setLight(_ on: Bool) { light.value = on ? 1 : 0 }
  static func setSpeaker(_ on: Bool) { speaker.value = on ? 2 : 0 }

  @inline(__always)
  static var isButtonClosed: Bool { button.value == 0 }
  /// An edge that no interrupt has served yet.
  @inline(__always)
  static var hasButtonEdge: Bool { buttonRaw.value & 2 != 0 }
  @inline(__always)
  static func clearButtonEdge() { buttonClear.value = 2 }

  private static func alternate(_ port: UInt, _ pins: UInt32) {
    Register(port + 0x420).value = pins
    Register(port + 0x51C).value = pins
  }
}

@c(buttonInterrupt)
public func buttonInterrupt() { Button.notice() }
