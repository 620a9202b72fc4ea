import FobBase
import Judge

/// Plans and zones of check-ins in plain words.
extension SeriesPlan {
  var words: String {
    let days =
      switch rule {
      case .once: "once"
      case .days(let every, let times, let hours):
        "every \(NumberText.count(every, "day"))"
          + (times > 1 ? ", \(times) times \(hours) h apart" : "")
      }
    return "\(days) at \(Self.time(minute)) from day \(start), "
      + "\(NumberText.count(lead, "minute")) ahead, "
      + (escalates ? "an alarm after \(NumberText.count(limit, "minute"))" : "no alarm")
      + (device.map { ", on keychain \($0.number)" } ?? "")
  }

  private static func time(_ minute: Int) -> String {
    "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
  }
}

extension Zone {
  var words: String {
    changes.reduce("UTC \(Self.shift(first))") { words, change in
      words + ", UTC \(Self.shift(change.ahead)) from \(change.at) s on"
    }
  }

  private static func shift(_ seconds: Int64) -> String {
    seconds < 0 ? "- \(-seconds / 60) min" : "+ \(seconds / 60) min"
  }
}
