import Firmware
import FobBase
import Judge
import WireProtocol

/// Keychains and their lines.
extension World {
  func turn(_ keychain: SimulatedKeychain) {
    if keychain.powerGoes <= now { losePower(keychain, for: keychain.offFor) }
    moveFinger(keychain)
    if keychain.powerReturns <= now { boot(keychain, .brownOut) }
    poll(keychain)
  }

  private func moveFinger(_ keychain: SimulatedKeychain) {
    while let closed = keychain.finger.take(upTo: now) {
      guard closed != keychain.board.isClosed else { continue }
      move(keychain, closed: closed)
    }
  }

  func move(_ keychain: SimulatedKeychain, closed: Bool) {
    see(.contact(keychain: keychain.index, closed: closed))
    keychain.board.setContact(closed: closed, seenAt: keychain.isOn ? now : nil)
  }

  func poll(_ keychain: SimulatedKeychain) {
    guard keychain.isOn else { return }
    let index = keychain.index
    keychain.turn(at: now, room: lines[index].host == nil ? .max : lines[index].toHost.room)
    sabotage?.polled(keychain, key(of: keychain))
    tellOfMemory(keychain)
    keychain.lookAtTrace(isAttacked: attacker != nil) { see($0) }
    if !keychain.board.sent.isEmpty {
      keychain.withSent(telling: see) { bytes in
        heardOnLine(bytes)
        // Bytes sent into an unplugged line are lost.
        if lines[index].host != nil { carry(bytes, index, .toHost) }
      }
    }
    if keychain.board.memory.isCut { losePower(keychain, for: keychain.offFor) }
  }

  private func tellOfMemory(_ keychain: SimulatedKeychain) {
    guard !keychain.board.memory.written.isEmpty else { return }
    for record in keychain.board.memory.written {
      see(.kept(keychain: keychain.index, Event(record), isVolatile: false))
    }
    keychain.board.memory.written.removeAll()
  }

  // MARK: Power

  func boot(_ keychain: SimulatedKeychain, _ cause: ResetCause) {
    see(.power(keychain: keychain.index, isOn: true))
    keychain.boot(cause, at: now)
    sabotage?.booted(keychain)
    poll(keychain)
  }

  func losePower(_ keychain: SimulatedKeychain, for span: Interval) {
    guard keychain.isOn else { return }
    for identity in keychain.losePower() {
      see(.boardForgot(keychain: keychain.index, identity))
    }
    see(.power(keychain: keychain.index, isOn: false))
    lines[keychain.index].toHost.tear()
    cutTaps(keychain.index)
    keychain.powerReturns = now + span
  }

  // MARK: Lines

  func deliverToDevice(_ keychain: SimulatedKeychain) {
    let index = keychain.index
    guard !lines[index].toDevice.isEmpty else { return }
    var hasArrived = false
    while lines[index].toDevice.receive(into: &chunk, at: now) {
      if keychain.isOn { keychain.hear(sabotage?.hears(chunk, keychain, at: now) ?? chunk) }
      hasArrived = true
    }
    guard hasArrived else { return }
    poll(keychain)
    if let ends = ends(of: index) { flush(ends, index) }
  }

  /// Whether bytes that arrive wait in the line until somebody opens it.
  func isKept(_ index: Int) -> Bool {
    linesKeepBytes && lines[index].host != nil && ends(of: index) == nil
  }

  func deliverToHost(_ index: Int) {
    guard lines[index].toHost.nextDue <= now, !isKept(index) else { return }
    guard let ends = ends(of: index) else { return lines[index].toHost.discard() }
    var bytes: [UInt8] = []
    swap(&bytes, &chunk)
    while self.ends(of: index) === ends, lines[index].toHost.receive(into: &bytes, at: now) {
      let read = sabotage?.reads(
        bytes, from: index, ends.sessions[index], key(of: keychains[index]))
      (read ?? bytes).withUnsafeBytes { self.read($0, from: index) }
    }
    swap(&bytes, &chunk)
    if keychains[index].isBlocked { poll(keychains[index]) }
  }

  func plug(_ index: Int, into host: Int) {
    lines[index].host = host
    tellOfReach()
    if let bridge, isAtBridge(index) {
      if let run = bridge.run { open(index, run, bridge) }
    } else if hosts[host].run != nil {
      open(index, at: hosts[host])
    }
  }

  func unplug(_ index: Int) {
    guard let host = lines[index].host else { return }
    let wasAtBridge = isAtBridge(index)
    lines[index].host = nil
    lines[index].discard()
    cutTaps(index)
    tellOfReach()
    if let bridge, wasAtBridge {
      if let run = bridge.run { close(index, run, bridge) }
    } else if hosts[host].run != nil {
      close(index, at: hosts[host])
    }
  }

  private func read(_ bytes: UnsafeRawBufferPointer, from index: Int) {
    if let bridge, isAtBridge(index) {
      if let run = bridge.run { read(bytes, from: index, run, bridge) }
    } else if let host = lines[index].host, let run = hosts[host].run {
      read(bytes, from: index, run, hosts[host])
    }
  }
}
