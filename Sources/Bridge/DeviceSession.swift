import AlertCore
import Control
import FobBase
import SerialIO
import Synchronization
import Transport
import WireProtocol

/// One device at the bridge: its line, its end of the link, and the way of a press into the core.
///
/// `onBytes` is the alarm path: it runs on the device's reader thread, from the read that returned
/// to the effects of the engine, without a hop.
final class DeviceSession: Sendable {
  let id: LinkID
  let spec: DeviceSpec
  /// As a tap calls it: made once, since that costs an allocation.
  private let name: String
  private unowned let bridge: AlertBridge
  private let state = Mutex(State())
  /// Set once, before the line is started.
  private let line = Mutex<DeviceLine?>(nil)

  private struct State {
    var link: HostLink?
    var device: DeviceID?
    /// Of the device's trace ring, the entry to ask for next.
    var nextTrace: UInt32 = 0
    var hasMoreTrace = false
    var wasLinked = false
    /// As it was told last.
    var light: BridgeEvent.Light?
    /// Opened, and HELLO not yet answered; nil once that was told.
    var unansweredSince: Instant?
    /// Filled and emptied by the reader thread alone; kept for its room.
    var reports: [DeviceReport] = []
  }

  init(_ id: LinkID, _ spec: DeviceSpec, bridge: AlertBridge) {
    self.id = id
    self.spec = spec
    name = spec.description
    self.bridge = bridge
  }

  func start() throws(IOFailure) {
    let line = try DeviceLine(
      spec,
      handlers: DeviceLineHandlers(
        onOpen: { [unowned self] in opened(at: $0) },
        onBytes: { [unowned self] in received($0, readAt: $1) },
        nextWake: { [unowned self] in state.withLock { $0.link?.nextWake } },
        onWake: { [unowned self] in due(at: $0) },
        onGone: { [unowned self] in gone($0) },
        onUnavailable: { [unowned self] in unavailable($0) }))
    self.line.withLock { $0 = line }
    try line.start()
  }

  func stop() { line.withLock { $0 }?.stop() }

  // MARK: In

  private func received(_ bytes: UnsafeRawBufferPointer, readAt: UInt64) {
    let now = Instant(microseconds: Int64(readAt / 1_000))
    if bridge.tap.isTapped { bridge.tap.pass(bytes, device: name, to: .host, at: now) }
    var chunk = bytes
    // Taken out of the lock: what the core answers goes out through it again.
    var (reports, fit, device) = state.withLock { state in
      var reports: [DeviceReport] = []
      swap(&reports, &state.reports)
      while let report = state.link?.next(&chunk, at: now) {
        if case .trace = report { readTrace(&state) }
        reports.append(report)
      }
      return (reports, state.link?.fit, state.device)
    }
    for report in reports { handle(report, &device, fit, readAt: now.microseconds) }
    reports.removeAll(keepingCapacity: true)
    state.withLock { swap(&reports, &$0.reports) }
    due(at: now)
  }

  private func handle(
    _ report: DeviceReport, _ device: inout DeviceID?, _ fit: TimeSync.Fit?, readAt: Int64
  ) {
    switch report {
    case .event(let record):
      known(record.identity.deviceID, &device)
      let decided = bridge.handle(.event(id, record, happenedAt: Self.happened(record, fit)))
      bridge.stages.decided(record, read: readAt, decided: decided.microseconds, fit: fit)
    case .barePress(let identity): bridge.handle(.barePress(id, identity))
    case .linked(let hello):
      device = hello.deviceID
      linked(hello)
    case .heartbeat(let beat):
      bridge.handle(.heartbeat(id, beat))
      let light = BridgeEvent.Light(shown: beat.shown, sounder: beat.flags.contains(.sounder))
      // LED_STATE is said once, and may have been lost.
      if light != state.withLock({ $0.light }) { tellLight(light, of: device) }
    case .position(let fix):
      bridge.handle(.position(id, fix))
      if let device { bridge.tell(.located(device: device.text, fix)) }
    case .ledState(let led):
      tellLight(BridgeEvent.Light(shown: led.shown, sounder: led.sounder), of: device)
      askTrace()
    case .refused(let reject): send(reject)
    case .rejected(let reject):
      bridge.notice(.warning, "\(spec) did not understand a frame of type \(reject.rejectedType)")
    // A full frame: there may be more in the device's ring.
    case .trace: if state.withLock({ $0.hasMoreTrace }) { askTrace() }
    case .clock, .battery, .configResult, .log, .firmwareInfo, .nmeaRaw, .nothing: break
    }
  }

  private func tellLight(_ light: BridgeEvent.Light, of device: DeviceID?) {
    guard let device else { return }
    state.withLock { $0.light = light }
    bridge.tell(.led(device: device.text, light))
  }

  /// An event says whose it is, be it before the HELLO.
  private func known(_ id: DeviceID, _ device: inout DeviceID?) {
    guard device == nil else { return }
    device = id
    state.withLock { $0.device = id }
  }

