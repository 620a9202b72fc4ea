public import AlertCore
public import ArgumentParser
import Emulator
import FobBase
import SerialIO

extension DeviceSpec {
  /// For `@Option(transform:)`, whose error is shown as it is.
  static func option(_ text: String) throws -> DeviceSpec { try DeviceSpec(text) }
}

extension USBAddress {
  /// `VID:PID` or `VID:PID:SERIAL`, for `@Option(transform:)`.
  static func option(_ text: String) throws -> USBAddress {
    guard case .tty(let address) = try DeviceSpec("tty:\(text)").kind else {
      preconditionFailure("what begins with tty: is a USB device's port")
    }
    return address
  }
}

/// What `run` and `bridge` say about the alarm.
struct AlarmOptions: ParsableArguments {
  @Option(
    help: "Named place for the alarm's text, e.g. \"the market=51.4778,-0.0015\"; may be repeated.")
  var place: [PlaceOption] = []

  @Option(
    help: """
      Whose the keychains are: one owner's, or each its own owner's, as an account that is made \
      when it is linked first. (default: one)
      """)
  var owners: BenchOwners?

  @Option(help: "Seconds between a press and the first message, 0 to 3600. (default: 0)")
  var countdown: Int?

  @Option(
    help: """
      How presses are read: literal (any press raises the alarm) or guarded (one click silences; a \
      hold of 0.5 s, further clicks and what cannot be read raise the alarm). (default: literal)
      """)
  var profile: ProfileOption?

  @OptionGroup var pin: PINOptions

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard (0...3_600).contains(countdown ?? 0) else {
      throw ValidationError("--countdown takes 0 to 3600 seconds")
    }
  }

  /// Something is said, beside how to print.
  var isGiven: Bool {
    !place.isEmpty || owners != nil || countdown != nil || profile != nil || pin.isGiven
  }

  var policy: Policy {
    var policy = Policy()
    policy.buttonCountdown = .seconds(Int64(countdown ?? 0))
    if profile == .guarded { policy.profile = .guarded(.none) }
    return policy
  }

  /// How long a single press is held that means alarm.
  var pressThatAlarms: Interval {
    profile == .guarded ? .milliseconds(700) : EmulatorCommand.defaultHold
  }
}

/// What `run`, `bridge` and `core` say about a test that moves their time.
struct TestClockOption: ParsableArguments {
  @Option(
    help: """
      For tests: Unix socket of a test that moves the time. Refused unless every account, contact \
      and notification channel is of test identity.
      """)
  var testClock: String?
}

enum ProfileOption: String, ExpressibleByArgument, CaseIterable { case literal, guarded }

/// A number from 1 to `AccountNumber.last`.
extension AccountNumber: ExpressibleByArgument {
  /// - Returns: nil for a text that is no such number.
  public init?(argument: String) {
    guard let number = Int(argument) else { return nil }
    self.init(number)
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
