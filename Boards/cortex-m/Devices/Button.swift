import Firmware
import FobBase

/// The button: each edge is stamped where it is noticed, in an interrupt, and waits in a queue.
enum Button {
  private struct Queue {
    /// Microseconds << 1, and whether the contact closed.
    var edges = InlineArray<16, UInt64>(repeating: 0)
    var noticed: UInt32 = 0
    var taken: UInt32 = 0
    var lastNoticed = false
    var lastTaken = false
  }

  // Touched in the interrupt, and else only where interrupts are masked.
  nonisolated(unsafe) private static var queue = Queue()

  /// What was noticed before is nobody's.
  static func start() {
    queue.taken = queue.noticed
    queue.lastNoticed = Pins.isButtonClosed
    queue.lastTaken = queue.lastNoticed
  }

  static var hasEdge: Bool { queue.noticed != queue.taken }

  static func next() -> ButtonEdge? {
    Interrupts.without {
      guard queue.noticed != queue.taken else { return nil }
      let edge = queue.edges[Int(queue.taken & 15)]
      queue.taken &+= 1
      queue.lastTaken = edge & 1 != 0
      return ButtonEdge(closed: queue.lastTaken, at: Instant(microseconds: Int64(edge >> 1)))
    }
  }

  /// The pin, but as of the last edge taken while another waits: level and edges never disagree.
  static func isClosed() -> Bool {
    Interrupts.without {
      let closed = Pins.isButtonClosed
      return queue.noticed == queue.taken && !Pins.hasButtonEdge ? closed : queue.lastTaken
    }
  }

  /// Of a queue that is full the newest edges go unnoticed: the pin itself is asked in the end.
  static func notice() {
    Pins.clearButtonEdge()
    let closed = Pins.isButtonClosed
    guard closed != queue.lastNoticed, queue.noticed &- queue.taken < 16 else { return }
    queue.lastNoticed = closed
    let clock = UInt64(bitPattern: SystemClock.now().microseconds)
    queue.edges[Int(queue.noticed & 15)] = clock << 1 | (closed ? 1 : 0)
    queue.noticed &+= 1
  }
}
