import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// The bridge's end of a feed, in virtual time.
@Suite struct UplinkQueueTests {
  private let line = Line()
  private let link = LinkID(rawValue: 3)
  private let start = Instant(microseconds: 1_000_000_000)

  /// By reference, so that an expectation may change it.
  private final class Line {
    var line = UplinkQueue(line: 3)

    func take(_ input: CoreInput) -> Bool { line.take(input) }
  }

  private func next(at now: Instant) -> CheckedFeed? {
    line.line.next(bridge: "0123456789abcdef", echo: nil, at: now)
  }

  private func event(_ n: UInt64) -> CoreInput {
    var identity = FeedSample.event
    identity.number = EventNumber(rawValue: n)
    return .event(link, EventRecord(identity), happenedAt: nil)
  }

  @Test func `one batch is under way at a time, and what waits goes with the next`() throws {
    #expect(next(at: start) == nil)
    #expect(line.take(.linkUp(link, FeedSample.hello())))
    let first = try #require(next(at: start))
    #expect(first.hello != nil && first.inputs.isEmpty && first.line == 3)
    #expect(line.take(event(1)) && line.take(event(2)) && line.take(event(1)))
    #expect(next(at: start) == nil)
    line.line.succeeded()
    let second = try #require(next(at: start))
    #expect(second.inputs.count == 2, "an event that came twice is said once")
    #expect(second.sequence == first.sequence + 1)
    line.line.succeeded()
    #expect(next(at: start) == nil)
  }

  @Test func `an answer to the keychain before says nothing of the one that is there`() throws {
    #expect(line.take(.linkUp(link, FeedSample.hello())))
    #expect(next(at: start) != nil)
    let isThere = line.line.succeeded()
    #expect(line.take(event(1)) && next(at: start) != nil)
    #expect(line.take(.linkDown(link, reason: "unplugged")))
    let isThereNow = line.line.succeeded()
    #expect(isThere && !isThereNow)
  }

  @Test func `what failed is let go of, and how the link is, is said again`() throws {
    #expect(line.take(.linkUp(link, FeedSample.hello())) && line.take(event(1)))
    #expect(next(at: start) != nil)
    line.line.failed(at: start)
    #expect(next(at: start) == nil)
    #expect(line.line.nextWake == start + UplinkQueue.retryAfter)
    let again = try #require(next(at: start + UplinkQueue.retryAfter))
    #expect(again.hello != nil && again.inputs.isEmpty)
  }

  @Test func `an event does not wait for the retry`() throws {
    #expect(line.take(event(1)))
    #expect(next(at: start) != nil)
    line.line.failed(at: start)
    #expect(line.take(event(1)))
    #expect(try #require(next(at: start)).inputs.count == 1)
  }

  @Test func `a clock that no batch can say is not known, and the press goes on its way`() throws {
    for happened in [Int64.min...Int64.max, 1...Int64.max, Int64.min...1, 1...(1 << 60)] {
      let record = EventRecord(FeedSample.event)
      #expect(line.take(.event(link, record, happenedAt: happened)))
      #expect(try #require(next(at: start)).inputs == [.event(record, age: nil)])
      line.line.succeeded()
    }
    let known = CoreInput.event(
      link, EventRecord(FeedSample.event), happenedAt: 999_999_000...1_000_000_001)
    #expect(line.take(known))
    #expect(try #require(next(at: start)).inputs == [FeedSample.input(age: -1...1_000)])
  }

  @Test func `a link that was lost is said so until the core has heard it`() throws {
    #expect(line.take(.linkUp(link, FeedSample.hello())))
    #expect(next(at: start) != nil)
    line.line.succeeded()
    #expect(line.take(.linkDown(link, reason: "unplugged")))
    #expect(line.take(.linkUp(link, FeedSample.hello(session: 2))))
    #expect(try #require(next(at: start)).down == "unplugged")
    line.line.failed(at: start)
    let again = try #require(next(at: start + UplinkQueue.retryAfter))
    #expect(again.down == "unplugged" && again.hello != nil)
    line.line.succeeded()
    #expect(line.take(event(1)))
    #expect(try #require(next(at: start)).down == nil)
  }

