public import FobBase
public import SerialIO
import Synchronization

/// One run: makes presses and floor trips by one schedule, and gathers what came of them.
public final class LatencyRun: Sendable {
  /// How the presses are made, and which of them count.
  public struct Plan: Sendable {
    /// Presses a second over all keychains; nil for presses by hand.
    public var rate: Double?
    /// The devices, as their presses name them. Nil is a keychain of unknown name: it stands for
    /// all.
    public var devices: [String?]
    /// Presses before its end are not counted.
    public var warmUp: Interval
    /// The counted time, after the warm-up.
    public var duration: Interval
    /// How long before its due time a press is handed over.
    public var lead: Interval
    /// The run is refused if the p99 of the pacing error is above this, µs.
    public var pacingLimit: Int64
    /// Gives the schedule: the same seed gives the same due times.
    public var seed: UInt64

    /// `rate` is in presses a second, `pacingLimit` in µs.
    public init(
      rate: Double?, devices: [String?], warmUp: Interval, duration: Interval, lead: Interval,
      pacingLimit: Int64, seed: UInt64
    ) {
      self.rate = rate
      self.devices = devices
      self.warmUp = warmUp
      self.duration = duration
      self.lead = lead
      self.pacingLimit = pacingLimit
      self.seed = seed
    }
  }

  /// Where keychain and bridge note their stamps, from any thread.
  public let book: LatencyBook
  private let plan: Plan
  /// The first instant that counts.
  private let counted: Instant
  private let pacer: PressScheduler
  private let floor: HarnessBaseline

  /// A run has at most 40 blocks, of at least 500 ms.
  private static let minBlock = Interval.milliseconds(500)
  private static let maxBlocks: Int64 = 40

  /// Starts at once.
  /// - Parameters:
  ///   - plan: devices, rate, warm-up, length and seed.
  ///   - book: gets the stamps of every press.
  ///   - folder: that of the store; its disk is measured, too.
  ///   - press: called `lead` before a press is due, to make it; it must not wait.
  public init(
    _ plan: Plan, book: LatencyBook, folder: String,
    press: @escaping @Sendable (_ keychain: Int, Instant) throws -> Void
  ) throws(IOFailure) {
    self.plan = plan
    self.book = book
    let start = BootClock.now()
    counted = start + plan.warmUp
    let schedule = PressSchedule(
      rate: plan.rate, keychains: plan.devices.count, length: plan.warmUp + plan.duration,
      seed: plan.seed)
    let presses = schedule.presses.map {
      PressSchedule.Press(keychain: $0.keychain, due: start.microseconds + $0.due)
    }
    floor = try HarnessBaseline(
      dues: schedule.floor.map { start + .microseconds($0) }, folder: folder)
    pacer = try PressScheduler(presses, lead: plan.lead) {
      try press($0.keychain, Instant(microseconds: $0.due))
    }
  }

  /// When the last press is due.
  public var end: Instant { counted + plan.duration }

  /// Why no more presses can be made; nil while they can.
  public var failure: String? { pacer.failure }

  /// Whether all presses made so far are complete.
  public var isSettled: Bool { book.finished >= pacer.presses.count }

  /// Makes no further press.
  public func stopPressing() { pacer.stop() }

  /// The samples so far of the presses that count, in order.
  public var samples: [LatencySample] { matched().filter { self.counts($0) } }

  /// Ends the run and gives its result. The caller adds device, environment and time of begin.
  public func finish() -> BenchResult {
    pacer.stop()
    let (trips, flushes) = floor.stop()
    let made = pacer.presses.filter { $0.due <= BootClock.now().microseconds }
    let all = matched()
    let samples = all.filter { self.counts($0) }
    var result = BenchResult()
    result.rate = plan.rate
    result.warmUp = all.count - samples.count
    result.pacing = BenchResult.Pacing(of: samples, limit: plan.pacingLimit)
    let missing = plan.rate == nil ? 0 : max(0, made.count - all.count)
    result.unseen = min(book.unseen, missing)
    result.lost = missing - result.unseen
    let ended = min(end, BootClock.now())
    let length = max(.zero, ended - counted)
    result.duration = Double(length.microseconds) / 1_000_000
    result.blocks = blocks(samples, trips, flushes, over: length)
    return result
  }

  private func counts(_ sample: LatencySample) -> Bool {
    (sample.due ?? sample.edge ?? sample.read ?? 0) >= counted.microseconds
  }

