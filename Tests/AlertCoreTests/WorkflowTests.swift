import AlertCore
import FobBase
import Testing
import WireProtocol

/// R40 to R47 and R55: states and timers.
struct WorkflowTests {
  /// R37.
  @Test(arguments: [1, 7, 60])
  func `messages repeat at the interval that the account has set`(minutes: Int) {
    var bench = CoreBench(.complete())
    let start = bench.now
    #expect(bench.change(.edit(.with(\.messageEvery, minutes)), isProven: true) == nil)
    bench.press(.press(1))
    #expect(bench.core.status(at: bench.now).nextMessage == bench.now + .minutes(Int64(minutes)))
    bench.run(for: .minutes(Int64(minutes)))
    let again = bench.deliveries(.again, to: "contact-1")
    #expect(
      bench.seconds(of: again, since: start) == (minutes > 30 ? [] : [Double(minutes * 60)]))
  }

  @Test(arguments: [0, 61, -1])
  func `an interval of no minute or over an hour is refused`(minutes: Int) {
    var bench = CoreBench(.complete())
    #expect(
      bench.change(.edit(.with(\.messageEvery, minutes)), isProven: true)
        == .invalid("messageEvery", "is not 1 to 60 minutes"))
  }

  @Test func `R35, G1: pressing the button raises the alarm at once`() {
    var bench = CoreBench()
    bench.otherSinks = .silent
    let pressed = bench.now
    bench.press(.press(1))
    #expect(bench.state == .emergencySending)
    #expect(bench.deliveries(.raise).map(\.at) == [pressed, pressed])
    #expect(bench.incident?.trackingSince == pressed)
  }

  @Test func `R41, R43: the countdown lasts 120 s and then the alarm goes out by itself`() {
    var bench = CoreBench(.sample(), .withCountdown)
    bench.press(.press(1))
    bench.run(for: .milliseconds(119_900))
    #expect(bench.state == .alertCountdown)
    #expect(bench.deliveries().isEmpty)
    bench.run(for: .milliseconds(100))
    #expect(bench.state == .emergencySent)
    #expect(bench.deliveries(.raise).count == 2)
  }

  @Test func `R42: nothing at all is sent after a stop in the countdown`() {
    var bench = CoreBench(.sample(), .withCountdown)
    bench.press(.press(1))
    bench.run(for: .milliseconds(119_999))
    bench.perform(.disarm)
    bench.run(for: .minutes(120))
    #expect(bench.state == .emergencyEnded)
    #expect(bench.deliveries().isEmpty)
  }

  @Test func `G18: a press in the countdown ends it at once`() {
    var bench = CoreBench(.sample(), .withCountdown)
    bench.press(.press(1))
    bench.perform(.silence)
    bench.run(for: .seconds(5))
    bench.press(.press(2))
    #expect(bench.state == .emergencySent)
    #expect(bench.incident?.sounder == true)
    #expect(bench.deliveries().map(\.notification.kind) == [.raise, .raise])
    #expect(bench.store.incidents.count == 1)
  }

  @Test func `R44, R45: SENDING becomes SENT when one contact's sink has accepted`() {
    var bench = CoreBench()
    bench.sinks["contact-1"] = .refuses
    bench.sinks["contact-2"] = .accepts(after: .seconds(3))
    bench.press(.press(1))
    bench.run(for: .milliseconds(2_999))
    #expect(bench.state == .emergencySending)
    bench.run(for: .milliseconds(1))
    #expect(bench.state == .emergencySent)
  }

  @Test
  func
    `R46, G4: FAILED after 15 minutes of refusals, and SENT when the notification channel heals`()
  {
    var bench = CoreBench()
    bench.otherSinks = .refuses
    bench.press(.press(1))
    bench.run(for: .milliseconds(15 * 60_000 - 1))
    #expect(bench.state == .emergencySending)
    bench.run(for: .milliseconds(1))
    #expect(bench.state == .emergencySendingFailed)
    bench.run(for: .minutes(120))
    #expect(bench.state == .emergencySendingFailed)
    bench.otherSinks = .acceptsAtOnce
    bench.run(for: .seconds(30))
    #expect(bench.state == .emergencySent)
    let sent = bench.now
    bench.run(for: .seconds(29 * 60))
    #expect(bench.state == .emergencySent, "G3: not before 30 minutes after SENT")
    bench.run(until: sent + .minutes(30))
    #expect(bench.state == .emergencyEnded)
  }

  @Test func `R45: ENDED 30 minutes after SENT`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.run(for: .milliseconds(30 * 60_000 - 1))
    #expect(bench.state == .emergencySent)
    bench.run(for: .milliseconds(1))
    #expect(bench.state == .emergencyEnded)
    #expect(bench.incident?.endReason == .trackingOver)
    #expect(bench.deliveries(.closing).count == 2)
  }

  @Test func `R45: a further press is an action, and the 30 minutes begin again`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.run(for: .minutes(29))
    bench.press(.press(2))
    bench.run(for: .milliseconds(30 * 60_000 - 1))
    #expect(bench.state == .emergencySent)
    bench.run(for: .milliseconds(1))
    #expect(bench.state == .emergencyEnded)
  }

  @Test func `R37, G2: messages each 5 minutes with rising numbers and a fresh position`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.hand(.linkUp(line, .from(keychain)))
    let start = bench.now
    bench.press(.press(1))
    #expect(bench.core.status(at: start).nextMessage == start + .minutes(5))
    for minute in 1...29 {
      bench.hand(.position(line, .good(Int32(minute))))
      bench.run(for: .minutes(1))
    }
    let again = bench.deliveries(.again)
    #expect(bench.seconds(of: again, since: start) == [300, 600, 900, 1_200, 1_500])
    #expect(again.map(\.notification.sequence) == [2, 3, 4, 5, 6])
    #expect(again.map(\.notification.position?.latitude) == [5, 10, 15, 20, 25])
    #expect(again.allSatisfy { $0.notification.position?.quality == 2 })
  }

  @Test func `R37: no further message once a contact has acknowledged, until a further press`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    bench.perform(.acknowledge("contact-1"))
    #expect(bench.core.status(at: bench.now).nextMessage == nil)
    bench.run(for: .minutes(12))
    #expect(bench.deliveries(.again).isEmpty)
    bench.press(.press(2))
    bench.run(for: .minutes(12))
    #expect(bench.deliveries(.again).count == 2)
  }

  @Test func `R47, R54: resume leads to NO_EMERGENCY, and the next press is another incident`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.perform(.disarm)
    bench.perform(.resume)
    #expect(bench.state == .noEmergency)
    bench.run(for: .seconds(1))
    bench.press(.press(2))
    #expect(bench.state == .emergencySent)
    #expect(bench.store.incidents.count == 2)
  }

  @Test func `R54: a press opens the next incident although nobody has resumed`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.perform(.disarm)
    bench.run(for: .seconds(1))
    bench.press(.press(2))
    #expect(bench.incident?.id == EventRecord.press(2).incident)
    #expect(bench.state == .emergencySent)
    bench.perform(.disarm)
    bench.perform(.resume)
    bench.restart()
    #expect(bench.state == .noEmergency, "the first incident does not come back")
  }

  @Test func `R14, G5: with nobody to tell, FAILED is shown at once`() {
    var bench = CoreBench(.sample(contacts: 0))
    bench.press(.press(1))
    #expect(bench.state == .emergencySendingFailed)
    #expect(bench.indication?.state == .failed)
    #expect(bench.indication?.sounder == true)
    #expect(bench.isAcked(.press(1)))
    #expect(bench.core.status(at: bench.now).contacts == 0)
  }

  @Test func `R55: fixes of an open incident are its track, one each 5 seconds, 30 minutes long`() {
    var bench = CoreBench()
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.position(line, .good(1)))
    #expect(bench.store.track.isEmpty)
    bench.press(.press(1))
    bench.otherSinks = .acceptsAtOnce
    for second in 0..<2_400 {
      if second == 1_500 { bench.press(.press(2)) }
      bench.hand(.position(line, .good(Int32(second))))
      bench.run(for: .seconds(1))
    }
    #expect(bench.store.track.count == Limits.incidentTrack)
    #expect(bench.store.track.map(\.position.latitude).prefix(3) == [0, 5, 10])
    #expect(bench.incident?.fixes == 480)
    #expect(bench.incident?.lastPosition?.latitude == 2_395)
  }
}
