/// Orders of lockstep, which the host writes to the shared memory before it pulls SWI0
/// (LOCKSTEP.md).
enum GrantPort {
  private static let interrupt: UInt = 20

  // Only the main loop has it.
  nonisolated(unsafe) private static var taken: UInt32 = 0
  // Only the main loop has it.
  nonisolated(unsafe) private static var isDone = false

  static func start() {
    taken = SharedMemory.orders.value
    Pins.drive(Wiring.done)
    Interrupts.enable(interrupt)
  }

  /// The next order; sleeps until it has come.
  static func next() -> Order {
    Interrupts.wait { SharedMemory.orders.value != taken }
    taken = SharedMemory.orders.value
    return Order(
      isBoot: byte(0) == UInt8(ascii: "B"), first: half(1), second: half(3), third: half(5),
      isClosed: byte(7) != 0, millivolts: half(8))
  }

  static func sayReady() { say(0x05, 0) }

  /// All of the granted time is over, and so many bytes went to the host since the last mark.
  static func sayDone(_ sent: UInt16) { say(0x06, sent) }

  /// The host clears the mark that it has read.
  private static func say(_ mark: UInt32, _ sent: UInt16) {
    SharedMemory.sent.value = UInt32(sent)
    SharedMemory.mark.value = mark
    isDone.toggle()
    Pins.set(Wiring.done, isDone)
  }

  private static func byte(_ place: UInt) -> UInt8 { SharedMemory.byte(SharedMemory.order + place) }
  private static func half(_ place: UInt) -> UInt16 {
    UInt16(byte(place)) | UInt16(byte(place + 1)) << 8
  }
}

/// It has woken the main loop: that is all.
@c(grantInterrupt)
public func grantInterrupt() {}
