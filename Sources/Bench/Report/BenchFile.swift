import Foundation

/// The JSON file of a run: one object, keys sorted.
///
/// | key | what |
/// |---|---|
/// | `format` | 1; another number is refused |
/// | `summary` | computed: ``BenchSummary``, µs; not read back |
/// | `began`, `device`, `rate`, `duration`, `warmUp`, `lost`, `unseen` | as in ``BenchResult`` |
/// | `environment` | ``BenchEnvironment`` |
/// | `pacing` | µs: `median`, `p99`, `largest`, `limit`; absent by hand |
/// | `blocks` | of each its `samples`, `floor` and `flushes` (both in tenths of a µs) |
///
/// A sample has stamps in µs on the boot clock, each absent where it was not seen: `due`, `edge`,
/// `stored`, `written`, `read`, `decided`, `durable`, `acked`, `lit`; `committing`, the processor's
/// time of its commit; and ± `uncertainty`.
public enum BenchFile {
  /// The largest file that is read, bytes.
  public static let longest = 256 << 20

  /// One line, with its newline.
  public static func encode(_ result: BenchResult) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let file = Encoded(result: result, summary: BenchSummary(result))
    return String(decoding: try encoder.encode(file), as: UTF8.self) + "\n"
  }

  /// Never traps, whatever the bytes. Figures can be computed from what it returns. `name` is the
  /// file's, for the error.
  public static func decode(_ bytes: [UInt8], name: String) throws(BenchFileError) -> BenchResult {
    let data = Data(bytes)
    let decoder = JSONDecoder()
    guard let head = try? decoder.decode(Head.self, from: data) else {
      throw BenchFileError(name: name, reason: "it is not JSON with a format number")
    }
    guard head.format == BenchResult.format else {
      throw BenchFileError(
        name: name,
        reason: "its format is \(head.format), this fob reads \(BenchResult.format): run it again")
    }
    let result: BenchResult
    do {
      result = try decoder.decode(BenchResult.self, from: data)
    } catch {
      throw BenchFileError(name: name, reason: Self.words(for: error))
    }
    if let fault = result.fault { throw BenchFileError(name: name, reason: fault) }
    return result
  }

  /// Reads the file at a path.
  public static func read(_ path: String) throws(BenchFileError) -> BenchResult {
    guard let file = FileHandle(forReadingAtPath: path),
      let data = try? file.read(upToCount: longest + 1) ?? Data()
    else { throw BenchFileError(name: path, reason: "it cannot be read") }
    guard data.count <= longest else {
      throw BenchFileError(name: path, reason: "it has more than \(longest >> 20) MiB")
    }
    return try decode([UInt8](data), name: path)
  }

  private struct Head: Decodable {
    let format: Int
  }

  private struct Encoded: Encodable {
    let result: BenchResult
    let summary: BenchSummary

    private enum Key: CodingKey { case summary }

    func encode(to encoder: any Encoder) throws {
      try result.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(summary, forKey: .summary)
    }
  }

  private static func words(for error: any Error) -> String {
    func place(_ context: DecodingError.Context, _ last: String? = nil) -> String {
      (context.codingPath.map(\.stringValue) + (last.map { [$0] } ?? [])).joined(separator: ".")
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context): return "\(place(context, key.stringValue)) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context)) is of another kind"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      return "\(place(context)) is damaged"
    default: return "it is damaged"
    }
  }
}

/// A file that is no result of a run, or of another format.
public struct BenchFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file's name, as given.
  public let name: String
  /// Says what is wrong with the file.
  public let reason: String

  /// `old.json is no result of fob bench latency: …`
  public var description: String { "\(name) is no result of fob bench latency: \(reason)" }
}
