import FobBase
import SerialIO

/// What a service tells systemd while it runs.
enum ServiceLiveness {
  /// Nil where nobody asks for them.
  static func start(
    _ obstacle: @escaping @Sendable (Interval) -> String?
  ) throws(IOFailure) -> ServiceWatchdog? {
    guard let patience = ServiceWatchdog.interval else { return nil }
    return try ServiceWatchdog(every: patience, obstacle: obstacle) {
      Terminal.error("fob: no press could be taken now: \($0)")
    }
  }
}
