import AlertCore
import FobBase

extension Schedule {
  /// What the world is made of, and what is done to it, a line each.
  public var words: [String] {
    setting.words
      + acts.map { act in
        NumberText.right(NumberText.seconds(act.at), 15)
          + "  \(NumberText.left("act \(act.number)", 11))  \(act.action.object): \(act.action.words)"
      }
  }
}

extension Setting {
  var words: [String] {
    [
      "world: " + world.joined(separator: ", "),
      "policy: " + policyWords.joined(separator: ", "),
      "time: calm from \(NumberText.seconds(calmFrom)), end at \(NumberText.seconds(end))",
    ]
  }

  private var world: [String] {
    [
      NumberText.count(keychains, "keychain"), NumberText.count(hosts, "host"),
      NumberText.count(contacts, "contact"), "\(NumberText.count(ways, "way")) to each",
      accountWords,
    ] + bridgeWords + [
      "latency \(latency.lowerBound) to \(latency.upperBound) µs",
      "drift \(drift.map { "\($0)" }.joined(separator: "/")) ppm",
      bounces ? "bouncing contacts" : "clean contacts",
      linesKeepBytes ? "lines keep bytes" : "lines lose bytes that nobody reads",
      hasGPS ? "GPS" : "no GPS", hasPIN ? "a PIN" : "no PIN",
    ]
  }

  private var bridgeWords: [String] {
    guard let bridge else { return [] }
    let numbers = bridge.keychains.sorted().map { "\($0 + 1)" }.joined(separator: " and ")
    return ["a bridge of keychains \(numbers) to host \(bridge.host + 1)"]
  }

  private var accountWords: String {
    guard isLoggedIn else { return "logged out" }
    guard let claimed else { return "logged in" }
    let numbers = claimed.sorted().map { "\($0 + 1)" }.joined(separator: " and ")
    return numbers.isEmpty ? "no keychain claimed" : "keychains \(numbers) claimed"
  }

  private var policyWords: [String] {
    let profile =
      switch policy.profile {
      case .literal: "literal"
      case .guarded(let slots):
        "guarded with slots \(slots.numbers.map { "\($0)" }.joined(separator: ","))"
      }
    return [
      profile, "countdown \(NumberText.length(policy.buttonCountdown))",
      "tracking \(NumberText.length(policy.tracking))",
      "a message every \(NumberText.length(policy.messageEvery))",
      "failed after \(NumberText.length(policy.failAfter))",
      "countdown of a trigger \(NumberText.length(policy.triggerCountdown))",
    ]
  }
}