  @Test func `readings give way to newer ones, and an event without room is said so`() {
    #expect(line.take(.linkUp(link, FeedSample.hello())))
    #expect(next(at: start) != nil)
    for uptime in 1...500 {
      var beat = Heartbeat()
      beat.uptime = UInt64(uptime)
      #expect(line.take(.heartbeat(link, beat)))
    }
    for n in 1...UInt64(UplinkQueue.maxEvents) { #expect(line.take(event(n))) }
    #expect(!line.take(event(9_999)))
    #expect(line.take(event(1)), "it waits already")
    line.line.succeeded()
    #expect(next(at: start)?.inputs.count == UplinkQueue.maxEvents + 1)
  }

  // MARK: What the keychain has sealed

  private func sealed(_ payload: some Payload, tag: UInt8 = 1) -> HostOutput.Relayed {
    let plain = RelayedFrame(FrameBody(payload, sequence: 0))
    return HostOutput.Relayed(
      frame: RelayedFrame(
        head: 0x18, rawType: plain.rawType, payload: plain.payload,
        trailer: Array(repeating: tag, count: 16)), happenedAt: nil)
  }

  private func take(_ sealed: HostOutput.Relayed) -> Bool { line.line.take(sealed) }

  @Test func `a sealed press waits for the core's first answer, and goes as it is`() throws {
    let press = sealed(EventRecord(FeedSample.event))
    #expect(take(press))
    #expect(try #require(next(at: start)).inputs.isEmpty)
    line.line.succeeded(isSealRead: true)
    #expect(try #require(next(at: start)).inputs == [.relayed(press.frame, age: nil)])
    line.line.succeeded(isSealRead: true)
    #expect(next(at: start) == nil)
  }

  @Test func `a core that reads no sealed frames gets what they say, without the proof`() throws {
    let proof = Proof(
      session: 1, bootCounter: 1, bootNonce: 1, number: 1, clock: 1, tag: 1)
    for isRefused in [false, true] {
      #expect(line.take(.linkUp(link, FeedSample.hello(session: isRefused ? 2 : 1))))
      #expect(next(at: start) != nil)
      if isRefused {
        line.line.failed(isRefused: true, at: start)
      } else {
        line.line.succeeded()
      }
      #expect(take(sealed(EventRecord(FeedSample.event))) && take(sealed(Heartbeat())))
      #expect(take(sealed(PositionFix())) && take(sealed(proof)))
      let said = try #require(next(at: start)).inputs
      #expect(said.count == 3 && said.first == FeedSample.input())
      #expect(said.allSatisfy { if case .relayed = $0 { false } else { true } })
      line.line.succeeded(isSealRead: true)
    }
  }

  @Test func `of sealed copies the newest is said, beside one that anybody may have made`() throws {
    #expect(line.take(.linkUp(link, FeedSample.hello())) && next(at: start) != nil)
    line.line.succeeded(isSealRead: true)
    let record = EventRecord(FeedSample.event)
    #expect(line.take(.event(link, record, happenedAt: nil)))
    #expect(take(sealed(record, tag: 1)) && take(sealed(record, tag: 2)))
    #expect(line.take(.event(link, record, happenedAt: nil)))
    #expect(
      try #require(next(at: start)).inputs
        == [FeedSample.input(), .relayed(sealed(record, tag: 2).frame, age: nil)])
  }
}

/// What a bridge believes of its core.
@Suite struct RemoteCoreStateTests {
  private var heard = RemoteCoreState()
  private let start = Instant(microseconds: 1_000_000_000)
  private let idle = Indication(state: .idle)

