import AlertCore

/// How events are written.
enum DC09Format: String, CaseIterable, Decodable, Sendable {
  /// Ademco Contact ID (SIA DC-05): `ADM-CID`.
  case cid
  /// SIA (SIA DC-03): `SIA-DCS`.
  case dcs
}

/// What has happened, as a receiver knows it: a cause begins or is over.
struct DC09Event: Equatable, Sendable {
  let cause: OutgoingMessage.Cause
  /// The incident has ended.
  let isRestore: Bool

  /// An alarm that has moved to another account goes on: its event is told again. That account
  /// tells the same receiver of the end.
  /// - Returns: what is to be told of a message, in order; nothing of one of the owner's own.
  static func all(of message: OutgoingMessage) -> [DC09Event] {
    if message.kind == .closing, message.endReason != .moved {
      return message.causes.map { DC09Event(cause: $0, isRestore: true) }
    }
    return message.causes.suffix(1).map { DC09Event(cause: $0, isRestore: false) }
  }

  /// - Parameter position: nil: none is known. A restoral has none.
  func content(_ format: DC09Format, account: String, position: Position?) -> DC09Content {
    let extended = isRestore ? "" : position.map(Self.coordinates) ?? ""
    switch format {
    case .cid:
      return DC09Content(
        token: "ADM-CID", data: "#\(account)|\(isRestore ? 3 : 1)\(contactID) 01 001",
        extended: extended)
    case .dcs:
      return DC09Content(token: "SIA-DCS", data: "#\(account)|Nri1/\(sia)001", extended: extended)
    }
  }

  /// SIA DC-05-2016: 120 panic, 100 medical, 102 fail to report in. Its 103, fall detected, is
  /// newer than many receivers.
  private var contactID: String {
    switch cause {
    case .press: "120"
    case .fall: "100"
    case .checkIn: "102"
    }
  }

  /// SIA DC-03-2017: panic, medical and emergency; alarm and restoral.
  private var sia: String {
    switch cause {
    case .press: isRestore ? "PR" : "PA"
    case .fall: isRestore ? "MR" : "MA"
    case .checkIn: isRestore ? "QR" : "QA"
    }
  }

  /// Longitude and latitude in degrees and minutes (5.5.1.8), as in `[X093W23.456][Y45N23.456]`.
  static func coordinates(_ position: Position) -> String {
    func text(_ value: Int32, _ width: Int, _ marks: (String, String)) -> String {
      // 60,000 thousandths of a minute each degree, of which the position has ten million parts.
      let thousandths = (Int64(value).magnitude * 60_000 + 5_000_000) / 10_000_000
      let (degrees, rest) = thousandths.quotientAndRemainder(dividingBy: 60_000)
      let (minutes, fraction) = rest.quotientAndRemainder(dividingBy: 1_000)
      return RFC3339.padded(Int32(degrees), width) + (value < 0 ? marks.1 : marks.0)
        + RFC3339.padded(Int32(minutes)) + "." + RFC3339.padded(Int32(fraction), 3)
    }
    return "[X\(text(position.longitude, 3, ("E", "W")))]"
      + "[Y\(text(position.latitude, 2, ("N", "S")))]"
  }
}
