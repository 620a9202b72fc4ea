import AlertCore
import FobBase

/// One run of a bridge: production sessions and machines of the feed, and what `RemoteBridge` and
/// its client have in hand. Times are of the bridge's clock, but for `wake`.
final class BridgeProcess {
  let name: String
  let ends: LineEnds
  var lines: [UplinkQueue]
  var heard = RemoteCoreState()
  /// When a stream is to be opened.
  var streamAt: Instant?
  /// The one that is open, and when it is given up.
  var stream: (number: Int, silentAt: Instant)?
  /// The post that is under way for each line, and when it is given up.
  var posts: [(number: Int, silentAt: Instant)?]
  /// In true time.
  var wake = Instant.never

  init(_ name: String, lines: Int, at now: Instant) {
    self.name = name
    ends = LineEnds(lines: lines)
    self.lines = (0..<lines).map { UplinkQueue(line: $0) }
    posts = Array(repeating: nil, count: lines)
    streamAt = now
  }

  var nextWake: Instant {
    var due = min(ends.nextWake, streamAt ?? .never)
    due = min(due, min(heard.nextWake ?? .never, stream?.silentAt ?? .never))
    for line in lines { due = min(due, line.nextWake ?? .never) }
    for case let post? in posts { due = min(due, post.silentAt) }
    return due
  }
}
