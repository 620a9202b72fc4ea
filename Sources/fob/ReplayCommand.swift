public import ArgumentParser
import Bridge
public import Capture
import Emulator
import FobBase
import Glibc
import SerialIO
import Synchronization
import Transport

/// `fob replay`: a capture played back, and what the system says now beside what it said then.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay a capture and compare the answers.",
    discussion: """
      As a device (the default) it waits at --on for a host, such as fob bridge --device SPEC, \
      says what the keychain said, and compares the host: which events it acks, which states it \
      shows in which order, what it sets and refuses. As a host it opens the line of a device, \
      says what the host said, and compares the device: events by kind, states shown, settings, \
      refusals.

      It compares what was meant, not bytes: session nonces, stamps, seq, revisions, seconds of a \
      countdown and what only repeats are passed over, and HELLO and TIME_REQ are answered as they \
      are asked now. What the edges of the capture may have cut off is told as "before" and \
      "after", and is no difference.

      A core keeps what it has acked. One that knows these events acks them and opens no incident: \
      give it an empty state folder (fob bridge --state DIR). What people did, such as a \
      disarming, is not in a capture of the line; do it again, or end the capture before. Capture \
      from before the first press on. A device without bench identity is played with the bench bit \
      set in its id, so that a replay pages nobody. With --fast stamps are further apart than \
      frames, and the profile guarded may judge a press differently.

      The tags of a paired keychain are worth nothing in another session. They are left out, and \
      it is played as one that is not paired; with --keys each frame is sealed anew, and the host \
      must have the same key. Pairing itself is not played.

      Exit code 0: the same; 1: something is missing or new; 75: nobody came.
      """)

  @Argument(help: "Capture that fob monitor --write has made.", completion: .file())
  var file: String

  @Option(name: .customLong("as"), help: "End of the line to play: device or host.")
  var end: ReplayEnd = .device

  @Option(
    help: "Line. (default: pty:replay in the runtime folder; with --as host it must be given)",
    completion: .deviceSpec, transform: DeviceSpec.option)
  var on: DeviceSpec?

  @Option(help: "Name of the line to replay, where the capture has several.")
  var line: String?

  @Flag(help: "Play as fast as the other end keeps up, causes before their effects.")
  var fast = false

  @Option(help: "Seconds to wait for the other end to begin, 0.1 to 86400.")
  var wait: Double = 30

  @Option(help: "Seconds that an answer may take longer than in the capture, 0 to 3600.")
  var patience: Double = 5

  @Option(
    help: "Seal what is played by this file, keys of a state folder.", completion: .file())
  var keys: String?

  @OptionGroup var output: JSONOption

  @Option(help: "Write \"ready\" to this file descriptor when the line is there.")
  var readyFd: Int32?

  func validate() throws {
    guard (0.1...86_400).contains(wait) else {
      throw ValidationError("--wait takes 0.1 to 86400 seconds")
    }
    guard (0...3_600).contains(patience) else {
      throw ValidationError("--patience takes 0 to 3600 seconds")
    }
    if end == .host, on == nil {
      throw ValidationError("--as host opens a device's line: name it with --on")
    }
  }

  func run() throws {
    try Failure.mapped {
      try output.begin()
      // Before any thread is started.
      let termination = try Termination()
      let text = ReplayText(isJSON: output.json)
      let script = try readScript(text)
      let replay = try Replay(
        script, pace: fast ? .fast : .asCaptured,
        patience: .microseconds(Int64(patience * 1e6)),
        keys: try keys.map(KeyTransfer.keys(inFile:)) ?? [:])
      switch end {
      case .device: try playDevice(replay, text, until: termination)
      case .host: try playHost(replay, text, until: termination)
      }
      for note in replay.takeNotes() { text.notice(note) }
      let lacksSeal = keys != nil && !replay.isProved
      if lacksSeal || replay.obstacle != nil {
        text.notice("no session was sealed: \(sealTrouble(replay.obstacle))")
      }
      try SystemdNotifier.stopping()
      let comparison = replay.comparison
      text.report(comparison, of: script, played: replay.played)
      guard comparison.isSame, replay.played == script.frames, !lacksSeal else {
        throw Failure(.expectationMissed, "it is not as it was in \(file)")
      }
    }
  }

  private func sealTrouble(_ obstacle: SealObstacle?) -> String {
    switch obstacle {
    case .noKey(let device):
      "the keychain \(device.text) is paired, and obeys its own core alone; "
        + (keys == nil
          ? "--keys takes the file keys of that core's state folder" : "--keys has no key of it")
    case .otherKey(let device):
      "the keychain \(device.text) has another key than --keys says, and obeys its own core alone"
    case nil where end == .device:
      "the host has not asked for a proof, or not taken it; fob keys import gives it the key, which"
        + " --keys must have, too"
    case nil: "the keychain has not proved a key of --keys"
    }
  }

  // MARK: The two ends

  private func playDevice(
    _ replay: Replay, _ text: ReplayText, until termination: borrowing Termination
  ) throws {
    if on == nil { try RuntimeFolder.make() }
    let device = try DeviceEnd(on ?? DeviceSpec(pty: RuntimeFolder.path + "/replay"), replay)
    begin(replay, text, "\(device.spec), where it waits for a host")
    try SystemdNotifier.notify(readyFD: readyFd)
    let latest = BootClock.now() + .microseconds(Int64(wait * 1e6))
    while !replay.isFinished(at: BootClock.now()) {
      let isWaiting = !replay.hasBegun
      if isWaiting, BootClock.now() >= latest { throw nobodyCame("\(device.spec)", replay) }
      guard try device.turn(until: isWaiting ? latest : nil, or: termination) else { return }
    }
  }

  private func playHost(
    _ replay: Replay, _ text: ReplayText, until termination: borrowing Termination
  ) throws {
    guard let spec = on else { return }
    let host = HostEnd(replay)
    begin(replay, text, "\(spec), which it opens")
    try host.start(spec)
    defer { host.stop() }
    try SystemdNotifier.notify(readyFD: readyFd)
    let latest = BootClock.now() + .microseconds(Int64(wait * 1e6))
    while !replay.isFinished(at: BootClock.now()) {
      for note in replay.takeNotes() { text.notice(note) }
      let isWaiting = !replay.hasBegun
      if isWaiting, BootClock.now() >= latest { throw nobodyCame("\(spec)", replay) }
      // The opening itself is not signalled: it is looked for until it has come.
      let wake = isWaiting ? BootClock.now() + .milliseconds(50) : latestEnd(replay)
      try Syscall.awaitEither(replay.changed.descriptor, termination.descriptor, until: wake)
      replay.changed.clear()
      if termination.wait(until: BootClock.now()) { return }
    }
  }

  /// When it is over by the clock alone, if nothing else is to be said.
  private func latestEnd(_ replay: Replay) -> Instant? {
    replay.nextWake(at: BootClock.now()).map { $0 + .milliseconds(1) }
  }

  private func begin(_ replay: Replay, _ text: ReplayText, _ place: String) {
    let script = replay.script
    let duration = DecimalText.of(script.line.duration / 1_000, places: 3)
    let seals = script.isSealed ? keys == nil ? ", without their seals" : ", to be sealed anew" : ""
    text.notice(
      "plays the \(script.end.rawValue) of \(script.line.name), \(script.frames) frames in"
        + " \(duration) s\(seals)\(fast ? ", as fast as it can" : ""), at \(place)")
  }

  private func nobodyCame(_ place: String, _ replay: Replay) -> Failure {
    let notes = replay.takeNotes().map { " (\($0))" }.joined()
    let wanted =
      end == .device
      ? "no host has opened \(place) and said HELLO; start fob bridge --device \(place)"
      : "\(place) could not be opened\(notes); start the device"
    return Failure(.timedOut, "\(wanted), or wait longer with --wait")
  }

  // MARK: The capture

  private func readScript(_ text: ReplayText) throws -> ReplayScript {
    let input = try Syscall.open(file, O_RDONLY)
    var reader = PcapngReader()
    var packets: [CapturedPacket] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    do {
      while let count = try chunk.withUnsafeMutableBytes({ try input.read(into: $0) }), count > 0 {
        reader.append(chunk.prefix(count))
        while let packet = try reader.next() { packets.append(packet) }
        if packets.count > RecordedLine.maxRuns {
          throw RecordedLineError.tooLong(packets.count)
        }
      }
      if reader.unfinishedBytes > 0 {
        text.notice("\(file) was cut off: \(reader.unfinishedBytes) bytes are left out")
      }
      return try ReplayScript(RecordedLine(packets, line: line), as: end)
    } catch let error as CaptureError {
      throw Failure(.ioError, "cannot read \(file): \(error)")
    } catch let error as RecordedLineError {
      throw Failure(.ioError, "cannot replay \(file): \(error)")
    }
  }
}

