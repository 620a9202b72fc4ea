import AlertCore
import FobBase
import Testing
import WireProtocol

/// Rule "truth before light", and R49.
struct IndicationTests {
  @Test func `accepted is not shown before the press is durable, although it was told`() {
    var bench = CoreBench()
    bench.storeBehaviour = .silent
    bench.press(.press(1))
    bench.run(for: .milliseconds(200))
    #expect(bench.state == .emergencySent)
    #expect(bench.indication?.state == .sending)
    bench.perform(.acknowledge("contact-1"))
    #expect(bench.indication?.state == .sending)
    bench.wakeStore()
    #expect(bench.indication?.state == .acknowledged)
  }

  @Test func `accepted is not shown before a sink has accepted`() {
    var bench = CoreBench()
    bench.otherSinks = .accepts(after: .seconds(2))
    bench.press(.press(1))
    bench.run(for: .milliseconds(1_999))
    #expect(bench.indication?.state == .sending)
    bench.run(for: .milliseconds(1))
    #expect(bench.indication?.state == .accepted)
  }

  @Test func `a further press shows sending again until it is durable`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.perform(.acknowledge("contact-1"))
    #expect(bench.indication?.state == .acknowledged)
    bench.storeBehaviour = .commits(after: .seconds(1))
    bench.press(.press(2))
    #expect(bench.indication?.state == .sending)
    bench.run(for: .seconds(1))
    #expect(bench.indication?.state == .accepted, "G18: the acknowledgement is undone")
  }

  @Test func `the countdown is shown second by second`() {
    var bench = CoreBench(.sample(), .withCountdown)
    bench.press(.press(1))
    bench.run(for: .milliseconds(119_999))
    let shown = bench.indications.filter { $0.state == .countdown }
    #expect(shown.map(\.detail) == (1...120).reversed().map { UInt8($0) })
  }

  @Test func `R49: the sounder stays on in SENDING, SENT and FAILED until a manual act`() {
    var bench = CoreBench(.sample(), .withCountdown)
    bench.otherSinks = .refuses
    func isOn() -> Bool { bench.indication?.sounder ?? false }
    bench.press(.press(1))
    #expect(isOn())
    bench.run(for: .minutes(3))
    #expect(bench.state == .emergencySending && isOn())
    bench.run(for: .minutes(60))
    #expect(bench.state == .emergencySendingFailed && isOn())
    bench.otherSinks = .acceptsAtOnce
    bench.run(for: .minutes(1))
    #expect(bench.state == .emergencySent && isOn())
    bench.perform(.acknowledge("contact-1"))
    #expect(isOn())
    bench.perform(nil)
    #expect(isOn())
    bench.perform(.silence)
    #expect(!isOn())
    #expect(bench.state == .emergencySent)
  }

  @Test func `a line that comes up is told what is true`() {
    var bench = CoreBench()
    bench.press(.press(1))
    let before = bench.indications.count
    bench.hand(.linkUp(line, .from(keychain)))
    #expect(bench.indications.count == before + 1)
    #expect(bench.indications.last?.incident == EventRecord.press(1).incident.wire)
  }

  @Test func `R46 to R47: failed, ended and idle are shown`() {
    var bench = CoreBench()
    bench.otherSinks = .refuses
    bench.press(.press(1))
    bench.run(for: .minutes(15))
    #expect(bench.indication?.state == .failed)
    bench.perform(.disarm)
    #expect(bench.indication?.state == .ended)
    #expect(bench.indication?.sounder == false)
    bench.perform(.resume)
    #expect(bench.indication == Indication(state: .idle))
  }

  @Test func `of two lines that name one keychain, none goes on showing what was before`() {
    var account = Account.protecting
    account.devices = [keychain.text]
    var bench = CoreBench(account, channels: [Contact(id: "board", name: "board")])
    let other = LinkID(rawValue: 1)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.linkUp(other, .from(keychain)))
    bench.press(.press(1))
    #expect(bench.shown[line]?.incident == EventRecord.press(1).incident.wire)
    #expect(bench.shown[other] == bench.shown[line])
  }
}
