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
