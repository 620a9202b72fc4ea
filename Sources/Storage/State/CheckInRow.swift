import AlertCore

/// The kinds of rows of table `companion`.
enum CompanionKind: String { case series, settings, counts, slot, send }

/// A row of the companions' tables, read and checked: a core can start from it and reckon with it.
enum CheckInRow {
  case series(CheckInSeries)
  case settings(CheckInSettings)
  case counts(CheckInCounts)
  case slot(MessageSlot)
  case send(MessageSend)

  /// Why a core cannot use a row, as a clause.
  struct Mismatch: Error { let reason: String }

  /// A row of table `companion`.
  /// - Throws: `DecodingError`, `Mismatch`.
  init(kind: String, id: String, body: String) throws {
    switch CompanionKind(rawValue: kind) {
    case .series:
      let series: CheckInSeries = try JSON.decode(body)
      try Self.require("\(series.id)" == id ? series.misfit : "its body is of another series")
      self = .series(series)
    case .settings:
      let settings: CheckInSettings = try JSON.decode(body)
      try Self.require(settings.misfit)
      self = .settings(settings)
    case .counts:
      let counts: CheckInCounts = try JSON.decode(body)
      try Self.require(counts.misfit)
      self = .counts(counts)
    case .slot:
      let slot: MessageSlot = try JSON.decode(body)
      try Self.require("\(slot.slot)" == id ? slot.misfit : "its body is of another slot")
      self = .slot(slot)
    case .send:
      let send: MessageSend = try JSON.decode(body)
      try Self.require("\(send.id)" == id ? send.misfit : "its body is of another message")
      self = .send(send)
    case nil: throw Mismatch(reason: "kind is none that this version has")
    }
  }

  /// A row of table `occurrence`.
  /// - Throws: `DecodingError`, `Mismatch`.
  static func checkIn(
    series: Int64, key: String, state: String, due: Int64, body: String
  ) throws -> CheckIn {
    let checkIn: CheckIn = try JSON.decode(body)
    let isSame =
      Int64(checkIn.series) == series && checkIn.key.text == key
      && checkIn.state.rawValue == state && checkIn.due == due
    try require(isSame ? checkIn.misfit : "its body is of another check-in")
    return checkIn
  }

  private static func require(_ misfit: String?) throws {
    if let misfit { throw Mismatch(reason: misfit) }
  }
}
