import Capture
import FobBase
import WireProtocol

/// How each case begins: a device that answers, shows nothing of a host, and keeps no event.
extension Conversation {
  private static let patience = Interval.seconds(3)
  private static let between = Interval.milliseconds(500)

  /// - Throws: `Stop.silent` where nothing that is a frame is heard at all.
  package func greet() throws {
    session = UInt32(truncatingIfNeeded: draw()) | 1
    let deadline = rig.now + Self.patience
    var isAnswered = false
    // What another host has left on the line ends here.
    try transmit([0])
    while !isAnswered, rig.now < deadline {
      try transmit(frame(hello))
      isAnswered = try wait(until: min(deadline, rig.now + Self.between)) {
        heard.contains { $0.read(Hello.self).map { $0.session == session } ?? false }
      }
    }
    guard isAnswered else { throw silence }
    device = heard.compactMap { $0.read(Hello.self) }.last { $0.session == session } ?? device
    try endIncident()
    try emptyRing()
    // The light's last word on that lease is none on what is said next.
    try wait(.milliseconds(20))
    try settle()
    beginsNow()
  }

  private var silence: Stop {
    if !heard.isEmpty {
      return .failed(
        "HELLO was not answered in \(Self.patience.text), though \(heard.count) frames came")
    }
    if damaged > 0 || !packets.allSatisfy({ $0.direction == .toDevice }) {
      return .silent(
        "\(rig.name) sends bytes, but not one whole frame: is the rate right, and is it a keychain?"
      )
    }
    return .silent(
      "\(rig.name) says nothing: no HELLO was answered in \(Self.patience.text), and no HEARTBEAT"
        + " came, which a keychain sends each second; is it switched on, and is this its line?")
  }

  /// An INDICATE without a lease leaves the device to itself, and the sounder silent.
  private func endIncident() throws {
    try transmit(
      frame(
        Indicate(
          session: session, incident: 0, revision: 0, state: .unclaimed, sounder: false, lease: 1)))
    try transmit(frame(Config(key: .debounce, value: 20)))
  }

  /// Whatever lies there from before is acked, until a heartbeat says that nothing does.
  private func emptyRing() throws {
    try settle()
    guard device.oldestUnacked != .none else { return }
    let isEmpty = try wait(until: rig.now + .seconds(8)) {
      heard.last { $0.isA(.heartbeat) }?.read(Heartbeat.self)?.unacked == 0
    }
    guard isEmpty else {
      throw Stop.failed(
        "events are still unacked after 8 s of acks: HEARTBEAT says"
          + " \(heard.last { $0.isA(.heartbeat) }?.read(Heartbeat.self)?.unacked ?? 0)")
    }
  }
}
