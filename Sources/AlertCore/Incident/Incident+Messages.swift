/// When a message of an incident to everyone was decided.
public struct MessageTime: Codable, Equatable, Sendable {
  /// Its number in the incident, from 1.
  public let sequence: Int
  /// µs since 1970.
  public let wall: Int64

  /// - Parameters:
  ///   - sequence: as in ``Notification/sequence``.
  ///   - wall: µs since 1970.
  package init(sequence: Int, wall: Int64) {
    self.sequence = sequence
    self.wall = wall
  }
}

extension Incident {
  /// Notes that a message to everyone is decided now, so that later ones can refer to it. Of more
  /// than sixteen the first are let go: those that followed them have taken their place.
  mutating func decided(_ sequence: Int, at now: Timestamp) {
    if messageTimes.count >= 16 { messageTimes.removeFirst(messageTimes.count - 15) }
    messageTimes.append(MessageTime(sequence: sequence, wall: now.wall))
  }

  /// What a message to everyone would tell of it that was made now, whatever its state: for its
  /// document. It is to nobody, and never sent.
  package func report(at now: Timestamp) -> Notification {
    var report = Notification(
      phase.end == nil ? .again : .closing, to: Contact(id: "", name: ""), of: self,
      sequence: messages, position: lastPosition, at: now)
    // An update tells most of what is known of its presses.
    report.context = context(of: .update)
    return report
  }
}
