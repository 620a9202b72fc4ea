import CPostgres
import FobBase
import Glibc
import SerialIO

/// A statement and the values of its parameters.
struct PostgresCommand {
  let sql: String
  var values: [ColumnValue] = []
}

/// Why a server has not done what it was asked.
enum PostgresError: Error, CustomStringConvertible {
  /// It says no, and nothing of the exchange has been done.
  case refused(state: String, String)
  /// No answer: what was asked may have been done.
  case lost(String)
  /// No connection: nothing was asked.
  case unreachable(String)

  /// As the function `fence` has it.
  static let takenOverState = "FB001"
  static let takenOver = refused(state: takenOverState, "another core has taken it over")

  var description: String {
    switch self {
    case .refused(let state, let words): "\(words) (SQLSTATE \(state))"
    case .lost(let words), .unreachable(let words): words
    }
  }
}

/// One connection to a server, in libpq's pipeline mode
/// (https://www.postgresql.org/docs/15/libpq-pipeline-mode.html): what an exchange asks goes out at
/// once, and the answers come back after one round trip. Statements are prepared once.
///
/// Unchecked: one thread at a time uses it, which the locks of its owner see to.
final class PostgresConnection: @unchecked Sendable {
  private let connection: OpaquePointer
  private let waits: ServerWait
  private var names: [String: String] = [:]
  /// It is of no more use.
  private(set) var isLost = false
  /// Of the exchange that is under way.
  private var goesOn: (() -> Bool)?
  /// What the server has warned of during the last exchange.
  private var warnings: [String] = []

  /// Texts are UTF-8, and every answer is text.
  private enum Kind { static let bytea: UInt32 = 17, integers: Set<UInt32> = [20, 21, 23] }

