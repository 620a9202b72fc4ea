/// What is true now, for whoever asks. A reading carries the moment it was taken.
public struct CoreStatus: Codable, Equatable, Sendable {
  public let state: EmergencyState
  public let incident: Incident?
  /// When contacts are told again (R37).
  public let nextMessage: Moment?
  public let contacts: Int
  /// Why nothing is durable now; nil when the store works.
  public let storageFailure: String?
  public let links: [Link]

  public struct Link: Codable, Equatable, Sendable {
    public let device: String
    public let batteryPercent: UInt8?
    public let heardAt: Moment
  }
}
