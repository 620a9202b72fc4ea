import Bridge
import FobBase
import SerialIO

/// Which keychain is on a line, as the bridge knows: asked again each second, and more often while
/// it is not known.
struct LineNames {
  private static let shortest = Interval.milliseconds(50)
  private static let longest = Interval.seconds(1)

  private let lines: @Sendable () -> [LineState]
  private var names: [String: String] = [:]
  private var askedAt: Instant?

  init(_ lines: @escaping @Sendable () -> [LineState]) { self.lines = lines }

  mutating func keychain(on line: String) -> String? {
    let now = BootClock.now()
    let known = names[line]
    if let askedAt, now - askedAt < (known == nil ? Self.shortest : Self.longest) { return known }
    askedAt = now
    names = Dictionary(
      lines().compactMap { place in place.device.map { (place.spec.description, $0) } }
    ) { $1 }
    return names[line]
  }
}
