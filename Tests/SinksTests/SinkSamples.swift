import FobBase
import WireProtocol

@testable import AlertCore
@testable import Sinks

extension OutgoingMessage {
  /// What its JSON form has of it.
  var written: OutgoingMessage {
    var message = self
    message.background = Background()
    return message
  }

  /// To a receiver that is no person.
  static func onChannel(
    _ id: String, _ kind: Notification.Kind = .raise, sequence: Int = 1, ended: EndReason? = nil,
    aliases: [IncidentID] = [], acknowledgeURL: String? = nil, device: DeviceID = .bench(1)
  ) -> OutgoingMessage {
    var account = Account.owner
    account.country = "GB"
    return OutgoingMessage(
      .sample(
        kind, to: Contact(id: id, name: id), ended: ended, aliases: aliases, sequence: sequence,
        device: device),
      account: account, acknowledgeURL: acknowledgeURL, now: .evening)
  }

  static func toNumber(
    _ number: String = "+15555550101", of name: String = "Owner", acknowledgeURL: String? = nil
  ) -> OutgoingMessage {
    var account = Account.owner
    account.name = name
    return OutgoingMessage(
      .sample(.raise, to: Contact(id: "contact-1", name: "Contact 1", numbers: [number])),
      account: account, acknowledgeURL: acknowledgeURL, now: .evening)
  }
}

extension Notification {
  static func sample(
    _ kind: Kind, to contact: Contact, ended: EndReason? = nil, aliases: [IncidentID] = [],
    sequence: Int = 1, device: DeviceID = .bench(1)
  ) -> Notification {
    let opening = EventIdentity(
      deviceID: device, number: EventNumber(boot: 1, n: 1), kind: .pressed, clock: 1, bootNonce: 1)
    var incident = Incident(
      IncidentID(opening), of: device, .open(.sending(Stage.Sending(since: .evening))),
      at: .evening)
    if let ended { _ = incident.end(ended, at: .evening) }
    incident.aliases = aliases
    return Notification(
      kind, to: contact, of: incident, sequence: sequence, position: .observatory, at: .evening)
  }
}

extension WebhookSink {
  static let secret = "a secret of at least 32 characters"

  static func sample(_ peer: HTTPPeer, name: String = "webhook") throws -> WebhookSink {
    try WebhookSink(
      name: name, address: HTTPAddress("\(peer.url)/alarms?token=hush", field: "url"),
      secret: SinkSecret(secret), isTest: true)
  }
}

extension SMSSink {
  static func sample(
    _ peer: HTTPPeer, sender: Sender = .from("+15555550199")
  ) throws -> SMSSink {
    try SMSSink(
      name: "sms", base: HTTPAddress(peer.url, field: "url"), account: "AC01",
      token: SinkSecret("hush"), sender: sender, isTest: true)
  }
}
