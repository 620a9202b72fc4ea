import Bridge
import FobBase
import SerialIO
import Sinks

/// What tells brokers the state of a core: one for each channel of type mqtt. Bench keychains show
/// themselves to nobody but a test.
struct StatePublishers {
  private let all: [StatePublisher]
  private let timeline: Timeline

  init(
    _ isBench: Bool, to sinks: [any Sink], of bridge: AlertBridge, _ watchers: Watchers,
    _ timeline: Timeline
  ) throws(IOFailure) {
    var all: [StatePublisher] = []
    for case let sink as MQTTSink in sinks where !isBench || sink.isTest {
      let publisher = try StatePublisher(sink, of: bridge)
      watchers.add { publisher.tell($0) }
      all.append(publisher)
    }
    self.all = all
    self.timeline = timeline
  }

  func start() throws(IOFailure) {
    for publisher in all {
      try publisher.start { [timeline] trouble in
        if let trouble {
          timeline.warn("mqtt", trouble)
        } else {
          timeline.say("mqtt", "connected to the broker")
        }
      }
    }
  }

  /// What ends each; a broker that hangs takes a second or two.
  var stops: [@Sendable () -> Void] { all.map { publisher in { publisher.stop() } } }
}
