import FobBase
import SerialIO
import Sinks

/// What asks alarm receivers whether they are there: one for each channel of type dc09 that wants
/// it. A bench asks no receiver but a test.
struct ReceiverSupervisions {
  private let all: [(name: String, supervision: DC09Supervision)]
  private let timeline: Timeline

  init(_ isBench: Bool, of sinks: [any Sink], _ timeline: Timeline) throws(IOFailure) {
    var all: [(name: String, supervision: DC09Supervision)] = []
    for case let sink as DC09Sink in sinks where !isBench || sink.isTest {
      guard let interval = sink.supervision else { continue }
      all.append((sink.name, try DC09Supervision(of: sink, every: interval)))
    }
    self.all = all
    self.timeline = timeline
  }

  func start() throws(IOFailure) {
    for (name, supervision) in all {
      try supervision.start { [timeline] trouble in
        if let trouble {
          timeline.warn("dc09", "\(name) is not there: \(trouble)")
        } else {
          timeline.say("dc09", "\(name) is there")
        }
      }
    }
  }

  /// What ends each; a thread that looks up a name takes a second.
  var stops: [@Sendable () -> Void] { all.map { one in { one.supervision.stop() } } }
}
