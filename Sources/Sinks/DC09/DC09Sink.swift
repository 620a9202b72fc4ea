public import AlertCore
public import FobBase
import SerialIO
import SystemCrypto

/// Tells an alarm receiver, as monitoring stations have, by ANSI/SIA DC-09-2013 over TCP: the event
/// as Contact ID or SIA, the position where it is known, and the restoral at the end. It counts as
/// delivered once the receiver has confirmed it.
///
/// With a key it is encrypted, which authenticates neither side: who is on the way can play an
/// event again, and keep one back, but not confirm it.
public struct DC09Sink: Sink {
  /// The configured name, `dc09` by default.
  public let name: String
  /// The receiver is on this host and was declared a test.
  public let isTest: Bool
  /// How often the line is supervised; nil: not at all.
  public let supervision: Interval?
  let link: DC09Link
  private let format: DC09Format
  /// Never signalled.
  private let rest: Waker

  private final class Waker: Sendable {
    let signal: EventSignal
    init() throws(IOFailure) { signal = try EventSignal() }
  }

  /// Throws if the system has no room for it.
  init(
    name: String, _ link: DC09Link, format: DC09Format = .dcs, supervision: Interval? = nil,
    isTest: Bool = false
  ) throws(ConfigurationFailure) {
    guard let rest = try? Waker() else {
      throw ConfigurationFailure("type", "cannot be served: the system has no room for it")
    }
    self.name = name
    self.link = link
    self.format = format
    self.supervision = supervision
    self.isTest = isTest
    self.rest = rest
  }

  /// The receiver as a contact of its own.
  public var channel: Contact? { Contact(id: "dc09:\(name)", name: "receiver \(name)") }

  /// Only the receiver itself can be told.
  public func obstacle(to contact: Contact) -> String? { obstacleOfChannel(to: contact) }

  /// Tells each event and waits, 10 s at most for all of them.
  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    let events = DC09Event.all(of: message)
    guard !events.isEmpty else {
      throw SinkFailure(sink: name, reason: "a receiver takes the events of alarms alone")
    }
    let began = BootClock.now()
    for event in events {
      let content = event.content(
        format, account: link.place.account, position: message.position)
      do throws(DC09Trouble) {
        try link.deliver(content, since: began, cancel: rest.signal.descriptor)
      } catch {
        throw SinkFailure(sink: name, reason: error.reason)
      }
    }
  }
}
