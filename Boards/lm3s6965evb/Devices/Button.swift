import Firmware
import FobBase

/// The button: each edge is stamped where it is noticed, in its interrupt, and waits in a queue.
enum Button {
  static let interrupt: UInt = 30

  /// Microseconds << 1, and whether the contact closed.
  nonisolated(unsafe) private static var edges = InlineArray<16, UInt64>(repeating: 0)
  nonisolated(unsafe) private static var noticed: UInt32 = 0
  nonisolated(unsafe) private static var taken: UInt32 = 0
  nonisolated(unsafe) private static var lastNoticed = false
  nonisolated(unsafe) private static var lastTaken = false

  static func start() {
    lastNoticed = Pins.isButtonClosed
    lastTaken = lastNoticed
    Interrupts.enable(interrupt)
  }

  static var hasEdge: Bool { noticed != taken }

  static func next() -> ButtonEdge? {
    Interrupts.without {
      guard noticed != taken else { return nil }
      let edge = edges[Int(taken & 15)]
      taken &+= 1
      lastTaken = edge & 1 != 0
      return ButtonEdge(closed: lastTaken, at: Instant(microseconds: Int64(edge >> 1)))
    }
  }

  /// The pin, but as of the last edge taken while another waits: level and edges never disagree.
  static func isClosed() -> Bool {
    Interrupts.without {
      let closed = Pins.isButtonClosed
      return noticed == taken && !Pins.hasButtonEdge ? closed : lastTaken
    }
  }

  /// Of a queue that is full the newest edges go unnoticed: the pin itself is asked in the end.
  fileprivate static func notice() {
    Pins.clearButtonEdge()
    let closed = Pins.isButtonClosed
    guard closed != lastNoticed, noticed &- taken < 16 else { return }
    lastNoticed = closed
    let clock = UInt64(bitPattern: SystemClock.now().microseconds)
    edges[Int(noticed & 15)] = clock << 1 | (closed ? 1 : 0)
    noticed &+= 1
  }
}

@c(buttonInterrupt)
public func buttonInterrupt() { Button.notice() }