  /// Blocks until a server has answered: each host has five seconds.
  /// - Parameters:
  ///   - url: several hosts are tried in turn; the first that takes writes is it.
  ///   - waits: counts this connection's, too.
  init(_ url: String, _ waits: ServerWait = ServerWait()) throws(PostgresError) {
    self.waits = waits
    // Before the URL, which may say otherwise, but for the encoding.
    let settings = [
      ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "5"),
      ("keepalives_interval", "2"), ("keepalives_count", "3"),
      ("target_session_attrs", "read-write"), ("fallback_application_name", "fob"),
      ("dbname", url), ("client_encoding", "UTF8"),
    ]
    let words = settings.map { (strdup($0.0), strdup($0.1)) }
    defer { for word in words.flatMap({ [$0.0, $0.1] }) { free(word) } }
    let made = waits.during {
      cpg_connect(
        words.map { UnsafePointer($0.0) } + [nil], words.map { UnsafePointer($0.1) } + [nil])
    }
    guard let made else { throw .unreachable("no memory") }
    connection = made
    guard cpg_status(made) == Int32(CPG_CONNECTION_OK) else {
      throw .unreachable(Self.clause(cpg_error(made)))
    }
    let own = Unmanaged.passUnretained(self).toOpaque()
    let receiver: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = {
      guard let result = $1, let severity = cpg_field(result, Int32(CPG_SEVERITY)),
        String(cString: severity) == "WARNING"
      else { return }
      Unmanaged<PostgresConnection>.fromOpaque($0!).takeUnretainedValue()
        .warnings.append(PostgresConnection.clause(cpg_field(result, Int32(CPG_MESSAGE))))
    }
    guard cpg_pipeline(made, receiver, own) != 0 else {
      throw .unreachable(Self.clause(cpg_error(made)))
    }
  }

  deinit { cpg_finish(connection) }

  /// Asks for all of it at once, and waits for the answers.
  /// - Parameters:
  ///   - patience: the longest without a byte from the server.
  ///   - read: gets the rows of all commands, in order; what it throws is thrown at the end.
  ///   - goesOn: is asked when `patience` is over, whether to wait as long again; nil: no.
  /// - Throws: `PostgresError`: `refused` with the first refusal, after which the server has
  ///   skipped the rest; `lost`, too, where the server has warned, as it does where it stopped
  ///   waiting for a standby: the transaction is done, and is not durable.
  func exchange(
    _ commands: [PostgresCommand], patience: Interval = .seconds(10),
    _ read: (StoredRow) throws -> Void = { _ in }, goesOn: (() -> Bool)? = nil
  ) throws {
    warnings = []
    self.goesOn = goesOn
    defer { self.goesOn = nil }
    // Of each question the statement that it prepares; nil: it executes one.
    var prepared: [String?] = []
    for command in commands {
      if names[command.sql] == nil {
        let name = "s\(names.count)"
        names[command.sql] = name
        try sent(cpg_send_prepare(connection, name, Self.numbered(command.sql)))
        prepared.append(command.sql)
      }
      try execute(names[command.sql]!, command.values)
      if commands.count == 1 { _ = cpg_single_rows(connection) }
      prepared.append(nil)
    }
    try sent(cpg_send_sync(connection))
    try flush(patience)
    var refusal: PostgresError?
    var failure: (any Error)?
    for sql in prepared {
      var isDone = false
      while let result = try result(patience) {
        defer { cpg_clear(result) }
        switch cpg_result_status(result) {
        case Int32(CPG_COMMAND_OK): isDone = true
        case Int32(CPG_TUPLES_OK), Int32(CPG_SINGLE_TUPLE):
          isDone = true
          guard failure == nil else { break }
          do { try Self.rows(of: result, read) } catch { failure = error }
        case Int32(CPG_PIPELINE_ABORTED): break
        default: refusal = refusal ?? Self.refusal(result)
        }
      }
      if !isDone, let sql { names[sql] = nil }
    }
    if let sync = try result(patience) { cpg_clear(sync) }
    if let refusal {
      if cpg_status(connection) != Int32(CPG_CONNECTION_OK) { throw lose("\(refusal)") }
      throw refusal
    }
    if let failure { throw failure }
    if let warning = warnings.first { throw PostgresError.lost("it warns: \(warning)") }
  }

  // MARK: Asking

  /// PostgreSQL's parameters are `$1` and so on.
  static func numbered(_ sql: String) -> String {
    var text = ""
    var last = 0
    var rest = sql[...]
    while let place = rest.firstIndex(of: "?") {
      text += rest[..<place]
      rest = rest[rest.index(after: place)...]
      let digits = rest.prefix { $0.isWholeNumber }
      rest = rest.dropFirst(digits.count)
      let number = Int(digits) ?? last + 1
      last = max(last, number)
      text += "$\(number)"
    }
    return text + rest
  }

  private func execute(_ name: String, _ values: [ColumnValue]) throws(PostgresError) {
    // All values in one piece of memory, each with a zero behind it.
    var bytes: [UInt8] = []
    var places: [Int?] = []
    for value in values {
      if value == .null {
        places.append(nil)
        continue
      }
      places.append(bytes.count)
      switch value {
      case .integer(let number): bytes += "\(number)".utf8
      case .string(let text): PostgresText.append(Array(text.utf8), to: &bytes)
      case .utf8(let text): PostgresText.append(text, to: &bytes)
      case .bytes(let data): bytes += data
      case .null: break
      }
      bytes.append(0)
    }
    let ends = places.indices.map { index in
      (places[(index + 1)...].first { $0 != nil } ?? nil) ?? bytes.count
    }
    let lengths = zip(places, ends).map { Int32($1 - ($0 ?? $1 - 1) - 1) }
    let formats: [Int32] = values.map { if case .bytes = $0 { 1 } else { 0 } }
    let code = bytes.withUnsafeBufferPointer { memory in
      memory.withMemoryRebound(to: CChar.self) { memory in
        cpg_send_execute(
          connection, name, Int32(values.count), places.map { $0.map { memory.baseAddress! + $0 } },
          lengths, formats)
      }
    }
    try sent(code)
  }

  private func sent(_ code: Int32) throws(PostgresError) {
    if code == 0 { throw lose() }
  }

  private func lose(_ words: String? = nil) -> PostgresError {
    isLost = true
    return .lost(words ?? Self.clause(cpg_error(connection)))
  }

  /// Sends what is still to be sent, and takes in what the server says meanwhile: otherwise both
  /// might wait for each other.
  private func flush(_ patience: Interval) throws(PostgresError) {
    while true {
      switch cpg_flush(connection) {
      case 0: return
      case 1: try wait(for: POLLIN | POLLOUT, patience)
      default: throw lose()
      }
    }
  }

  // MARK: Answers

  /// - Returns: nil where a question has no further answer.
  private func result(_ patience: Interval) throws(PostgresError) -> OpaquePointer? {
    while cpg_is_busy(connection) != 0 { try wait(for: POLLIN, patience) }
    guard let result = cpg_result(connection) else {
      if cpg_status(connection) != Int32(CPG_CONNECTION_OK) { throw lose() }
      return nil
    }
    return result
  }

  private func wait(for events: Int32, _ patience: Interval) throws(PostgresError) {
    let until = BootClock.now() + patience
    let found: Int32
    do throws(IOFailure) {
      found = try waits.during { () throws(IOFailure) in
        try Syscall.poll(cpg_socket(connection), for: events, until: until)
      }
    } catch {
      throw lose("\(error)")
    }
    guard found != 0 else {
      if goesOn?() == true { return }
      throw lose("no answer within \(patience.microseconds / 1_000_000) s")
    }
    if found & ~POLLOUT != 0, cpg_consume(connection) == 0 { throw lose() }
  }

  private static func rows(
    of result: OpaquePointer, _ read: (StoredRow) throws -> Void
  ) throws {
    let columns = 0..<cpg_columns(result)
    let types = columns.map { cpg_type(result, $0) }
    for row in 0..<cpg_rows(result) {
      try read(
        StoredRow(
          values: columns.map { column in
            guard cpg_is_null(result, row, column) == 0 else { return .null }
            let bytes = UnsafeRawBufferPointer(
              start: cpg_value(result, row, column), count: Int(cpg_length(result, row, column)))
            switch types[Int(column)] {
            case Kind.bytea: return PostgresText.bytes(of: bytes).map { .bytes($0) } ?? .null
            case let type where Kind.integers.contains(type):
              return .number(Int64(String(decoding: bytes, as: UTF8.self)))
            default: return .string(PostgresText.text(of: bytes))
            }
          }))
    }
  }

  private static func refusal(_ result: OpaquePointer) -> PostgresError {
    let state = cpg_field(result, Int32(CPG_SQLSTATE)).map { String(cString: $0) } ?? "?"
    let detail = cpg_field(result, Int32(CPG_DETAIL)).map { ": \(clause($0))" } ?? ""
    return .refused(state: state, clause(cpg_field(result, Int32(CPG_MESSAGE))) + detail)
  }

  private static func clause(_ words: UnsafePointer<CChar>?) -> String {
    guard let words else { return "the connection is closed" }
    let lines = String(cString: words).split(separator: "\n")
    return lines.map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
  }
}

/// Texts and bytes as PostgreSQL takes and gives them.
enum PostgresText {
  private static let escape: UInt8 = 1

  /// No text of PostgreSQL's has U+0000. It and U+0001, which no person types either, are written
  /// as U+0001 and a digit.
  static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    guard text.contains(where: { $0 <= escape }) else {
      bytes += text
      return
    }
    for byte in text {
      if byte <= escape { bytes += [escape, UInt8(ascii: "0") + byte] } else { bytes.append(byte) }
    }
  }

  static func text(of bytes: UnsafeRawBufferPointer) -> String {
    guard bytes.contains(escape) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        text.append(byte == UInt8(ascii: "0") ? 0 : escape)
        isEscaped = false
      } else if byte == escape {
        isEscaped = true
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Of `\x` and two hexadecimal digits a byte; nil for anything else.
  static func bytes(of text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.starts(with: Array(#"\x"#.utf8)) else { return nil }
    return Hex.bytes(String(decoding: text.dropFirst(2), as: UTF8.self))
  }
}
