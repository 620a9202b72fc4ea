import FobBase
import Glibc
import SerialIO
import Synchronization
import SystemCrypto

/// The way to one receiver, for whichever thread has a message: each has a connection of its own,
/// and a number that no other message has meanwhile.
final class DC09Link: Sendable {
  let place: DC09Place
  let address: ReceiverAddress
  private let cipher: ZeroIVCipher?
  private let patience: DC09Exchange.Patience
  private let connector: TCPConnector
  private let state: Mutex<State>

  private struct State {
    /// Of the last message.
    var sequence: Int
    var confirmedAt: Instant?
    /// The receiver's time cannot be before it, µs since 1970.
    var earliest: Int64
  }

  /// Messages have numbers from 1 to this, and then from 1 again (5.5.1.5).
  static let lastSequence = 9_999
  /// A receiver's time may be so far behind this host's at the start. Numbers begin anew then, so
  /// that a confirmation of longer ago might have the number of a message.
  private static let behindAtMost = Interval.minutes(60)

  /// - Parameters:
  ///   - cipher: nil: messages go in the open.
  ///   - sequence: of the message before the first, 0 to ``lastSequence``; by chance where another
  ///     run may have ended anywhere.
  init(
    _ place: DC09Place, at address: ReceiverAddress, by cipher: ZeroIVCipher?,
    patience: DC09Exchange.Patience = DC09Exchange.Patience(),
    after sequence: Int = .random(in: 0...lastSequence)
  ) {
    self.place = place
    self.address = address
    self.cipher = cipher
    self.patience = patience
    connector = TCPConnector(host: address.host, port: address.port)
    state = Mutex(
      State(sequence: sequence, earliest: WallClock.now() - Self.behindAtMost.microseconds))
  }

  /// When a receiver has last confirmed anything; nil: it has not in this run.
  var confirmedAt: Instant? { state.withLock { $0.confirmedAt } }

  /// Sends a message and waits until the receiver has it.
  /// - Parameters:
  ///   - began: since when the time runs that a receiver has.
  ///   - cancel: a descriptor that ends the wait when it is readable.
  /// - Throws: why the receiver does not have it.
  func deliver(
    _ content: DC09Content, since began: Instant, cancel: Int32
  ) throws(DC09Trouble) {
    let (sequence, earliest) = state.withLock { state in
      state.sequence = state.sequence % Self.lastSequence + 1
      return (state.sequence, state.earliest)
    }
    let message = DC09Message(place: place, content: content, sequence: sequence)
    var exchange = DC09Exchange(
      message, isEncrypted: cipher != nil, patience: patience, notBefore: earliest, at: began)
    let trouble: String?
    do throws(IOFailure) {
      let socket = try connector.connect(cancel: cancel, until: began + patience.lasts)
      trouble = try converse(&exchange, message, on: socket, cancel).map {
        "\(address.host): \($0)"
      }
    } catch {
      trouble = "\(error)"
    }
    if let trouble { throw DC09Trouble(reason: trouble) }
    let leeway = DC09Exchange.timeDiffersBy.microseconds
    state.withLock { state in
      state.confirmedAt = BootClock.now()
      state.earliest = max(state.earliest, (exchange.confirmedWall ?? 0) - leeway)
    }
  }

  /// - Returns: why it was not delivered; nil: it was.
  private func converse(
    _ exchange: inout DC09Exchange, _ message: DC09Message,
    on socket: borrowing OwnedDescriptor, _ cancel: Int32
  ) throws(IOFailure) -> String? {
    var reader = DC09FrameReader()
    var effects = [exchange.begin(at: BootClock.now(), wall: WallClock.now())]
    while true {
      for effect in effects {
        switch effect {
        case .delivered: return nil
        case .failed(let reason): return reason
        case .send(let wall, let isShort):
          let frame = message.frame(at: wall, isShort: isShort, by: cipher, random: Digests.random)
          try Self.send(frame, on: socket, until: exchange.nextWake)
        }
      }
      try Syscall.awaitEither(socket.number, cancel, until: exchange.nextWake)
      guard try Syscall.poll(cancel, for: POLLIN, until: Instant(microseconds: 0)) == 0 else {
        return "the program ends"
      }
      guard let bytes = try Self.read(socket) else {
        return exchange.lose("it closed the connection without a confirmation")
      }
      let (now, wall) = (BootClock.now(), WallClock.now())
      effects = reader.read(bytes).compactMap { frame in
        exchange.hear(DC09Answer.read(frame, by: cipher), at: now, wall: wall)
      }
      if let effect = exchange.wake(at: now, wall: wall) { effects.append(effect) }
    }
  }

  /// - Returns: nil at the end; empty where nothing has come.
  private static func read(_ socket: borrowing OwnedDescriptor) throws(IOFailure) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: Limits.readBuffer)
    let count = try buffer.withUnsafeMutableBufferPointer { (buffer) throws(IOFailure) in
      try socket.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
    return count == 0 ? nil : Array(buffer.prefix(count ?? 0))
  }

  private static func send(
    _ frame: [UInt8], on socket: borrowing OwnedDescriptor, until deadline: Instant
  ) throws(IOFailure) {
    var rest = frame[...]
    while !rest.isEmpty {
      let count = try rest.withUnsafeBufferPointer { (bytes) throws(IOFailure) in
        try socket.send(UnsafeRawBufferPointer(bytes))
      }
      rest = rest.dropFirst(count ?? 0)
      guard !rest.isEmpty else { return }
      let ready = try Syscall.poll(socket.number, for: POLLOUT, until: deadline)
      guard ready != 0 else { throw IOFailure("write", errno: ETIMEDOUT, path: socket.path) }
    }
  }
}

/// Why a receiver does not have a message, as a clause with the host. It holds nothing of the
/// message or the key.
struct DC09Trouble: Error, Equatable {
  let reason: String
}
