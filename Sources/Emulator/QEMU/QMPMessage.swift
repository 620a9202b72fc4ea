/// A message of QEMU's monitor: a greeting, an answer or an event.
struct QMPMessage: Decodable {
  struct Greeting: Decodable {}

  struct Refusal: Decodable { let desc: String }

  /// The details of an event; those that it does not have are nil.
  struct Details: Decodable {
    /// Why QEMU stopped or was reset, like `guest-reset` or `host-qmp-system-reset`.
    let reason: String?
    /// What QEMU does about a WATCHDOG.
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

  /// An answer with a value.
  struct Answer<Value: Decodable>: Decodable {
    let value: Value

    private enum CodingKeys: String, CodingKey { case value = "return" }
  }
}

/// An empty object: no arguments, or an answer without a value.
struct QMPNothing: Codable {}

/// An event of QEMU's monitor.
package struct QMPEvent: Hashable, Sendable {
  /// QMP's name of the event, like `SHUTDOWN`, `RESET`, `STOP` or `WATCHDOG`.
  package let name: String
  /// Why, like `guest-reset`; nil for an event that names no reason.
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

/// The arguments of `qom-get`, and without a property those of `qom-list`.
struct QOMQuestion: Encodable {
  let path: String
  var property: String?
}

/// One entry of the answer to `qom-list`.
struct QOMEntry: Decodable {
  let name: String
  let type: String
}

/// The arguments of `set-action`: what happens when the guest resets itself, or when the machine is
/// to end.
struct QMPAction: Encodable {
  var reboot: String?
  var shutdown: String?
}

/// The arguments of `human-monitor-command`.
struct HumanCommand: Encodable {
  let line: String

  private enum CodingKeys: String, CodingKey { case line = "command-line" }
}

/// The arguments of `memsave`, which reads as the processor does.
struct SavedMemory: Encodable {
  let val: Int
  let size: Int
  let filename: String
}
