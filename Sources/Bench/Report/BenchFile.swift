import Foundation

/// The JSON file of a run.
public enum BenchFile {
  /// One object on one line, keys sorted, with its newline.
  public static func encode(_ result: BenchResult) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(result), as: UTF8.self) + "\n"
  }

  /// - Parameter name: of the file, for the error.
  public static func decode(_ bytes: [UInt8], name: String) throws(BenchFileError) -> BenchResult {
    do {
      return try JSONDecoder().decode(BenchResult.self, from: Data(bytes))
    } catch {
      throw BenchFileError(name: name, reason: "\(error)")
    }
  }

  /// Reads the file at a path.
  public static func read(_ path: String) throws(BenchFileError) -> BenchResult {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BenchFileError(name: path, reason: "it cannot be read")
    }
    return try decode([UInt8](data), name: path)
  }
}
