package import Emulator
package import FobBase
import Glibc
package import SerialIO
import Synchronization
import Transport

/// A device on a line of any kind, in real time.
package final class LineRig: Rig {
  /// The device spec.
  package let name: String
  /// Waiting takes real time.
  package let isVirtual = false
  /// 80 ms unless the opener says otherwise.
  package let slack: Interval
  /// Zero unless the opener says otherwise.
  package let clockSlack: Interval
  /// Read once, when the rig is made.
  package let wallOffset: Int64
  private let actuator: any Actuator
  /// A BREAK on the line resets the device, so the actuator is not asked to.
  private let breakResets: Bool
  private let inbox: Inbox
  private let line: DeviceLine
  /// A run longer than this is sent in pieces: a line takes a frame whole, or not at all.
  private static let piece = 256
  private static let patience = Interval.seconds(5)

  /// Arrivals from the reader's thread that the case has not taken yet.
  private final class Inbox: Sendable {
    struct State {
      var arrivals: [Arrival] = []
      var next = 0
      var isOpen = false
      var trouble: IOFailure?
    }

    let state = Mutex(State())
    let signal: EventSignal

    init() throws(IOFailure) { signal = try EventSignal() }

    func change(_ change: (inout State) -> Void) {
      state.withLock { change(&$0) }
      signal.signal()
    }

    func take() -> Arrival? {
      state.withLock { state in
        guard state.next < state.arrivals.count else {
          state.arrivals.removeAll(keepingCapacity: true)
          state.next = 0
          return nil
        }
        state.next += 1
        return state.arrivals[state.next - 1]
      }
    }
  }

  /// Opens the line.
  /// - Parameters:
  ///   - slack: by how much this machine's stamps may be late.
  ///   - clockSlack: by how much the device's clock may stand still.
  ///   - breakResets: a BREAK on the line resets the device.
  /// - Throws: `IOFailure` if it cannot be opened within 5 s.
  package init(
    _ spec: DeviceSpec, actuator: any Actuator, slack: Interval = .milliseconds(80),
    clockSlack: Interval = .zero, breakResets: Bool = false
  ) throws(IOFailure) {
    name = spec.description
    self.actuator = actuator
    self.breakResets = breakResets
    self.slack = slack
    self.clockSlack = clockSlack
    wallOffset = WallClock.now() - BootClock.now().microseconds
    let inbox = try Inbox()
    self.inbox = inbox
    line = try DeviceLine(
      spec,
      handlers: DeviceLineHandlers(
        onOpen: { _ in inbox.change { $0.isOpen = true } },
        onBytes: { bytes, nanoseconds in
          let arrival = Arrival(
            bytes: Array(bytes), at: Instant(microseconds: Int64(nanoseconds / 1_000)))
          inbox.change { $0.arrivals.append(arrival) }
        },
        nextWake: { nil }, onWake: { _ in },
        onGone: { _ in inbox.change { $0.isOpen = false } },
        onUnavailable: { failure in inbox.change { $0.trouble = failure } }))
    try line.start()
    do throws(IOFailure) {
      try awaitOpening()
    } catch {
      line.stop()
      throw error
    }
  }

  deinit { line.stop() }

  /// The host's boot clock.
  package var now: Instant { BootClock.now() }

  /// The actuator's answer, where a BREAK does not do it.
  package func obstacle(to ability: Ability) -> String? {
    breakResets && ability == .reset ? nil : actuator.obstacle(to: ability)
  }

  /// Keeps the device, and drops what the case before has left on the line.
  package func begin(seed: UInt64) { while inbox.take() != nil {} }

  /// - Throws: `RigFailure` where the line has not taken all bytes after 5 s.
  package func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    let deadline = now + Self.patience
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Self.piece))
      switch piece.withUnsafeBytes({ line.send($0) }) {
      case .written, .queued: rest = rest.dropFirst(piece.count)
      case .dropped, .closed:
        guard now < deadline else {
          throw RigFailure("\(name) takes no more bytes: is the device still there?")
        }
        Pause.wait(.milliseconds(2))
      }
    }
  }

  /// Blocks this thread until bytes come, or until `deadline`.
  package func receive(until deadline: Instant) throws -> Arrival? {
    while true {
      inbox.signal.clear()
      if let arrival = inbox.take() { return arrival }
      guard now < deadline else { return nil }
      _ = try Syscall.poll(inbox.signal.descriptor, for: POLLIN, until: deadline)
    }
  }

  /// The actuator does it, or a BREAK.
  package func perform(_ actuation: Actuation) throws {
    guard breakResets, actuation == .reset else { return try actuator.perform(actuation) }
    try line.sendBreak()
  }
  /// The actuator does it.
  package func watchLight() throws { try actuator.watchLight() }
  /// The actuator does it.
  package func takeLight() throws -> [LightEdge] { try actuator.takeLight() }

  private func awaitOpening() throws(IOFailure) {
    let deadline = now + Self.patience
    while true {
      let (isOpen, trouble) = inbox.state.withLock { ($0.isOpen, $0.trouble) }
      if isOpen { return }
      if let trouble { throw trouble }
      inbox.signal.clear()
      guard try Syscall.poll(inbox.signal.descriptor, for: POLLIN, until: deadline) != 0 else {
        throw IOFailure("open", errno: ETIMEDOUT, path: name)
      }
    }
  }
}