extension ReplayEnd: ExpressibleByArgument {}

/// A replay at the host's end: it opens a device's line, on a thread of its own.
final class HostEnd: Sendable {
  private let replay: Replay
  private let line = Mutex<DeviceLine?>(nil)
  /// Bytes that the line had no room for.
  private let pending = Mutex<[UInt8]?>(nil)

  init(_ replay: Replay) { self.replay = replay }

  func start(_ spec: DeviceSpec) throws(IOFailure) {
    let line = try DeviceLine(
      spec,
      handlers: DeviceLineHandlers(
        onOpen: { [replay] in replay.opened(at: $0) },
        onBytes: { [self] bytes, readAt in
          let now = Instant(microseconds: Int64(readAt / 1_000))
          replay.heard(bytes, at: now)
          send(at: now)
        },
        nextWake: { [self] in
          let now = BootClock.now()
          return pending.withLock { $0 != nil } ? now + Self.retry : replay.nextWake(at: now)
        },
        onWake: { [self] in send(at: $0) },
        onGone: { [replay] in replay.gone("\(spec): \($0)") },
        onUnavailable: { [replay] in
          replay.say($0.whileRetrying)
          replay.changed.signal()
        }))
    self.line.withLock { $0 = line }
    try line.start()
  }

  func stop() {
    // Let go of: its handlers hold this end.
    let line = line.withLock { $0.take() }
    line?.stop()
  }

