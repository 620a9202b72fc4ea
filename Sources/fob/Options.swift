import AlertCore
public import ArgumentParser
public import Bridge
import FobBase
import SerialIO

extension DeviceSpec {
  /// For `@Option(transform:)`, whose error is shown as it is.
  static func option(_ text: String) throws -> DeviceSpec { try DeviceSpec(text) }
}

extension PIN: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// What `run` and `bridge` say about the alarm.
struct AlarmOptions: ParsableArguments {
  @Option(help: "A named place for the alarm's text, as in \"the market=51.4778,-0.0015\".")
  var place: [PlaceOption] = []

  @Option(help: "Seconds between a press and the first message (0 to 3600).")
  var countdown: Int = 0

  @Option(help: "Sets the PIN, four digits.")
  var pin: PIN?

  @Flag(help: "One line of JSON for each thing that happens.")
  var json = false

  func validate() throws {
    guard (0...3_600).contains(countdown) else {
      throw ValidationError("--countdown takes 0 to 3600 seconds")
    }
  }

  var policy: Policy {
    var policy = Policy()
    policy.buttonCountdown = .seconds(Int64(countdown))
    return policy
  }
}

/// `NAME=LATITUDE,LONGITUDE` in degrees.
struct PlaceOption: ExpressibleByArgument {
  let place: Place

  init?(argument: String) {
    guard let equals = argument.lastIndex(of: "="),
      let (latitude, longitude) = Self.degrees(argument[argument.index(after: equals)...])
    else { return nil }
    place = Place(
      name: String(argument[..<equals]), latitude: latitude, longitude: longitude)
  }

  private static func degrees(_ text: Substring) -> (Int32, Int32)? {
    let parts = text.split(separator: ",").compactMap { Double($0) }
    guard parts.count == 2, abs(parts[0]) <= 90, abs(parts[1]) <= 180 else { return nil }
    return (Int32((parts[0] * 1e7).rounded()), Int32((parts[1] * 1e7).rounded()))
  }
}
