import CortexM

/// Counts instructions by SysTick: QEMU with `-icount shift=0` takes a nanosecond for each, and
/// SysTick's clock of 50 MHz counts one in 20, so what is counted is to be long, or many.
struct InstructionCount {
  private var total: UInt32 = 0
  private var units: UInt32
  private static let counter = Register(0xE000_E018)

  init(units: Int) { self.units = UInt32(units) }

  static func start() {
    Register(0xE000_E014).value = 0xFF_FFFF
    counter.value = 0
    // The processor's clock, without interrupts.
    Register(0xE000_E010).value = 5
  }

  mutating func add(units more: Int) { units += UInt32(more) }

  @inline(never)
  mutating func measure(_ work: () -> Void) {
    let before = Self.counter.value
    work()
    total += (before &- Self.counter.value) & 0xFF_FFFF
  }

  /// Instructions a unit, with one decimal.
  func report(_ name: StaticString) {
    let tenths = total * 20 * 10 / units
    Console.write(name)
    Console.write(" ")
    Console.write(tenths / 10)
    Console.write(".")
    Console.write(tenths % 10)
    Console.write("\n")
  }
}

/// UART0, which QEMU shows at once.
enum Console {
  private static let data = Register(0x4000_C000)

  static func write(_ text: StaticString) {
    for place in 0..<text.utf8CodeUnitCount { data.value = UInt32(text.utf8Start[place]) }
  }

  static func write(_ number: UInt32) {
    if number >= 10 { write(number / 10) }
    data.value = 48 + number % 10
  }
}

/// Bytes that are the same each time.
struct Bytes {
  private var state: UInt32 = 1

  mutating func next(zerosOf256 zeros: UInt32) -> UInt8 {
    step()
    if state >> 24 < zeros { return 0 }
    step()
    return UInt8(truncatingIfNeeded: state >> 24)
  }

  private mutating func step() { state = state &* 1_664_525 &+ 1_013_904_223 }
}