  private static func happened(_ record: EventRecord, _ fit: TimeSync.Fit?) -> ClosedRange<Int64>? {
    guard let fit, fit.bootNonce == record.identity.bootNonce else { return nil }
    let at = fit.hostInstant(record.identity.clock).microseconds
    let (earliest, isBefore) = at.subtractingReportingOverflow(fit.uncertainty)
    let (latest, isAfter) = at.addingReportingOverflow(fit.uncertainty)
    return isBefore || isAfter ? nil : earliest...latest
  }

  private func linked(_ hello: Hello) {
    state.withLock { state in
      state.device = hello.deviceID
      state.nextTrace = 0
      state.wasLinked = true
      state.unansweredSince = nil
    }
    if !(hello.versionMin...max(hello.versionMin, hello.versionMax)).contains(FrameHead.version) {
      bridge.notice(
        .error,
        "\(spec) speaks protocol \(hello.versionMin) to \(hello.versionMax), this bridge"
          + " \(FrameHead.version): its presses raise the alarm, nothing else works; update one")
    }
    bridge.handle(.linkUp(id, hello))
  }

  // MARK: Out

  func acknowledge(_ ack: EventAck) {
    if let device = state.withLock({ $0.device }) {
      bridge.stages.durable(device, ack.number, at: BootClock.now().microseconds)
    }
    send(ack)
    askTrace()
  }

  func indicate(_ indication: Indication) {
    let now = BootClock.now()
    state.withLock { state in
      state.link?.indicate(indication, at: now)
      while let frame = state.link?.nextFrame(at: now) { write(frame) }
    }
  }

  private func send(_ payload: some Payload) {
    let now = BootClock.now()
    state.withLock { state in
      if let frame = state.link?.frame(payload, at: now) { write(frame) }
    }
  }

  private func write(_ frame: WireFrame) {
    let line = line.withLock { $0 }
    frame.withBytes { bytes in
      let outcome = line?.send(bytes)
      if bridge.tap.isTapped, outcome == .written || outcome == .queued {
        bridge.tap.pass(bytes, device: name, to: .device, at: BootClock.now())
      }
    }
  }

  /// Sends what the clock alone makes due, and tells of noise and silence.
  private func due(at now: Instant) {
    let (noise, fellSilent, isUnanswered) = state.withLock { state in
      while let frame = state.link?.nextFrame(at: now) { write(frame) }
      let isLinked = state.link?.state != .silent
      let fellSilent = state.wasLinked && !isLinked
      if fellSilent { state.wasLinked = false }
      let isUnanswered = state.unansweredSince.map { now - $0 >= .seconds(3) } ?? false
      if isUnanswered { state.unansweredSince = nil }
      return (state.link?.noiseSummary(at: now), fellSilent, isUnanswered)
    }
    if let noise { bridge.notice(.warning, "\(spec): \(Self.words(noise))") }
    if isUnanswered {
      bridge.notice(
        .warning, "\(spec) is open, but nothing answers HELLO: is it a keychain, and is it on?")
    }
    if fellSilent { bridge.handle(.linkDown(id, reason: "nothing heard for 3 s")) }
  }

  private static func words(_ noise: NoiseSummary) -> String {
    var parts: [String] = []
    if noise.damagedFrames > 0 { parts.append("damaged frames: \(noise.damagedFrames)") }
    if noise.echoedFrames > 0 { parts.append("frames of our own: \(noise.echoedFrames)") }
    return "line noise, \(noise.bytes) bytes passed over; \(parts.joined(separator: ", "))"
  }

  // MARK: Trace

  private func askTrace() {
    let now = BootClock.now()
    state.withLock { state in
      let request = TraceFrame(first: state.nextTrace)
      if let frame = state.link?.frame(request, at: now) { write(frame) }
    }
  }

  private func readTrace(_ state: inout State) {
    guard let link = state.link, let device = state.device else { return }
    var next = state.nextTrace
    var count = 0
    link.withPayload { payload in
      TraceFrame.entries(payload) { index, entry in
        count += 1
        guard Int32(bitPattern: index &- next) >= 0 else { return }
        next = index &+ 1
        if let stages = bridge.stages.traced(entry, of: device, fit: link.fit) {
          bridge.tell(.stages(stages))
        }
      }
    }
    state.hasMoreTrace = count == TraceEntry.mostInFrame && next != state.nextTrace
    state.nextTrace = next
  }

  // MARK: The line itself

  private func opened(at now: Instant) {
    let indication = bridge.indication
    state.withLock { state in
      var link = HostLink(
        session: UInt32.random(in: 1...UInt32.max), software: AlertBridge.software, at: now)
      link.indicate(indication, at: now)
      state.link = link
      // Another device may stand under the name by now.
      state.device = nil
      state.light = nil
      state.unansweredSince = now
    }
  }

  private func gone(_ reason: GoneReason) {
    let wasLinked = state.withLock { state in
      defer {
        state.link = nil
        state.wasLinked = false
      }
      return state.wasLinked
    }
    if wasLinked { bridge.handle(.linkDown(id, reason: "\(reason)")) }
  }

  private func unavailable(_ failure: IOFailure) {
    bridge.notice(.warning, "\(failure); it is opened as soon as that is mended")
  }
}
