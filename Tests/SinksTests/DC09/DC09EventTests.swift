import AlertCore
import FobBase
import Testing

@testable import Sinks

@Suite struct DC09EventTests {
  private func data(
    _ kind: Notification.Kind, trigger: Trigger.Source? = nil, isPressed: Bool = false,
    ended: EndReason? = nil, _ format: DC09Format
  ) -> [String] {
    let message = OutgoingMessage(
      .sample(kind, ended: ended, trigger: trigger, isPressed: isPressed), account: .owner,
      now: .evening)
    return DC09Event.all(of: message).map {
      $0.content(format, account: "12AB", position: nil).data
    }
  }

  @Test(
    arguments: [
      (nil, false, ["1120"], ["3120"], ["PA"], ["PR"]),
      (.fall, false, ["1100"], ["3100"], ["MA"], ["MR"]),
      (.checkIn, false, ["1102"], ["3102"], ["QA"], ["QR"]),
      (.fall, true, ["1120"], ["3100", "3120"], ["PA"], ["MR", "PR"]),
      (.checkIn, true, ["1120"], ["3102", "3120"], ["PA"], ["QR", "PR"]),
    ] as [(Trigger.Source?, Bool, [String], [String], [String], [String])])
  func `each cause has its code, and at the end each that may have been told is restored`(
    trigger: Trigger.Source?, isPressed: Bool, contactIDs: [String], restored: [String],
    codes: [String], restorals: [String]
  ) {
    for kind in [Notification.Kind.raise, .update, .again] {
      #expect(
        data(kind, trigger: trigger, isPressed: isPressed, .cid)
          == contactIDs.map { "#12AB|\($0) 01 001" })
      #expect(
        data(kind, trigger: trigger, isPressed: isPressed, .dcs)
          == codes.map { "#12AB|Nri1/\($0)001" })
    }
    for reason in EndReason.allCases where reason != .moved {
      #expect(
        data(.closing, trigger: trigger, isPressed: isPressed, ended: reason, .cid)
          == restored.map { "#12AB|\($0) 01 001" })
      #expect(
        data(.closing, trigger: trigger, isPressed: isPressed, ended: reason, .dcs)
          == restorals.map { "#12AB|Nri1/\($0)001" })
    }
  }

  @Test func `an alarm that goes on at another account is told again, and not restored`() {
    #expect(data(.closing, ended: .moved, .cid) == ["#12AB|1120 01 001"])
    #expect(data(.closing, ended: .moved, .dcs) == ["#12AB|Nri1/PA001"])
  }

  @Test func `one of the owner's own messages is no event`() {
    for format in DC09Format.allCases { #expect(data(.message, format).isEmpty) }
  }

  @Test(
    arguments: [
      (514_778_000, -15_000, "[X000W00.090][Y51N28.668]"),
      (-338_568_000, 1_512_153_000, "[X151E12.918][Y33S51.408]"),
      (0, 0, "[X000E00.000][Y00N00.000]"),
      (900_000_000, 1_800_000_000, "[X180E00.000][Y90N00.000]"),
      (-900_000_000, -1_799_999_999, "[X180W00.000][Y90S00.000]"),
      // Half of a thousandth of a minute is rounded up, through minute and degree.
      (99_999_917, 83, "[X000E00.000][Y10N00.000]"), (99_999_916, 84, "[X000E00.001][Y09N59.999]"),
    ] as [(Int32, Int32, String)])
  func `a position is in degrees and minutes`(latitude: Int32, longitude: Int32, text: String) {
    let position = Position(latitude: latitude, longitude: longitude, quality: 2, wall: 0)
    #expect(DC09Event.coordinates(position) == text)
  }

  @Test func `a position that nobody can be at is written without a trap`() {
    for value in [Int32.min, .max] {
      let position = Position(latitude: value, longitude: value, quality: 2, wall: 0)
      #expect(!DC09Event.coordinates(position).isEmpty)
    }
  }
}
