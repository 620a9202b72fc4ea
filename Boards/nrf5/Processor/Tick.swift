/// TIMER1, each millisecond: neither the button nor a UART that QEMU has stopped has an interrupt.
enum Tick {
  private static let timer: UInt = 0x4000_9000
  fileprivate static let compared = Register(timer + 0x140)

  static func start() {
    // CC[0]; SHORTS: clear at its match; INTENSET.
    Register(timer + 0x540).value = 1_000
    Register(timer + 0x200).value = 1
    Register(timer + 0x304).value = 1 << 16
    Interrupts.enable(9)
    Timer.start(timer, bits: 0)
  }
}

@c(tick)
public func tick() {
  Tick.compared.value = 0
  _ = SystemClock.now()
  Pins.sampleButton()
  Button.notice()
  LinkPort.tick()
}
