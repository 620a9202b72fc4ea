import FobBase

/// What `fob bench latency` presses and listens to.
protocol LatencyRig: Sendable {
  /// As the bridge names them; nil where that is not known beforehand.
  var devices: [String?] { get }
  /// For the report: "emulated", or the device's spec.
  var name: String { get }
  /// How long before its due time a press is to be handed over.
  var lead: Interval { get }
  /// Something presses; else a person does.
  var isPaced: Bool { get }

  /// Returns when all is linked.
  func start() throws
  /// Makes a press that is due then.
  func press(_ keychain: Int, at due: Instant) throws
  func stop()
}