  private static let retry = Interval.milliseconds(2)

  private func send(at now: Instant) {
    let line = line.withLock { $0 }
    while let bytes = pending.withLock({ $0.take() }) ?? replay.nextBytes(at: now) {
      if bytes.withUnsafeBytes({ line?.send($0) }) == .dropped {
        pending.withLock { $0 = bytes }
        break
      }
    }
    if replay.isFinished(at: now) { replay.changed.signal() }
  }
}

/// A replay at a keychain's plug: a host opens the line, as it opens that of an emulator. All of it
/// runs on the calling thread.
final class DeviceEnd {
  private let transport: any DeviceTransport
  private let replay: Replay
  private var pending: [UInt8] = []
  private var wasPresent = false

  init(_ spec: DeviceSpec, _ replay: Replay) throws(IOFailure) {
    transport = try spec.makeTransport()
    self.replay = replay
  }

  /// As a host names it; a TCP port 0 is the one that it got.
  var spec: DeviceSpec { transport.spec }

  /// One round: takes what has come, says what is due, and waits until there is more to do.
  func turn(
    until deadline: Instant?, or termination: borrowing Termination
  ) throws(IOFailure) -> Bool {
    transport.look()
    let isPresent = transport.hostIsPresent
    if isPresent, !wasPresent { replay.opened(at: BootClock.now()) }
    if wasPresent, !isPresent { replay.gone("it closed \(spec)") }
    wasPresent = isPresent
    if isPresent { readAll() } else { pending = [] }
    let now = BootClock.now()
    // One frame at a time, so that what waits does so where its order is kept.
    while isPresent, flush(), let bytes = replay.nextBytes(at: now) { pending = bytes }
    let wakes = [deadline, pending.isEmpty ? replay.nextWake(at: now) : nil].compactMap(\.self)
    let events = POLLIN | (pending.isEmpty ? 0 : POLLOUT)
    var waits = [
      pollfd(fd: transport.descriptor, events: Int16(events), revents: 0),
      pollfd(fd: transport.listenerDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: termination.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    if !replay.isFinished(at: now) {
      _ = try Syscall.poll(&waits, count: waits.count, until: wakes.min())
    }
    return waits[2].revents == 0
  }

  private func readAll() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while true {
        let count = transport.read(buffer)
        guard count > 0 else { return }
        replay.heard(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: BootClock.now())
      }
    }
  }

  /// Whether nothing waits any more.
  private func flush() -> Bool {
    while !pending.isEmpty {
      let taken = pending.withUnsafeBytes { transport.write($0) }
      guard taken > 0 else { return false }
      pending.removeFirst(taken)
    }
    return true
  }
}
