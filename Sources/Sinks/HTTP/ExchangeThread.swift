import CCurl
import FobBase
import Glibc
import SerialIO
import Synchronization

/// Carries many HTTP exchanges at once on a thread of its own. Connections are kept for later
/// exchanges.
final class ExchangeThread: Sendable {
  typealias Outcome = Result<HTTPTransfer.Answer, HTTPTrouble>
  typealias End = @Sendable (Outcome) -> Void

  struct Exchange: Sendable {
    let id: Int
    let request: HTTPRequest
    /// How long the other end may be silent before the exchange ends; nil: for ever.
    let silentAfter: Interval?
    let end: End
  }

  private struct Orders: Sendable {
    var last = 0
    var begun: [Exchange] = []
    var cancelled: Set<Int> = []
    var isStopped = false
  }

  /// Connections to one host.
  private static let maxConnections = 64

  private let orders = Mutex(Orders())
  private let signal: EventSignal

  init(name: String) throws(IOFailure) {
    signal = try EventSignal()
    _ = try BlockingThread(name: name) { [self] in carry() }
  }

  /// Begins an exchange.
  /// - Parameters:
  ///   - silentAfter: how long the other end may be silent; nil: for ever.
  ///   - end: called once on this object's thread, which it must not block; after `stop`, on the
  ///     caller's thread.
  /// - Returns: a number for `cancel`; 0 after `stop`.
  @discardableResult
  func begin(
    _ request: HTTPRequest, silentAfter: Interval? = nil, end: @escaping End
  ) -> Int {
    let id = orders.withLock { orders -> Int? in
      guard !orders.isStopped else { return nil }
      orders.last += 1
      orders.begun.append(
        Exchange(id: orders.last, request: request, silentAfter: silentAfter, end: end))
      return orders.last
    }
    if id == nil { end(.failure(.cancelled)) } else { signal.signal() }
    return id ?? 0
  }

  /// Ends an exchange, unless it has ended.
  func cancel(_ id: Int) {
    orders.withLock { _ = $0.cancelled.insert(id) }
    signal.signal()
  }

  /// Ends every exchange that is under way, and the thread.
  func stop() {
    orders.withLock { $0.isStopped = true }
    signal.signal()
  }

  private func carry() {
    let table = ExchangeTable(maxConnections: Self.maxConnections)
    while true {
      signal.clear()
      let orders = orders.withLock { orders in
        let taken = orders
        (orders.begun, orders.cancelled) = ([], [])
        return taken
      }
      for exchange in orders.begun { table.begin(exchange) }
      for id in orders.cancelled { table.end(id, .failure(.cancelled)) }
      if orders.isStopped { return table.endAll() }
      table.work()
      table.wait(for: signal.descriptor)
    }
  }
}

/// The exchanges that are under way; used only by the thread that made the table.
private final class ExchangeTable {
  private struct Entry {
    let exchange: ExchangeThread.Exchange
    let transfer: HTTPTransfer

    var silentAt: Instant? { exchange.silentAfter.map { transfer.heardAt + $0 } }
  }

  private let multi = curl_multi_init()
  private var entries: [Int: Entry] = [:]

  init(maxConnections: Int) {
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maxConnections)
    // Idle connections are kept.
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maxConnections)
  }

  deinit { curl_multi_cleanup(multi) }

  func begin(_ exchange: ExchangeThread.Exchange) {
    do throws(HTTPTrouble) {
      let transfer = try HTTPTransfer(exchange.request)
      guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
        throw .other(CURLE_FAILED_INIT.rawValue)
      }
      entries[exchange.id] = Entry(exchange: exchange, transfer: transfer)
    } catch {
      exchange.end(.failure(error))
    }
  }

  func end(_ id: Int, _ outcome: ExchangeThread.Outcome) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    curl_multi_remove_handle(multi, entry.transfer.easy)
    entry.exchange.end(outcome)
  }

  func endAll() {
    for id in entries.keys.sorted() { end(id, .failure(.cancelled)) }
  }

  /// Sends and receives what is possible without waiting, and ends finished exchanges.
  func work() {
    var running: Int32 = 0
    curl_multi_perform(multi, &running)
    var left: Int32 = 0
    var over: [(Int, CURLcode)] = []
    while let message = curl_multi_info_read(multi, &left) {
      let easy = message.pointee.easy_handle
      guard message.pointee.msg == CURLMSG_DONE,
        let id = entries.first(where: { $0.value.transfer.easy == easy })?.key
      else { continue }
      over.append((id, message.pointee.data.result))
    }
    for (id, code) in over {
      guard let transfer = entries[id]?.transfer else { continue }
      end(id, Result { () throws(HTTPTrouble) in try transfer.answer(code) })
    }
    let now = BootClock.now()
    let silent = entries.filter { $0.value.silentAt.map { $0 <= now } ?? false }.keys
    for id in silent.sorted() { end(id, .failure(.answersLate)) }
  }

  /// Sleeps until a socket is ready, the signal comes, or a silence is too long; 60 s at most
  /// without one.
  func wait(for signal: Int32) {
    var wake = curl_waitfd(fd: signal, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    let due = entries.values.compactMap(\.silentAt).min()
    let left = due.map { max(0, ($0 - BootClock.now()).microseconds / 1_000 + 1) } ?? 60_000
    curl_multi_poll(multi, &wake, 1, Int32(clamping: left), nil)
  }
}
