import CortexM
import Firmware
import FobBase

/// The button: each edge is stamped where it is noticed, in an interrupt, and waits in a queue.
enum Button {
  private struct Queue {
    /// Microseconds << 1, and whether the contact closed.
    var edges: InlineArray<16, UInt64>
    var noticed: UInt32
    var taken: UInt32
    var lastNoticed: Bool
    var lastTaken: Bool

    var hasEdge: Bool { noticed != taken }
    var isFull: Bool { noticed &- taken == 16 }
  }

  // Touched in the interrupt, and else only where interrupts are masked.
  private static var queue: UnsafeMutablePointer<Queue> {
    precondition(MemoryLayout<Queue>.size <= BUTTON_MEMORY_SIZE)
    return button_memory().assumingMemoryBound(to: Queue.self)
  }

  /// What was noticed before is nobody's.
  static func start() {
    queue.pointee.taken = queue.pointee.noticed
    queue.pointee.lastNoticed = Pins.isButtonClosed
    queue.pointee.lastTaken = queue.pointee.lastNoticed
  }

  static var hasEdge: Bool { queue.pointee.hasEdge }

  static func next() -> ButtonEdge? {
    Interrupts.without {
      guard hasEdge else { return nil }
      let edge = queue.pointee.edges[Int(queue.pointee.taken & 15)]
      queue.pointee.taken &+= 1
      let isClosed = edge & 1 != 0
      queue.pointee.lastTaken = isClosed
      return ButtonEdge(closed: isClosed, at: Instant(microseconds: Int64(edge >> 1)))
    }
  }

  /// The pin, but as of the last edge taken while another waits: level and edges never disagree.
  static func isClosed() -> Bool {
    Interrupts.without {
      let closed = Pins.isButtonClosed
      return hasEdge || Pins.hasButtonEdge ? queue.pointee.lastTaken : closed
    }
  }

  /// Of a queue that is full the newest edges go unnoticed: the pin itself is asked in the end.
  static func notice() {
    Pins.clearButtonEdge()
    let closed = Pins.isButtonClosed
    guard closed != queue.pointee.lastNoticed, !queue.pointee.isFull else { return }
    queue.pointee.lastNoticed = closed
    let clock = UInt64(bitPattern: SystemClock.now().microseconds)
    queue.pointee.edges[Int(queue.pointee.noticed & 15)] = clock << 1 | (closed ? 1 : 0)
    queue.pointee.noticed &+= 1
  }
}
