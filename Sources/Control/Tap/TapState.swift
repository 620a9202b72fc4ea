import FobBase
import SerialIO
import Synchronization
import WireProtocol

/// Shared by the lines, the clients and the thread of a tap.
final class TapState: Sendable {
  private struct Queue {
    var chunks: [TapChunk] = []
    var lost = 0
    /// The first chunks after a time in which nobody listened.
    var isNew = false
    var isClosed = false
  }

  private struct Listener: Sendable {
    let stream: ControlStream
    /// Nil: all devices.
    let device: String?
  }

  private struct Listeners {
    var streams: [Listener] = []
    var followers: [TapFollower] = []

    var isEmpty: Bool { streams.isEmpty && followers.isEmpty }
  }

  let isTapped = Atomic(false)
  private let queue = Mutex(Queue())
  private let listeners = Mutex(Listeners())
  private let signal: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  init() throws(IOFailure) { signal = try EventSignal() }

  /// Starts the thread for the first listener: most lines are never tapped.
  func start() throws(IOFailure) {
    try thread.withLock { (thread) throws(IOFailure) in
      if thread == nil { thread = try BlockingThread(name: "tap") { [self] in run() } }
    }
  }

  /// After a loss, chunks are dropped until the loss has been told; otherwise its place would be
  /// unknown.
  func put(_ chunk: TapChunk) {
    let isFirst = queue.withLock { queue in
      guard !queue.isClosed else { return false }
      guard queue.lost == 0, queue.chunks.count < LineTap.queuedChunks else {
        queue.lost += 1
        return false
      }
      queue.chunks.append(chunk)
      return queue.chunks.count == 1
    }
    if isFirst { signal.signal() }
  }

  func add(_ stream: ControlStream, only device: String?) {
    listeners.withLock { listeners in
      if listeners.isEmpty { begin() }
      stream.send(Tapped())
      listeners.streams.append(Listener(stream: stream, device: device))
      isTapped.store(true, ordering: .relaxed)
    }
  }

  func add(_ follower: @escaping TapFollower) {
    listeners.withLock { listeners in
      if listeners.isEmpty { begin() }
      listeners.followers.append(follower)
      isTapped.store(true, ordering: .relaxed)
    }
  }

  private func begin() {
    queue.withLock { $0 = Queue(isNew: true, isClosed: $0.isClosed) }
  }

  func removeLeft() {
    // Released outside the lock: a stream that ends wakes the server.
    let left = listeners.withLock { listeners in
      let left = listeners.streams.filter(\.stream.clientHasLeft)
      listeners.streams.removeAll(where: \.stream.clientHasLeft)
      isTapped.store(!listeners.isEmpty, ordering: .relaxed)
      return left
    }
    _ = consume left
  }

  func close() {
    isTapped.store(false, ordering: .relaxed)
    queue.withLock { $0.isClosed = true }
    signal.signal()
  }

  private func run() {
    var masks = TapMasks()
    while let (taken, lost, isNew) = take() {
      if isNew { masks = TapMasks() }
      let chunks = taken.compactMap { masks.masked($0) }
      if lost > 0 { masks = TapMasks() }
      let listeners = listeners.withLock { $0 }
      for follower in listeners.followers { follower(chunks, lost) }
      for listener in listeners.streams {
        for chunk in chunks where listener.device == nil || chunk.device == listener.device {
          listener.stream.send(chunk)
        }
        if lost > 0 { listener.stream.send(Lost(lost: lost)) }
      }
    }
    listeners.withLock { $0 = Listeners() }
  }

  /// Nil when closed.
  private func take() -> ([TapChunk], lost: Int, isNew: Bool)? {
    while true {
      signal.clear()
      let taken = queue.withLock { queue in
        guard !queue.chunks.isEmpty || queue.isClosed else { return Queue() }
        defer { queue = Queue(isClosed: queue.isClosed) }
        return queue
      }
      if taken.isClosed { return nil }
      if !taken.chunks.isEmpty { return (taken.chunks, taken.lost, taken.isNew) }
      _ = try? Syscall.poll(signal.descriptor, for: 1)
    }
  }

  private struct Tapped: Encodable { let ok = true }

  private struct Lost: Encodable { let lost: Int }
}

/// Takes keys out of the chunks of many lines, both ways (`KeyMask`).
private struct TapMasks {
  private struct Channel: Hashable {
    let device: String
    let to: LineTap.Direction
  }

  private var masks: [Channel: KeyMask] = [:]

  /// Nil where nothing of it is to be seen yet.
  mutating func masked(_ chunk: TapChunk) -> TapChunk? {
    let channel = Channel(device: chunk.device, to: chunk.to)
    let bytes = masks[channel, default: KeyMask()].masked(chunk.bytes)
    return bytes.isEmpty
      ? nil : TapChunk(at: chunk.at, device: chunk.device, to: chunk.to, bytes: bytes)
  }
}

/// The bytes of one read or one write on a line.
package struct TapChunk: Sendable, Encodable {
  /// µs on CLOCK_BOOTTIME.
  package let at: Int64
  /// The line's name: its spec or the device's id.
  package let device: String
  /// The end that the bytes went to.
  package let to: LineTap.Direction
  /// In the order on the line, and in hexadecimal in JSON; never empty.
  package let bytes: [UInt8]

  private enum CodingKeys: CodingKey { case at, device, to, bytes }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(at, forKey: .at)
    try container.encode(device, forKey: .device)
    try container.encode(to, forKey: .to)
    try container.encode(hex, forKey: .bytes)
  }

  private var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// Hears chunks within the process, and how many were lost after them because there were too many.
package typealias TapFollower = @Sendable ([TapChunk], _ lost: Int) -> Void
