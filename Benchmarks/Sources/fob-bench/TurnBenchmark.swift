import AlertCore
import CBench
import FobBase
import WireProtocol

/// What a press costs from its bytes to its effects, in one thread and without any I/O: HostLink
/// and AlertCore, with a store and a sink that answer at once and outside the time. For profilers.
struct TurnBenchmark {
  private let presses: Int
  /// µs of sleep before each press, in which others take the processor's caches.
  private let pause: Int

  init(_ arguments: Arguments) throws {
    presses = try arguments.number("presses", default: 20_000)
    pause = try arguments.number("pause", default: 0)
  }

  func run() throws {
    let account = Account(
      name: "Owner",
      contacts: [Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")])
    var now = Timestamp(
      boot: 1, instant: Instant(microseconds: 1_000_000), wall: 1_800_000_000_000_000)
    var core = AlertCore(account: account, at: now)
    var link = HostLink(
      session: 1, software: SoftwareVersion(major: 0, minor: 1, patch: 0), at: now.at)
    var output = CoreOutput()
    var times: [UInt64] = []
    for n in 1...presses {
      now = now + .milliseconds(2)
      let frame = PressFrames.press(n, clock: UInt64(now.instant))
      if pause > 0 {
        bench_sleep_until_boottime(bench_boottime() + UInt64(pause) * 1_000)
      }
      let begun = bench_monotonic()
      frame.withUnsafeBytes { decide($0, &link, &core, &output, at: now) }
      times.append(bench_monotonic() - begun)
      core.settle(&output, at: now + .microseconds(300))
    }
    for q in [0.5, 0.99] {
      print("bytes → effects, one thread, \(q): \(quantile(q, of: times)) ns")
    }
  }

  /// For profilers, a function of its own.
  @inline(never)
  private func decide(
    _ frame: UnsafeRawBufferPointer, _ link: inout HostLink, _ core: inout AlertCore,
    _ output: inout CoreOutput, at now: Timestamp
  ) {
    var chunk = frame
    while let message = link.next(&chunk, at: now.at) {
      guard case .event(let record) = message else { continue }
      core.step(.event(LinkID(rawValue: 0), record, happenedAt: nil), at: now, into: &output)
    }
  }
}
