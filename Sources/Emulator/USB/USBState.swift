/// The USB part of an emulated keychain at one moment, as the control socket shows it.
public struct USBState: Codable, Hashable, Sendable {
  /// By which a host imports it, as in `1-1`.
  public var busID: String
  /// full or high.
  public var speed: String
  /// A host has imported it.
  public var imported: Bool
  /// That host has set its configuration.
  public var configured: Bool
  /// As in `115200 8N1`.
  public var line: String
  public var dtr: Bool
  public var rts: Bool
  /// Why the last connection was ended, where the host had said what none may say.
  public var refused: String?

  enum CodingKeys: String, CodingKey {
    case busID = "bus_id"
    case speed, imported, configured, line, dtr, rts, refused
  }
}
