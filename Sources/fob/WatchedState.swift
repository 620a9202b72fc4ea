import Control
import FobBase
import Foundation
import SerialIO

/// The state of a keychain, or of many, as `fob ctl watch` tells it: once, and when it has changed.
struct WatchedState {
  let client: ControlClient
  let keychain: CtlKeychain
  /// The light's own blinking is a change, too.
  let showsLight: Bool
  private var last: NSDictionary?

  private static let patience = Interval.seconds(10)

  init(client: ControlClient, keychain: CtlKeychain, showsLight: Bool) {
    self.client = client
    self.keychain = keychain
    self.showsLight = showsLight
  }

  /// - Returns: the answer to `state`, a line of JSON; nil where it is as it was.
  mutating func changed() throws -> String? {
    let pages = ControlPages(
      client: client, question: ControlQuestion("state", keychain.fields),
      deadline: BootClock.now() + Self.patience)
    let answer = try pages.answer()
    try ControlVerdict.check(answer, of: "state")
    let object = try JSONSerialization.jsonObject(with: Data(answer.utf8))
    let now = steady(object) as? NSDictionary
    defer { last = now }
    return now == last ? nil : answer
  }

  /// Without what changes at each blink.
  private func steady(_ value: Any) -> Any {
    if let list = value as? [Any] { return list.map(steady) }
    guard var object = value as? [String: Any] else { return value }
    if !showsLight { object["led"] = nil }
    return object.mapValues(steady)
  }
}
