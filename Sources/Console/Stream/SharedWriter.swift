import Hummingbird
import NIOCore

/// Unchecked, because the protocol does not say what NIO's writer promises: it takes the writes of
/// several tasks, each of them whole.
struct SharedWriter: @unchecked Sendable {
  private let writer: any ResponseBodyWriter

  init(_ writer: any ResponseBodyWriter) { self.writer = writer }

  func write(_ text: ByteBuffer) async throws {
    var writer = writer
    try await writer.write(text)
  }
}
