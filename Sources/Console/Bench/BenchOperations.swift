import FobBase
import Foundation
import Hummingbird
import NIOCore
import SerialIO
import WireProtocol

/// The test engineer's bench: emulated keychains and the lines of this process, and control of the
/// emulated ones. It stays open during an alarm.
enum BenchOperations {
  static let all = [
    Operation(
      method: .get, path: "/v1/bench", scope: .observe,
      summary: "Emulated keychains, light patterns and lines; events are kept from the first call",
      success: [.json(.reference("Bench"), "As it is now")], problems: [404],
      handler: { call in
        Reply.json(bytes: try await call.working { $0.snapshot() })
      }),
    Operation(
      method: .get, path: "/v1/bench/events", scope: .observe,
      summary: "What happens on the bench, as server-sent events; resumes from Last-Event-ID",
      parameters: [
        .query("after", .count, "Those with a greater id; by default those from now on"),
        .query("wire", .choice(["0", "1"]), "1: the frames of the lines, decoded, as well"),
        Operation.Parameter(
          name: "Last-Event-ID", place: .header, schema: .count, summary: "As a browser sends it"),
      ],
      success: [
        .other(
          "text/event-stream",
          "keychain, light, shown, stages, located, notice, frame, conformance; gap where some are"
            + " no longer kept: lost is how many, 0 where frames were not decoded for a while")
      ], problems: [404, 429],
      handler: { call in try BenchStream.open(call, call.bench().watch()) }),
    Operation(
      method: .get, path: "/v1/bench/latency", scope: .observe,
      summary: "How long presses have taken, stage by stage, since this process began; µs",
      success: [.json(.reference("BenchLatency"), "Stages in their order, then sums")],
      problems: [404],
      handler: { call in Reply.json(bytes: try await call.working { $0.latency() }) }),
    Operation(
      method: .get, path: "/v1/bench/capture", scope: .observe,
      summary: "What went over the lines since the bench is looked at, the last 4 MiB, as pcapng",
      parameters: [.query("device", .text(1...200), "This keychain or line alone")],
      success: [.other("application/octet-stream", "For Wireshark and fob monitor --read")],
      problems: [404],
      handler: { call in
        let device = call.query["device"]
        return Reply.file(
          try await call.working { $0.capture(of: device) }, "application/octet-stream",
          name: "fob-\(Int(WallClock.now() / 1_000_000)).pcapng")
      }),
    Operation(
      method: .post, path: "/v1/bench/keychains/{device}/control", scope: .operate,
      summary: "Asks an emulated keychain as its control socket is asked, as in {\"do\":\"press\"}",
      parameters: [.path("device", .device, "An emulated keychain of this process")],
      form: .json(.open(.needed("do", .text(1...32))), isRequired: true),
      success: [
        .json(
          .open(.needed("ok", .boolean), .optional("event", .text)),
          "As the socket answers; of a press or hold when its event is stored, of state the state")
      ], problems: [409],
      handler: control),
    Operation(
      method: .get, path: "/v1/bench/keychains/{device}/label", scope: .operate,
      summary: "The label of an emulated keychain that has its key from the factory, to be scanned",
      parameters: [.path("device", .device, "An emulated keychain of this process")],
      success: [.json(.reference("BenchLabel"), "Whoever reads it has the key")], problems: [404],
      handler: label),
  ]

  private struct Label: Encodable {
    let device: String
    let text: String
    let scanned: String
    let svg: String
  }

  private static func label(_ call: Call) async throws -> Response {
    let device = call.parameter("device")
    let label = try await call.working { try $0.label(of: device) }
    return Reply.json(
      Label(
        device: label.device.text, text: label.text, scanned: label.scanned,
        svg: try QRCode(label.scanned).svg))
  }

  private static func control(_ call: Call) async throws -> Response {
    let bench = try call.bench()
    let waiting = Waiting<Result<[UInt8], WorkbenchRefusal>>()
    bench.control(call.parameter("device"), Array(call.body.bytes)) { waiting.put($0) }
    guard let answer = await waiting.get(within: ConsoleLimits.keychain) else {
      throw Problem(
        .serviceUnavailable, "notAnswered",
        "the keychain has not answered yet; what was asked may still come about")
    }
    switch answer {
    case .success(let json): return Reply.json(bytes: json)
    case .failure(let refusal): throw Problem(refusal)
    }
  }
}

extension Call {
  /// - Throws: 404 if this process has no bench.
  func bench() throws(Problem) -> any Workbench {
    guard let bench = api.workbench else {
      throw Problem(.notFound, "noBench", "this process has no bench")
    }
    return bench
  }

  /// Runs a question to the bench that may take long, on the bench's thread.
  func working<Value: Sendable>(
    _ ask: @escaping @Sendable (any Workbench) throws -> Value
  ) async throws -> Value {
    let bench = try bench()
    do {
      return try await api.benchWork.run(of: owner) { try ask(bench) }
    } catch let refusal as WorkbenchRefusal {
      throw Problem(refusal)
    }
  }
}

extension Problem {
  init(_ refusal: WorkbenchRefusal) {
    switch refusal {
    case .unknown(let reason): self.init(.notFound, "notFound", reason)
    case .invalid(let field, let reason):
      self.init(.unprocessableContent, "invalid", reason, field: field)
    case .refused(let reason): self.init(.conflict, "refused", reason)
    }
  }
}

/// The bench's events, to one client: each once and in order, from where the client asks; missing
/// ones are told as a gap.
enum BenchStream {
  private struct Gap: Encodable {
    let lost: Int64
    /// The client's last event was of an earlier process.
    var restarted: Bool?
  }

  static func open(_ call: Call, _ feed: BenchFeed) throws(Problem) -> Response {
    let wantsFrames = call.query["wire"] == "1"
    let (cursor, isForeign) = feed.cursor(resuming: call.resumedID)
    return try ServedStream.response(call) { outlet in
      let (reader, wakes) = feed.join(frames: wantsFrames)
      defer { feed.leave(reader) }
      try await outlet.write(greeting(feed, after: cursor, isForeign))
      try await pass(feed, after: cursor, frames: wantsFrames, wakes, to: outlet)
    }
  }

  /// Sends an id without an event: a client that loses the connection before the first event
  /// resumes here.
  private static func greeting(
    _ feed: BenchFeed, after cursor: Int64, _ isForeign: Bool
  ) -> ByteBuffer {
    var text = EventText.retry
    text.writeString("id: \(cursor)\n\n")
    if isForeign {
      text.writeImmutableBuffer(
        EventText.event("gap", id: cursor, Gap(lost: 0, restarted: true)))
    }
    return text
  }

  private static func pass(
    _ feed: BenchFeed, after start: Int64, frames: Bool, _ wakes: AsyncStream<Void>,
    to outlet: ServedStream.Outlet
  ) async throws {
    var cursor = start
    var wake = wakes.makeAsyncIterator()
    while true {
      let page = feed.page(after: cursor, frames: frames)
      if let text = text(of: page) { try await outlet.write(text) }
      cursor = page.end
      guard page.isLast else { continue }
      guard await wake.next() != nil else { throw CancellationError() }
    }
  }

  private static func text(of page: BenchFeed.Page) -> ByteBuffer? {
    guard page.lost > 0 || !page.events.isEmpty else { return nil }
    var text = ByteBuffer()
    if page.lost > 0 {
      text.writeImmutableBuffer(
        EventText.event("gap", id: page.lostUntil, Gap(lost: page.lost)))
    }
    for event in page.events {
      text.writeString("id: \(event.id)\nevent: \(event.name)\ndata: \(event.json)\n\n")
    }
    return text
  }
}
