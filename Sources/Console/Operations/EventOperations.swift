import AlertCore
import FobBase
import Hummingbird
import NIOCore
import Storage

/// The log, as a list and live (R56, R58, R104).
enum EventOperations {
  private static let filters: [Operation.Parameter] = [
    .query("device", .device, "What concerns this keychain alone"),
    .query("incident", .incident, "What concerns this incident alone"),
  ]
  private static let after = Operation.Parameter.query(
    "after", .count, "Those with a greater id")

  static let all = [
    Operation(
      method: .get, path: "/v1/log", scope: .observe,
      summary: "The log, oldest first: from its beginning, or the newest before an id",
      parameters: [
        after, .query("limit", .integer(1...Int64(ConsoleLimits.rows)), "At most so many"),
        .query("before", .count, "Those with a smaller id, the newest of them"),
        .query("name", .choice(AuditEvent.Name.allCases.map(\.rawValue)), "Those of this name"),
        .query("contact", .text(1...200), "Those about this contact"),
        .query("since", .count, "Those from this moment on, µs since 1970"),
        .query("until", .count, "Those before this moment, µs since 1970"),
        .query("text", .text(1...100), "Those with this in one of their texts, whatever the case"),
      ] + filters,
      success: [
        .json(
          .open(
            .needed("lines", .array(.reference("LogLine"), limit: ConsoleLimits.rows)),
            .optional("next", .count)), "next goes on, as after; as before where that is given")
      ], handler: list),
    Operation(
      method: .get, path: "/v1/events", scope: .observe,
      summary: "The log as it grows, as server-sent events; resumes from Last-Event-ID",
      parameters: [
        after,
        Operation.Parameter(
          name: "Last-Event-ID", place: .header, schema: .count, summary: "As a browser sends it"),
        .query(
          "form", .choice(["named", "line"]),
          "The event of a line has the line's name (named), or is a line like every other (line)"),
      ] + filters,
      success: [.other("text/event-stream", "First status, then each line; data is a LogLine")],
      problems: [429],
      handler: { try await EventStream.open($0) }),
  ]

  private static func list(_ call: Call) async throws -> Response {
    let search = call.logSearch
    let rows = try await call.reading { try $0.log(search) }
    let last = search.before == nil ? rows.last : rows.first
    return Reply.json(bytes: json(rows, next: rows.count == search.limit ? last?.id : nil))
  }

  /// Joins entries that are JSON already: their facts are passed on unparsed.
  private static func json(_ lines: [LogEntry], next: Int64?) -> [UInt8] {
    var bytes = Array(#"{"lines":["#.utf8)
    for (index, line) in lines.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += line.json()
    }
    bytes += Array("]".utf8)
    if let next { bytes += Array(#","next":\#(next)"#.utf8) }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

extension Call {
  /// The filter in the query.
  var logFilter: LogFilter { LogFilter(device: query["device"], incident: query["incident"]) }

  fileprivate var logSearch: LogSearch {
    func number(_ name: String) -> Int64? { query[name].flatMap { Int64($0) } }
    var search = LogSearch(logFilter, after: number("after") ?? 0, limit: limit)
    search.before = number("before")
    search.name = query["name"]
    search.contact = query["contact"]
    search.since = number("since")
    search.until = number("until")
    search.text = query["text"]
    return search
  }
}

/// The growing log, to one client: each entry once and in order, from where the client asks.
enum EventStream {
  static func open(_ call: Call) async throws -> Response {
    let newest = try await call.reading { try $0.lastLogID() }
    let asked = call.resumedID
    // An id beyond this log is another log's: the stream starts anew with the status.
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
      // It has an id, so that a client that loses the connection before the first event resumes
      // here.
      greeting.writeImmutableBuffer(EventText.status(call.core.status, id: after))
    }
    return greeting
  }
}

extension Call {
  /// The id of the client's last event: from the browser's header, or from `after`.
  var resumedID: Int64? { (query["Last-Event-ID"] ?? query["after"]).flatMap { Int64($0) } }
}
