import Emulator
import FobBase
import Judge
import Testing
import WireProtocol

@testable import Simulation

@Suite struct TimelineTests {
  private func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }

  private func lines(
    _ observations: [(Int64, Observation)], acts: [(Int64, FaultAction)] = [],
    violations: [Violation] = []
  ) -> [String] {
    var schedule = Schedule(quiet: Setting(), seed: 4_711)
    schedule.acts = acts.enumerated().map { index, act in
      ScheduledAction(at: at(act.0), action: act.1, seed: 0, number: index * 3)
    }
    let outcome = Outcome(
      of: schedule, violations: violations,
      journal: observations.map { TimedObservation(at: at($0.0), what: $0.1) })
    return WorldTimeline(outcome).last(1_000)
  }

  @Test func `what was done stands among what was seen, and the judge has the last word`() {
    let lines = lines(
      [
        (12_000_100, .contact(keychain: 0, closed: true)),
        (12_345_678, .stopped(host: 1)),
      ],
      acts: [
        (12_000_000, .press(keychain: 0, hold: .milliseconds(120))),
        (12_300_000, .kill(host: 1, afterEffects: 1, for: .microseconds(1_500))),
        (99_000_000, .reset(keychain: 2)),
      ], violations: [Violation(.pressLost, at: at(13_000_000), "press 1.2 is nowhere")])
    #expect(
      lines == [
        "    12.000000 s  act 0        keychain 1: the button is pressed for 120 ms",
        "    12.000100 s  finger 1     contact closes",
        "    12.300000 s  act 3        host 2: its process is killed after 1 more effect or 0.2 s,"
          + " and is away for 1.5 ms",
        "    12.345678 s  host 2       its process has ended",
        "    13.000000 s  JUDGE        pressLost: press 1.2 is nowhere",
      ])
  }

  @Test func `of a contact that bounces, where it comes to rest is enough`() {
    let lines = lines([
      (1_000, .contact(keychain: 0, closed: true)), (2_000, .contact(keychain: 0, closed: false)),
      (2_500, .contact(keychain: 1, closed: true)), (3_000, .contact(keychain: 0, closed: true)),
      (90_000, .contact(keychain: 0, closed: false)),
    ])
    #expect(
      lines == [
        "     0.002500 s  finger 2     contact closes",
        "     0.003000 s  finger 1     contact closes",
        "     0.090000 s  finger 1     contact opens",
      ])
  }

  @Test func `incidents are numbered as they appear, and people are named from 1`() {
    let message = Message(
      contact: 1, incident: 0xFEED, aliases: [0xBEEF], kind: .closing, sequence: 3, key: "k")
    let lines = lines([
      (1, .moved(host: 0, incident: 0xBEEF, from: .noEmergency, to: .emergencySending)),
      (2, .moved(host: 0, incident: 0xFEED, from: .emergencySent, to: .emergencyEnded)),
      (3, .told(host: 0, message)),
      (4, .asked(host: 1, request: 7, .acknowledge(contact: 0))),
      (5, .answered(host: 1, request: 7, .emergencySent, isRefused: false, isDurable: false)),
    ])
    #expect(
      lines.map { $0.split(separator: " s  ")[1] } == [
        "host 1       incident 1: NO_EMERGENCY → EMERGENCY_SENDING",
        "host 1       incident 2: EMERGENCY_SENT → EMERGENCY_ENDED",
        "contact 2    is told: message 3 (closing) of incident 2, which closes incident 1 too",
        "person       asks host 2: acknowledge, contact 1 (request 7)",
        "host 2       answers request 7: done, EMERGENCY_SENT, not durable",
      ])
  }

  @Test func `the lines of real worlds are short words, in the order of time`() {
    for seed in 1...40 as ClosedRange<UInt64> {
      let outcome = Schedule(seed: seed).play(keepingJournal: true)
      let lines = outcome.schedule.words + WorldTimeline(outcome).last(.max)
      #expect(lines.count > 10)
      // A value that nobody has words for shows as its type's name and a parenthesis.
      for line in lines where line.contains(#/[A-Za-z]\(|Optional|\w+\.[a-z]+[A-Z]/#) {
        Issue.record("no words: \(line)")
      }
      let times = lines.compactMap { line in
        line.hasSuffix("before") ? nil : line.firstMatch(of: #/^ *([0-9.]+) s {2}/#)?.1
      }
      #expect(times.count > 10)
    }
  }

  @Test func `no more lines are shown than were asked for, and it is said`() {
    let outcome = Schedule(seed: 1).play(keepingJournal: true)
    let all = WorldTimeline(outcome).last(.max)
    let few = WorldTimeline(outcome).last(5)
    #expect(few.dropFirst() == all.suffix(5))
    #expect(few[0] == "  … \(all.count - 5) lines before")
  }
}
