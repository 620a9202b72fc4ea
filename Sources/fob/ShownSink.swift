import Sinks

/// Shows each message in the timeline once the sink behind it has taken it.
struct ShownSink: Sink {
  let sink: any Sink
  let timeline: Timeline

  var name: String { sink.name }
  var isTest: Bool { sink.isTest }

  func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    try sink.deliver(message)
    timeline.show(message)
  }
}
