import AlertCore
import ArgumentParser
import Control
import FobBase
import Foundation
import SerialIO

/// What may be asked of a bridge or core about check-ins.
extension Ctl {
  struct CheckIns: ListRequest {
    static let configuration = CommandConfiguration(
      commandName: "checkins", abstract: "Lists what is asked and what will be, oldest first.",
      discussion: "Of each series the oldest; its phase says whether it can be answered.")

    @Flag(help: "Each date that the settings show, not the oldest of each series alone.")
    var all = false

    @OptionGroup var list: CtlList

    var fields: [String: Any?] { ["after": list.after, "view": all ? "all" : nil] }
  }

  struct Complete: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "All is well: answers a check-in.")

    @Argument(
      help: """
        The check-in, as SERIES/KEY: 3/20261125T0900. (default: the oldest that can be answered)
        """,
      completion: .custom { _, _, _ in OpenCheckIns.names() }, transform: NamedCheckIn.init)
    var checkIn: NamedCheckIn?

    @Option(help: "A comment for the history, up to 500 bytes.")
    var comment: String?

    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] {
      ["series": checkIn?.series, "key": checkIn?.key, "comment": comment]
    }
  }
}

/// `SERIES/KEY`; who is asked says whether there is such a check-in.
struct NamedCheckIn {
  let series: Int
  let key: String

  init(_ text: String) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let series = Int(parts[0]),
      OccurrenceKey(text: String(parts[1])) != nil
    else {
      throw ValidationError("write SERIES/KEY, as fob ctl checkins has them: 3/20261125T0900")
    }
    self.series = series
    key = String(parts[1])
  }
}

/// What can be answered at the bridge of this user, for the Tab key.
enum OpenCheckIns {
  private struct List: Decodable {
    let rows: [Row]

    struct Row: Decodable {
      let series: Int
      let key: String
      let phase: String
    }
  }

  static func names() -> [String] {
    guard let client = try? ControlClient(path: RuntimeFolder.bridgeSocket),
      let answer = try? client.request(#"{"do":"checkins"}"#, timeout: .seconds(1)),
      let list = try? JSONDecoder().decode(List.self, from: Data(answer.utf8))
    else { return [] }
    return list.rows.filter { ["inTime", "overdue", "late"].contains($0.phase) }
      .map { "\($0.series)/\($0.key)" }
  }
}
