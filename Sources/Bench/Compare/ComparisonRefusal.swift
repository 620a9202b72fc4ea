/// Why two runs cannot be compared, and a hint.
public struct ComparisonRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  public let reason: String

  public var description: String { "these runs cannot be compared: \(reason)" }

  init(reason: String) { self.reason = reason }

  /// Nil of runs that can be.
  init?(old: BenchResult, new: BenchResult) {
    func differs(_ what: String, _ old: String, _ new: String, _ channel: String) -> String {
      "\(what) \(old), then \(new); \(channel)"
    }
    let (before, after) = (Self.kind(of: old.device), Self.kind(of: new.device))
    if old.format != new.format {
      reason = differs("the format is", "\(old.format)", "\(new.format)", "run the old one again")
    } else if before != after {
      reason = differs("the device is", before, after, "measure one kind of device")
    } else if old.environment.build != new.environment.build {
      reason = differs(
        "the build is", old.environment.build, new.environment.build, "build both alike")
    } else if old.rate != new.rate {
      reason = differs(
        "the rate is", Self.text(old.rate), Self.text(new.rate), "give both the same --rate")
    } else if let late = [("old", old), ("new", new)].first(where: { Self.isLate($0.1) }) {
      reason = "the \(late.0) one's presses came too late for its own limit; measure it again"
    } else {
      return nil
    }
  }

  /// `pty` of `pty:/dev/pts/3`: another path is the same kind.
  private static func kind(of device: String) -> String {
    String(device.prefix { $0 != ":" })
  }

  private static func text(_ rate: Double?) -> String {
    rate.map { "\(FigureText.decimal($0, digits: 1)) a second" } ?? "by hand"
  }

  private static func isLate(_ result: BenchResult) -> Bool {
    result.pacing.map { $0.p99 > $0.limit } ?? false
  }
}
