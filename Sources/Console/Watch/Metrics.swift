import AlertCore
import Bridge
import Storage
import Synchronization

/// Metrics for Prometheus, text format 0.0.4. They name sinks, routes and devices, and no person.
final class Metrics: Sendable {
  private struct Request: Hashable {
    let route: String
    let method: String
    let status: Int
  }

  private struct State {
    var requests: [Request: Int] = [:]
    var lines: [String: Int] = [:]
    var delivered: [String: Int] = [:]
    var failed: [String: Int] = [:]
  }

  private let state = Mutex(State())

  func request(_ route: String, method: String, status: Int) {
    let request = Request(route: route, method: method, status: status)
    state.withLock { $0.requests[request, default: 0] += 1 }
  }

  /// Counts log entries since this process began.
  func note(_ lines: [LogEntry]) {
    state.withLock { state in
      for line in lines {
        state.lines[line.name, default: 0] += 1
        switch line.name {
        case AuditEvent.Name.delivered.rawValue:
          state.delivered[line.sink ?? "unknown", default: 0] += 1
        case AuditEvent.Name.deliveryFailed.rawValue:
          state.failed[line.sink ?? "unknown", default: 0] += 1
        default: break
        }
      }
    }
  }

  func text(
    status: CoreStatus, serverTrouble: String?, accounts: [EmergencyState: Int], streams: Int,
    ended: [Streams.End: Int], connections: Connections.Counts
  ) -> String {
    let state = state.withLock { $0 }
    var page = MetricsPage()
    page.add("fob_build_info", .gauge, "What runs", [(["version": AlertBridge.version], 1)])
    page.add(
      "fob_log_lines_total", .counter, "What has happened, by its name",
      state.lines.map { (["name": $0], $1) })
    page.add(
      "fob_notifications_delivered_total", .counter, "Messages that a sink took",
      state.delivered.map { (["sink": $0], $1) })
    page.add(
      "fob_notifications_failed_total", .counter, "Attempts that a sink refused",
      state.failed.map { (["sink": $0], $1) })
    page.add(
      "fob_emergency_state", .gauge, "1 for the state of the first account's emergency",
      EmergencyState.allCases.map { (["state": $0.rawValue], $0 == status.state ? 1 : 0) })
    page.add(
      "fob_accounts", .gauge, "Accounts by the state of their emergency",
      EmergencyState.allCases.map { (["state": $0.rawValue], accounts[$0] ?? 0) })
    page.add(
      "fob_store_failing", .gauge, "1 while nothing is durable",
      [([:], status.storageFailure ?? serverTrouble == nil ? 0 : 1)])
    page.add("fob_devices_linked", .gauge, "Keychains that answer", [([:], status.links.count)])
    page.add(
      "fob_battery_percent", .gauge, "As the keychain says",
      status.links.compactMap { link in
        link.batteryPercent.map { (["device": link.device], Int($0)) }
      })
    page.add(
      "fob_check_in_series", .gauge, "Series of check-ins that have not ended",
      [([:], status.checkIns.series)])
    page.add(
      "fob_check_ins_open", .gauge, "Check-ins that can be answered",
      [([:], status.checkIns.inTime + status.checkIns.overdue)])
    page.add(
      "fob_check_ins_overdue", .gauge, "Those that are due", [([:], status.checkIns.overdue)])
    page.add("fob_http_connections", .gauge, "Open connections", [([:], connections.open)])
    page.add(
      "fob_http_connections_closed_total", .counter, "Connections without room or too late",
      [
        (["reason": "replaced"], connections.replaced),
        (["reason": "refused"], connections.refused),
        (["reason": "late"], connections.late),
      ])
    page.add("fob_event_streams", .gauge, "Open event streams", [([:], streams)])
    page.add(
      "fob_event_streams_ended_total", .counter, "Event streams that ended, by reason",
      Streams.End.allCases.map { (["reason": $0.rawValue], ended[$0, default: 0]) })
    page.add(
      "fob_http_requests_total", .counter, "Requests, by route and status",
      state.requests.map {
        (["route": $0.route, "method": $0.method, "status": "\($0.status)"], $1)
      })
    return page.text
  }
}

/// Metrics in the order in which they are added; labels and rows are sorted, so that scrapes
/// compare.
struct MetricsPage {
  enum Kind: String { case counter, gauge }

  private(set) var text = ""

  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ rows: [(labels: [String: String], value: Int)]
  ) {
    text += "# HELP \(name) \(help).\n# TYPE \(name) \(kind.rawValue)\n"
    let lines = rows.map { labels, value in
      let pairs = labels.sorted { $0.key < $1.key }.map {
        "\($0.key)=\"\(Self.escaped($0.value))\""
      }
      return name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(value)\n"
    }
    text += lines.sorted().joined()
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
