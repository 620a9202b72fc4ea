/// A line that QEMU's monitor sends: a greeting, an answer or an event.
struct QMPMessage: Decodable {
  struct Greeting: Decodable {}

  struct Refusal: Decodable { let desc: String }

  /// Of an event; what it does not speak of is nil.
  struct Details: Decodable {
    /// Why it stopped or was reset: `guest-reset`, `host-qmp-system-reset` and their like.
    let reason: String?
    /// Of WATCHDOG: what is done about it.
    let action: String?
  }

  let greeting: Greeting?
  let refusal: Refusal?
  let event: String?
  let details: Details?

  private enum CodingKeys: String, CodingKey {
    case greeting = "QMP"
    case refusal = "error"
    case event
    case details = "data"
  }

  /// An answer whose value somebody asked for.
  struct Answer<Value: Decodable>: Decodable {
    let value: Value

    private enum CodingKeys: String, CodingKey { case value = "return" }
  }
}

/// An answer that says nothing but that it is done.
struct QMPNothing: Codable {}

/// Something that QEMU tells by itself.
package struct QMPEvent: Hashable, Sendable {
  /// `SHUTDOWN`, `RESET`, `STOP`, `WATCHDOG` and their like.
  package let name: String
  package let reason: String?
}

/// `{"execute":NAME,"arguments":{…}}`.
struct QMPCommand<Arguments: Encodable>: Encodable {
  let execute: String
  let arguments: Arguments
}

/// The arguments of `qom-set`.
struct QOMSetting: Encodable {
  let path: String
  let property: String
  let value: Int64
}

/// Of `qom-get`, and without a property of `qom-list`.
struct QOMQuestion: Encodable {
  let path: String
  var property: String?
}

/// One line of `qom-list`.
struct QOMEntry: Decodable {
  let name: String
  let type: String
}

/// Of `set-action`: what happens when the guest resets itself, or when the machine is to end.
struct QMPAction: Encodable {
  var reboot: String?
  var shutdown: String?
}

/// Of `human-monitor-command`.
struct HumanCommand: Encodable {
  let line: String

  private enum CodingKeys: String, CodingKey { case line = "command-line" }
}
