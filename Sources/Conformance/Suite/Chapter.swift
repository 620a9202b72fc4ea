/// A part of the suite. Its name is the first half of a case's id.
package enum Chapter: String, Hashable, Sendable, CaseIterable {
  case `protocol`, reliability, time, button, led, battery, gps

  package var title: String {
    switch self {
    case .protocol: "frames, session and growth"
    case .reliability: "no event is lost"
    case .time: "the device's clock"
    case .button: "contacts and presses"
    case .led: "what the device shows"
    case .battery: "levels and reports"
    case .gps: "position, its quality and its age"
    }
  }
}