  @Test mutating func `five seconds of silence end what devices are told, a word begins it again`()
  {
    let shown = FeedSignal.indicate(FeedSignal.Shown(2, idle))
    #expect(heard.heard(shown, at: start) == .tell([2: idle]))
    #expect(heard.shown(on: 2) == idle && heard.shown(on: 1) == nil)
    #expect(heard.due(at: start + .milliseconds(4_999)) == .nothing)
    #expect(heard.heard(.heartbeat(clock: 7), at: start + .seconds(2)) == .nothing)
    #expect(heard.due(at: start + .seconds(6)) == .nothing)
    #expect(heard.due(at: start + .seconds(7)) == .withhold)
    #expect(heard.shown(on: 2) == nil)
    #expect(heard.due(at: start + .seconds(20)) == .nothing)
    #expect(heard.heard(.heartbeat(clock: 8), at: start + .seconds(21)) == .tell([2: idle]))
  }

  @Test mutating func `what an ended stream has told is not told again`() {
    _ = heard.heard(.indicate(FeedSignal.Shown(0, idle)), at: start)
    _ = heard.heard(.heartbeat(clock: 7), at: start)
    #expect(heard.echo(at: start + .seconds(1)) == FeedEcho(clock: 7, held: 1_000_000))
    heard.streamEnded()
    #expect(heard.echo(at: start) == nil)
    #expect(heard.due(at: start + .seconds(5)) == .withhold)
    #expect(heard.heard(.heartbeat(clock: 8), at: start + .seconds(6)) == .nothing)
  }

  @Test mutating func `what an ended stream told does not live on by the words of the next`() {
    let waiting = Indication(state: .sending)
    _ = heard.heard(.indicate(FeedSignal.Shown(0, idle)), at: start)
    _ = heard.heard(.indicate(FeedSignal.Shown(1, idle)), at: start)
    heard.streamEnded()
    #expect(heard.heard(.heartbeat(clock: 8), at: start + .seconds(1)) == .nothing)
    let told = heard.heard(.indicate(FeedSignal.Shown(1, waiting)), at: start + .seconds(2))
    #expect(told == .tell([1: waiting]))
    heard.streamEnded()
    #expect(heard.heard(.heartbeat(clock: 8), at: start + .seconds(4)) == .nothing)
    #expect(heard.nextWake == start + .seconds(5))
    #expect(heard.due(at: start + .milliseconds(4_999)) == .nothing)
    #expect(heard.due(at: start + .seconds(5)) == .tell([0: nil]))
    #expect(heard.due(at: start + .seconds(7)) == .tell([1: nil]))
    #expect(heard.nextWake == start + .seconds(9))
    #expect(heard.due(at: start + .seconds(9)) == .withhold)
  }

  @Test mutating func `what an answer says is shown until a stream is open, and no longer`() {
    let sending = FeedSignal.Shown(0, Indication(incident: 7, state: .sending))
    _ = heard.heard(.heartbeat(clock: 7), at: start)
    _ = heard.heard(.indicate(FeedSignal.Shown(0, idle)), at: start)
    #expect(heard.answered(sending, at: start) == .nothing, "a stream is in order, an answer late")
    heard.streamEnded()
    let answered = start + .seconds(4)
    #expect(heard.answered(sending, at: answered) == .tell([0: sending.indication]))
    #expect(heard.due(at: start + .seconds(6)) == .nothing)
    #expect(heard.nextWake == answered + .seconds(5))
    #expect(heard.due(at: answered + .seconds(5)) == .withhold)
    #expect(heard.answered(sending, at: start + .seconds(20)) == .tell([0: sending.indication]))
    #expect(heard.heard(.heartbeat(clock: 8), at: start + .seconds(20)) == .nothing)
    #expect(heard.answered(sending, at: start + .seconds(21)) == .nothing)
    #expect(heard.due(at: start + .seconds(25)) == .withhold)
  }

  @Test mutating func `a line that no bridge has is not kept`() {
    let odd = FeedSignal.indicate(FeedSignal.Shown(Limits.devices, idle))
    #expect(heard.heard(odd, at: start) == .nothing)
  }

  @Test mutating func `a state that is not known is not guessed at`() {
    var shown = FeedSignal.Shown(0, idle)
    shown.state = 200
    #expect(heard.heard(.indicate(shown), at: start) == .tell([0: nil]))
  }
}
