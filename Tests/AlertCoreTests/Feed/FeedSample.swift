import FobBase
import WireProtocol

@testable import AlertCore

/// What tests have a bridge on another host say.
enum FeedSample {
  static let event = EventIdentity(
    deviceID: DeviceID(rawValue: 1 << 63 | 7), number: EventNumber(rawValue: 1 << 32 | 3),
    kind: .pressed, clock: 5_000_000, bootNonce: 77)

  static func hello(session: UInt32 = 1) -> Hello {
    var hello = Hello(
      role: .device, session: session, software: SoftwareVersion(major: 1, minor: 0, patch: 0))
    hello.deviceID = event.deviceID
    return hello
  }

  static func batch(
    _ inputs: [CheckedFeed.Input] = [], bridge: String = "0123456789abcdef", line: Int = 0,
    sequence: Int64 = 1, hello: Hello? = hello(), echo: FeedEcho? = nil, down: String? = nil
  ) -> CheckedFeed {
    CheckedFeed(
      bridge: bridge, line: line, sequence: sequence, echo: echo, down: down, trouble: nil,
      hello: hello, inputs: inputs)
  }

  static func input(age: ClosedRange<Int64>? = nil) -> CheckedFeed.Input {
    .event(EventRecord(event), age: age)
  }
}
