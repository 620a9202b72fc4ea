import FobBase
import Hummingbird
import NIOCore
import Storage

/// The log as it grows, to one client: each line once and in order, from where the client says.
enum EventStream {
  static func open(_ call: Call) async throws -> Response {
    let newest = try await call.reading { try $0.lastLogID() }
    let asked = call.resumedID
    // An id that this log has not reached is another log's: start anew, and say what is true.
    let resumed = asked.flatMap { $0 <= newest ? $0 : nil }
    let reader = call.core.lines(after: resumed ?? newest, matching: call.logFilter)
    let greeting = greeting(call, after: resumed ?? newest, isResumed: resumed != nil)
    let isNamed = call.query["form"] != "line"
    return try ServedStream.response(call) { outlet in
      try await outlet.write(greeting)
      while true {
        let lines = try await reader.next()
        try await outlet.write(EventText.lines(lines, isNamed: isNamed))
      }
    }
  }

  private static func greeting(_ call: Call, after: Int64, isResumed: Bool) -> ByteBuffer {
    var greeting = EventText.retry
    if !isResumed {
      // With an id, so that a client that loses the line before anything happens resumes here.
      greeting.writeImmutableBuffer(EventText.status(call.core.status, id: after))
    }
    return greeting
  }
}

extension Call {
  /// The last event that the client has had: as a browser sends it, or as `after`.
  var resumedID: Int64? { (query["Last-Event-ID"] ?? query["after"]).flatMap { Int64($0) } }
}
