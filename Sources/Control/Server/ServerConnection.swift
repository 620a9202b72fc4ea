import FobBase
import Glibc
import SerialIO

/// One client, as the server's thread sees it.
final class ServerConnection {
  let outbox: WriteBuffer
  private let socket: OwnedDescriptor
  private var splitter = LineSplitter(limit: ControlLimits.maxRequestSize)
  private var unwritten: ArraySlice<UInt8> = []
  /// The client sends no more. It may still read: `printf … | nc -N` does.
  private var hasFinished = false
  private var isBroken = false
  /// When it came, or sent something last.
  private(set) var heardAt = BootClock.now()

  init(_ socket: consuming OwnedDescriptor, outbox: WriteBuffer) {
    self.socket = socket
    self.outbox = outbox
  }

  var descriptor: Int32 { socket.number }

  /// What to wait for; hanging up is always reported. A client with an unanswered request or
  /// with unread answers is not read, so it cannot fill this process.
  var events: Int32 {
    let reads = canTakeRequest && !hasFinished ? POLLIN : 0
    return unwritten.isEmpty ? reads : reads | POLLOUT
  }

  /// Nothing is left to do for it, or nobody is there to do it for.
  var isOver: Bool {
    if isBroken { return true }
    return hasFinished && canTakeRequest && !splitter.hasUnfinishedLine
  }

  /// Nothing of it is being answered.
  var canTakeRequest: Bool { unwritten.isEmpty && !outbox.isBusy && outbox.isEmpty }

  func read(into buffer: UnsafeMutableRawBufferPointer, events: Int32) {
    if events & POLLIN == 0 {
      // Both directions are closed: nobody is left to read an answer.
      if events & (POLLHUP | POLLERR) != 0 { isBroken = true }
      return
    }
    do {
      guard let count = try socket.read(into: buffer) else { return }
      if count == 0 { hasFinished = true }
      heardAt = BootClock.now()
      splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    } catch {
      isBroken = true
    }
  }

  /// Hands requests on, one at a time, and writes answers, until one of them has to wait.
  func advance(_ handler: (ControlRequest, ControlReply) -> Void) {
    while !isBroken {
      write()
      guard canTakeRequest, !isBroken else { return }
      guard let item = splitter.next() else {
        refuseUnfinishedLine()
        return
      }
      switch item {
      case .tooLong:
        outbox.add(
          JSONLine.failure("the request is longer than \(ControlLimits.maxRequestSize) bytes"))
      case .line(let line) where JSONLine.isObject(line):
        outbox.beginRequest()
        handler(ControlRequest(line: line), ControlReply(outbox))
      case .line:
        outbox.add(JSONLine.failure("the request is not a JSON object"))
      }
    }
  }

  /// There is no place for it, or not any more.
  func dismiss(_ reason: String) {
    let line = JSONLine.failure(reason) + [0x0A]
    _ = try? line.withUnsafeBytes { try socket.send($0) }
    outbox.clientLeft()
  }

  private func write() {
    while true {
      if unwritten.isEmpty { unwritten = outbox.take()[...] }
      if unwritten.isEmpty { return }
      do {
        let taken = try unwritten.withUnsafeBytes { (bytes) throws(IOFailure) in
          try socket.send(bytes)
        }
        guard let taken else { return }
        unwritten.removeFirst(taken)
      } catch {
        isBroken = true
        return
      }
    }
  }

  /// A request that was cut off is not carried out, even if what came of it is an object.
  private func refuseUnfinishedLine() {
    guard hasFinished, splitter.hasUnfinishedLine else { return }
    splitter = LineSplitter(limit: ControlLimits.maxRequestSize)
    outbox.add(JSONLine.failure("the request does not end with a newline"))
    write()
  }
}
