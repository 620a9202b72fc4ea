public import AlertCore
public import Bridge
public import FobBase
public import Storage

/// The core of this process: a bridge, and the store that it commits to.
public struct LiveCore: Core {
  private let bridge: AlertBridge
  private let store: AlertStore

  public init(bridge: AlertBridge, store: AlertStore) {
    self.bridge = bridge
    self.store = store
  }

  public var status: CoreStatus { bridge.status }
  public var account: Account { bridge.account }
  public func refreshedStatus() async -> CoreStatus { await bridge.refreshedStatus() }

  public func perform(
    _ userCommand: UserCommand, by who: String, answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.perform(userCommand, by: who, answer: answer)
  }

  public func disarm(
    pin: String, by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.disarm(pin: pin, by: who, source: source, answer: answer)
  }

  public func change(
    _ change: AccountChange, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.change(change, pin: pin, by: who, source: source, answer: answer)
  }

  public func pinWait(for source: PINSource) -> Interval? { bridge.pinWait(for: source) }

  public func forgotPIN(
    by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.forgotPIN(by: who, source: source, answer: answer)
  }

  public func lastLogID() throws -> Int64 { try store.lastLogID() }

  public func log(after: Int64, limit: Int, matching filter: LogFilter) throws -> [LogEntry] {
    try store.log(after: after, limit: limit, device: filter.device, incident: filter.incident)
  }

  public func incidents(limit: Int, before: IncidentID?) throws -> [Incident] {
    try store.incidents(limit: limit, before: before)
  }

  public func document(of incident: IncidentID) throws -> [UInt8]? {
    try store.document(of: incident).map { Array(try $0.json().utf8) }
  }

  public func lines(after: Int64, matching filter: LogFilter) -> any LineReader {
    bridge.feed.reader(after: after, matching: filter)
  }
}

extension EventFeed.Reader: LineReader {}