  private func matched() -> [LatencySample] {
    let decided = book.decided
    guard plan.rate != nil else {
      return decided.values.sorted { ($0.read ?? 0) < ($1.read ?? 0) }
    }
    let made = pacer.presses
    return plan.devices.enumerated().flatMap { index, device in
      PressMatching.match(
        decided.filter { device == nil || $0.key.device == device }.map(\.value),
        to: made.filter { $0.keychain == index }.map(\.due))
    }.sorted { $0.due! < $1.due! }
  }

  private func blocks(
    _ samples: [LatencySample], _ trips: [HarnessBaseline.Trip], _ flushes: [HarnessBaseline.Trip],
    over length: Interval
  ) -> [BenchResult.Block] {
    let count = min(
      Self.maxBlocks, max(1, length.microseconds / Self.minBlock.microseconds))
    let each = max(1, length.microseconds / count)
    var blocks = [BenchResult.Block](
      repeating: BenchResult.Block(samples: [], floor: []), count: Int(count))
    func index(_ at: Int64) -> Int? {
      let passed = at - counted.microseconds
      return passed < 0 ? nil : Int(min(count - 1, passed / each))
    }
    for sample in samples {
      guard let at = sample.due ?? sample.edge ?? sample.read, let index = index(at) else {
        continue
      }
      blocks[index].samples.append(sample)
    }
    for trip in trips {
      if let index = index(trip.due) { blocks[index].floor.append(trip.tenths) }
    }
    for flush in flushes {
      if let index = index(flush.due) { blocks[index].flushes.append(flush.tenths) }
    }
    return blocks.filter { !$0.samples.isEmpty }
  }
}

/// Finds the press of the schedule that each sample belongs to.
enum PressMatching {
  /// How far before its due time the clocks may show a press, µs.
  static let tolerance: Int64 = 5_000

  /// Gives each sample the last free due time that is not later than its first edge, or than its
  /// read where the edge is not known. Each due time goes to one sample, in the order of time.
  /// - Parameters:
  ///   - samples: of one keychain.
  ///   - dues: of the presses made on it, in order.
  /// - Returns: the samples that belong to a press, in the order of the presses.
  static func match(_ samples: [LatencySample], to dues: [Int64]) -> [LatencySample] {
    let seen = samples.compactMap { sample in
      (sample.edge ?? sample.read).map { (at: $0, sample: sample) }
    }.sorted { $0.at < $1.at }
    var matched: [LatencySample] = []
    var next = 0
    for (at, sample) in seen {
      // Presses that are skipped are lost: none of their stamps came before the press after them.
      while next + 1 < dues.count, dues[next + 1] <= at + tolerance { next += 1 }
      guard next < dues.count, dues[next] <= at + tolerance else { continue }
      var sample = sample
      sample.due = dues[next]
      matched.append(sample)
      next += 1
    }
    return matched
  }
}

/// The thread that makes each press when it is due, whatever the outcome of the presses before.
final class PressScheduler: Sendable {
  private let made = Mutex<[PressSchedule.Press]>([])
  private let failed = Mutex<String?>(nil)
  private let stopSignal: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  /// - Parameters:
  ///   - presses: in order of their due times, µs on the boot clock.
  ///   - press: called `lead` before each is due; it must not wait.
  init(
    _ presses: [PressSchedule.Press], lead: Interval,
    press: @escaping @Sendable (PressSchedule.Press) throws -> Void
  ) throws(IOFailure) {
    stopSignal = try EventSignal()
    made.withLock { $0.reserveCapacity(presses.count) }
    let alarm = try TimerFD()
    let body = Body(alarm: alarm)
    let thread = try BlockingThread(name: "finger") { [self] in
      for next in presses {
        if isStopped(before: Instant(microseconds: next.due) + (.zero - lead), body) { return }
        made.withLock { $0.append(next) }
        do { try press(next) } catch { return failed.withLock { $0 = "\(error)" } }
      }
    }
    self.thread.withLock { $0 = thread }
  }

  private final class Body: Sendable {
    let alarm: TimerFD
    init(alarm: consuming TimerFD) { self.alarm = alarm }
  }

  /// Waits until then; true where the run was stopped.
  private func isStopped(before timestamp: Instant, _ body: Body) -> Bool {
    body.alarm.set(at: timestamp)
    try? Syscall.awaitEither(body.alarm.descriptor, stopSignal.descriptor)
    return (try? Syscall.poll(stopSignal.descriptor, for: 1, until: Instant(microseconds: 0))) != 0
  }

  /// The presses made so far.
  var presses: [PressSchedule.Press] { made.withLock { $0 } }

  /// Why the thread makes no more presses; nil while it does.
  var failure: String? { failed.withLock { $0 } }

  func stop() {
    stopSignal.signal()
    _ = thread.withLock { $0 }?.join(within: .seconds(5))
  }
}
