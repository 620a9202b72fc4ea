import AlertCore
import FobBase
import Hummingbird
import SerialIO
import Synchronization

/// Operations for the system that runs the core: health, readiness, metrics, and the document.
enum ServiceOperations {
  static let all = [
    Operation(
      method: .get, path: "/healthz", scope: nil, summary: "The process answers",
      success: [.json(.open(.needed("ok", .boolean)), "It does")],
      handler: { _ in Reply.json(["ok": true]) }),
    Operation(
      method: .get, path: "/readyz", scope: nil,
      summary: "The core takes work; 503 with the reasons where it does not",
      success: [.json(.open(.needed("ok", .boolean)), "It does")], handler: readiness),
    Operation(
      method: .get, path: "/metrics", scope: .observe, summary: "Prometheus text, 0.0.4",
      success: [.other("text/plain", "No personal data")],
      handler: { call in
        Reply.text(
          call.api.metrics.text(
            status: call.core.status, serverTrouble: call.core.serverTrouble,
            accounts: call.api.accountStates, streams: call.api.streams.count,
            ended: call.api.streams.ended,
            connections: call.api.connections.counts),
          "text/plain; version=0.0.4; charset=utf-8")
      }),
    Operation(
      method: .get, path: "/v1/openapi.json", scope: nil, summary: "This document",
      success: [.json(.open(), "OpenAPI 3.1")],
      handler: { Reply.json(bytes: $0.api.document) }),
  ]

  private static func readiness(_ call: Call) async throws -> Response {
    if call.api.isStopping {
      throw Problem(.serviceUnavailable, "stopping", "the core is stopping")
    }
    if call.api.storageHealth.storageFailure(of: call.core, at: BootClock.now()) != nil {
      throw Problem(
        .serviceUnavailable, "storageFailure", "the store fails; the status says how")
    }
    if let trouble = call.core.serverTrouble {
      throw Problem(.serviceUnavailable, "storageFailure", trouble)
    }
    return Reply.json(["ok": true])
  }
}

/// The present status (R24 to R33).
enum StatusOperations {
  static let all = [
    Operation(
      method: .get, path: "/v1/status", scope: .observe, summary: "What is true now",
      success: [.json(.reference("Status"), "The status")],
      handler: { Reply.json($0.core.status) }),
    Operation(
      method: .post, path: "/v1/status/refresh", scope: .operate,
      summary: "Asks the keychains again; what does not answer in time is an error",
      success: [.json(.reference("Status"), "The status as it is then")],
      handler: { Reply.json(await $0.core.refreshedStatus()) }),
  ]
}

/// The store's health for anonymous clients. The core is asked at most a few times a second, since
/// a status waits for the lock that decides about presses.
final class StorageHealth: Sendable {
  private static let holds = Interval.milliseconds(250)

  private let last = Mutex<(failure: String?, at: Instant)?>(nil)

  func storageFailure(of core: any Core, at now: Instant) -> String? {
    last.withLock { last in
      if let last, now - last.at < Self.holds { return last.failure }
      let failure = core.status.storageFailure
      last = (failure, now)
      return failure
    }
  }
}
