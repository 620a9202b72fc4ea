package import FobBase
import WireProtocol

/// Runs cases one after another on one rig.
package struct ConformanceRun {
  private let rig: any Rig
  private let seed: UInt64

  /// How many REJECTs may have been used up before a case: it needs at most ten, unless it waits by
  /// itself.
  private static let spareRejects = Int(Limits.rejectsPerSecond) - 10

  /// - Parameter seed: gives each case its own, by the case's id.
  package init(on rig: any Rig, seed: UInt64) {
    self.rig = rig
    self.seed = seed
  }

  /// - Parameters:
  ///   - isStopped: asked before each case.
  ///   - tell: called with each outcome as it is known.
  /// - Returns: one outcome for each of `cases`, in their order.
  package func run(
    _ cases: [ConformanceCase], isStopped: () -> Bool = { false },
    _ tell: (CaseOutcome) -> Void = { _ in }
  ) -> [CaseOutcome] {
    var outcomes: [CaseOutcome] = []
    var end: String?
    var rejects = 0
    for tested in cases {
      if end == nil, isStopped() { end = "the run was stopped" }
      let outcome: CaseOutcome
      if let end {
        outcome = CaseOutcome(
          tested: tested, verdict: .notRun(end), steps: [], took: .zero, packets: [])
      } else {
        outcome = run(tested, &rejects)
        if outcome.isSilent { end = "the device is silent: see \(tested.id)" }
      }
      outcomes.append(outcome)
      tell(outcome)
    }
    return outcomes
  }

  /// What a keychain in use says before anything is done to it.
  package struct Greeting: Sendable {
    /// It is paired: it believes its own core alone, and can do nothing that a case asks.
    package var isPaired = false
    /// A press that it still keeps for its core: a run would ack it, and the core would never learn
    /// of it. Those of bench keychains do not count, as they page nobody.
    package var pressAtRisk: EventNumber?
  }

  /// Says HELLO, and acks nothing.
  package func greeting() throws -> Greeting {
    rig.begin(seed: seed)
    let talk = Conversation(rig, seed: seed)
    talk.acks = { _ in false }
    guard try talk.open() else { return Greeting() }
    try talk.wait(.milliseconds(300) + rig.slack)
    let press = talk.heard.compactMap { $0.read(EventRecord.self)?.identity }
      .first { $0.kind == .pressed && !$0.deviceID.isBench }
    return Greeting(isPaired: talk.isDevicePaired, pressAtRisk: press?.number)
  }

  /// - Parameter rejects: how many REJECTs the device may have sent in the last second; it sends at
  ///   most 16.
  private func run(_ tested: ConformanceCase, _ rejects: inout Int) -> CaseOutcome {
    for ability in tested.needs {
      guard let obstacle = rig.obstacle(to: ability) else { continue }
      return CaseOutcome(
        tested: tested, verdict: .notTested(obstacle), steps: [], took: .zero, packets: [])
    }
    // By its own seed a case is the same, whichever ran before.
    let seed = seed ^ Self.hash(tested.id)
    rig.begin(seed: seed)
    let began = rig.now
    let talk = Conversation(rig, seed: seed)
    var verdict = CaseOutcome.Verdict.passed
    var isSilent = false
    do {
      try talk.greet()
      if !rig.isVirtual, rejects > Self.spareRejects {
        try talk.letDevicePass(.milliseconds(1_050))
        talk.beginsNow()
        rejects = 0
      }
      if let lack = talk.lack(for: tested) { throw Stop.untested(lack) }
      try tested.steps(talk)
    } catch let stop as Stop {
      switch stop {
      case .failed(let text): verdict = .failed(text)
      case .untested(let text): verdict = .notTested(text)
      case .silent(let text):
        verdict = .failed(text)
        isSilent = true
      }
    } catch {
      verdict = .failed("the rig failed, and not the device: \(error)")
    }
    let took = rig.now - began
    rejects += talk.heard.count { $0.isA(.reject) }
    talk.finish()
    if verdict != .passed { tidyUp(tested) }
    return CaseOutcome(
      tested: tested, verdict: verdict, steps: talk.steps, took: took, packets: talk.packets,
      isSilent: isSilent)
  }

  /// Mends what a case that ended early may have left: a finger on the button, or a tired spring.
  private func tidyUp(_ tested: ConformanceCase) {
    guard !rig.isVirtual else { return }
    let mending: [Actuation] = [
      .chatter(false), .open, .store(fails: false), .battery(percent: 87), .reset,
    ]
    for actuation in mending
    where tested.needs.contains(actuation.needs) && rig.obstacle(to: actuation.needs) == nil {
      try? rig.perform(actuation)
    }
  }

  /// FNV-1a, so that the same case has the same seed in every build.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
