import FobBase
package import WireProtocol

/// Pairing, and what a paired device says for itself (PROTOCOL.md, 15).
extension Keychain {
  /// Takes up the key of the store. Read late, what an unproved host has said until then ends.
  @inline(never)
  mutating func loadPairing<B: Board>(_ board: inout B) {
    guard !link.isPaired else { return }
    switch EventStore.pairing(&board) {
    case .none: return
    case .key(let key): link.pair(with: key)
    case .damaged: link.pair(with: nil)
    }
    display.forget()
  }

  /// Pairs a keychain without power, as a factory does.
  /// - Parameters:
  ///   - store: the image of its memory, `storeSize` bytes or more.
  ///   - key: takes the place of another.
  package static func pair(_ store: UnsafeMutableRawBufferPointer, with key: PairingKey) {
    EventStore.put(key, into: store)
  }

  #if !hasFeature(Embedded)
    /// Gives a keychain without power the key of its label, where its memory is blank.
    /// - Parameters:
    ///   - store: as in `pair`; changed only where it is blank.
    ///   - key: as its label tells.
    /// - Returns: whether the memory has this key now. One that was used may have another, or none.
    package static func provision(
      _ store: UnsafeMutableRawBufferPointer, with key: PairingKey
    ) -> Bool { EventStore.provision(store, with: key) }
  #endif

  @inline(never)
  mutating func prove<B: Board>(_ challenge: Challenge, _ board: B, at now: Instant) {
    let proof = link.prove(
      challenge, device: board.deviceID, bootCounter: bootCounter, bootNonce: board.bootNonce,
      at: now)
    if let proof { send(proof, at: now) }
  }

  /// Takes a key of whoever holds the button since power-on. It is in the store before the answer.
  @inline(never)
  mutating func pair<B: Board>(_ request: Pair, _ board: inout B) {
    guard hasPresence else { return answer(.noPresence, &board) }
    let key = PairingKey(low: request.keyLow, high: request.keyHigh)
    guard !owesLoad, EventStore.write(key, &board) else { return answer(.storeFailed, &board) }
    link.pair(with: key)
    display.forget()
    answer(.paired, tag: key.pairingTag(session: link.session, device: board.deviceID), &board)
  }

  /// The answer is the last frame that the session seals.
  @inline(never)
  mutating func unpair<B: Board>(_ board: inout B) {
    guard EventStore.write(nil, &board) else { return answer(.storeFailed, &board) }
    answer(.unpaired, &board)
    link.unpair()
    display.forget()
  }

  /// Held for ten seconds since power-on, let go, and pressed again while the light shows
  /// `identify`: whoever has the device in hand takes its key from it. That press counts as any.
  @inline(never)
  mutating func unpair<B: Board>(by change: Debouncer.Change, _ board: inout B) {
    let isConfirmed = change.pressed && (unpairBy.map { change.firstEdge <= $0 } ?? false)
    unpairBy = nil
    if isConfirmed, EventStore.write(nil, &board) {
      link.unpair()
      display.forget()
    }
    let pattern = LEDSet(state: .identify, detail: 0, duration: 5_000)
    guard hasPresence, !change.pressed, link.isPaired,
      change.firstEdge >= Instant(microseconds: 10_000_000), show(pattern, at: board.now())
    else { return }
    unpairBy = change.firstEdge + .seconds(5)
  }

  @inline(never)
  private mutating func answer<B: Board>(
    _ outcome: PairResult.Outcome, tag: UInt64 = 0, _ board: inout B
  ) {
    let result = PairResult(session: link.session, outcome: outcome, tag: tag)
    send(result, at: board.now())
  }
}
