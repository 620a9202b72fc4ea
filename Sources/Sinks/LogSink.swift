public import SerialIO

/// Writes each message as a line of JSON to a file: the notification channel of a bench. It serves
/// bench devices alone, so that nobody relies on it.
public final class LogSink: Sink {
  public let name = "log"
  public let isTest = true
  public var path: String { file.path }
  private let file: JSONLinesFile

  /// - Parameter path: appended to; a file, pipe or terminal.
  public init(path: String) throws(IOFailure) { file = try JSONLinesFile(path: path) }

  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    guard message.isBench else {
      throw SinkFailure(sink: name, reason: "it serves bench devices only, this one is not")
    }
    try file.append(message, by: name)
  }
}
