import Testing
import WireProtocol

@testable import Conformance

/// A firmware that is wrong on purpose, and the cases that must find it out.
struct Mutant: Sendable, CustomTestStringConvertible {
  let name: String
  let caughtBy: [String]
  let make: @Sendable () -> any Tampering

  init(
    _ name: String, caughtBy: String..., make: @escaping @Sendable () -> any Tampering
  ) {
    self.name = name
    self.caughtBy = caughtBy
    self.make = make
  }

  var testDescription: String { name }

  static let all: [Mutant] =
    reliability + boots + button + led + time + protocols + readings + seal

  private static let reliability = [
    Mutant(
      "acks are lost: an event is kept though it was acked",
      caughtBy: "reliability/ack-forgets", "reliability/ack-lost"
    ) { DeafToAcks() },
    Mutant(
      "an event is forgotten without an ack", caughtBy: "reliability/ack-lost",
      "reliability/resend-doubles", "reliability/replay"
    ) { SendsOnce() },
    Mutant("any ack will do", caughtBy: "reliability/ack-wrong-identity") { TrustsAnyAck() },
    Mutant("resending stops after a while", caughtBy: "reliability/resend-for-ever") { GivesUp() },
    Mutant("a resend has another stamp", caughtBy: "reliability/resent-same") { RestampsResends() },
    Mutant("a resend is not marked", caughtBy: "reliability/resent-same") { HidesResends() },
    Mutant("HELLO makes nothing due", caughtBy: "reliability/hello-resends") { SlowAfterHello() },
    Mutant("there is no window", caughtBy: "reliability/window") { NoWindow() },
    Mutant("a new press waits for others", caughtBy: "reliability/new-press-first") {
      QueuesNewPresses()
    },
    Mutant("a full ring drops its oldest press", caughtBy: "reliability/full-ring") {
      DropsOldestPress()
    },
  ]

  private static let boots = [
    Mutant("numbers come again after a reset", caughtBy: "reliability/numbers") { ForgetsBoots() },
    Mutant("the boot nonce is repeated", caughtBy: "reliability/numbers", "time/after-reset") {
      RepeatsNonce()
    },
    Mutant("a reset loses what is stored", caughtBy: "reliability/replay") { ForgetsAtReset() },
    Mutant("a replay is not marked", caughtBy: "reliability/replay") { HidesReplays() },
    Mutant("a boot says no HELLO", caughtBy: "protocol/boot-hello") { NoBootHello() },
  ]

  private static let button = [
    Mutant("there is no debounce", caughtBy: "button/bounce", "button/short") { NoDebounce() },
    Mutant("a button held at boot is not reported", caughtBy: "button/held-at-reset") {
      BlindAtBoot()
    },
    Mutant("a button stuck at power-on is a press", caughtBy: "button/held-at-power-on") {
      TrustsPowerOn()
    },
  ]

  private static let led = [
    Mutant("accepted is shown without a lease", caughtBy: "led/lease-ends", "led/never-by-itself") {
      ClaimsAccepted()
    },
    Mutant("a lease is ignored", caughtBy: "led/lease-ends") { IgnoresLease() },
    Mutant("another session is obeyed", caughtBy: "led/other-session") { ObeysAnySession() },
    Mutant("a lease silences the sounder", caughtBy: "led/sounder-stays") { SilencedByLease() },
    Mutant("a press is not shown", caughtBy: "led/press-is-sending") { CalmAtPress() },
    Mutant("LED_SET is always obeyed", caughtBy: "led/led-set-open", "led/led-set-press") {
      AlwaysABench()
    },
    Mutant(
      "LED_SET is ignored without an answer", caughtBy: "led/led-set-open", "led/led-set-press"
    ) { SilentAboutLEDSet() },
    Mutant("LED_SET takes the device's own states", caughtBy: "led/led-set-states") {
      TakesOwnStates()
    },
    Mutant("a lease of 0 is one for ever", caughtBy: "led/lease-zero") { LeaseForEver() },
    Mutant("revisions wrap", caughtBy: "led/last-revision") { WrapsRevisions() },
    Mutant("the number of due is lost", caughtBy: "led/due") { LosesDueNumber() },
    Mutant("due is claimed without a lease", caughtBy: "led/due-lease") { ClaimsDue() },
    Mutant("the light is slow", caughtBy: "led/light-urgent") { SlowLight() },
  ]

  private static let time = [
    Mutant("t3 is before t2", caughtBy: "time/stamps-ascend") { BackwardStamps() },
    Mutant("the clock wanders", caughtBy: "time/offset-stable") { WanderingClock() },
  ]

  private static let protocols = [
    Mutant("the CRC is not looked at", caughtBy: "protocol/wrong-crc", "protocol/bit-errors") {
      BelievesAnyCRC()
    },
    Mutant("echo is answered", caughtBy: "protocol/own-echo") { AnswersEcho() },
    Mutant("a flood is rejected frame by frame", caughtBy: "protocol/reject-flood") {
      RejectsForEver()
    },
    Mutant("session 0 is one like any other", caughtBy: "protocol/hello-zero") {
      TakesSessionZero()
    },
    Mutant("max_frame is obeyed", caughtBy: "protocol/max-frame") { ObeysMaxFrame() },
    Mutant("the session is looked at before the value", caughtBy: "protocol/bad-value") {
      LooksAtSessionFirst()
    },
    Mutant("trace numbers are compared by sign", caughtBy: "protocol/trace-elsewhere") {
      SignedTrace()
    },
    Mutant("a heartbeat is missing", caughtBy: "protocol/heartbeat") { SkipsHeartbeats() },
  ]

  private static let readings = [
    Mutant("no battery is ever low", caughtBy: "battery/low", "battery/thresholds") {
      ProudGauge()
    },
    Mutant("it has no battery, and tells a level", caughtBy: "battery/present-or-not") {
      Claims(Hello.hasNoBattery)
    },
    Mutant("it has no GPS receiver, and tells a fix", caughtBy: "gps/present-or-not") {
      Claims(Hello.hasNoGPS)
    },
    Mutant("the gauge has no hysteresis", caughtBy: "battery/thresholds") { NervousGauge() },
    Mutant("any sentence is believed", caughtBy: "gps/checksum") { BelievesAnySentence() },
    Mutant("a fix never grows old", caughtBy: "gps/in-a-press") { AgelessFix() },
  ]
}
