import FobBase

/// Rules that tell presses from bounce, measured on the same contacts: what each misses, doubles
/// and makes up.
public struct DebounceBench: Sendable {
  /// The rules that are compared.
  public enum Rule: String, CaseIterable, Encodable, Sendable {
    case integrator, early, restart

    /// A contact that has been open for long.
    func made(_ time: Interval) -> any DebounceRule {
      switch self {
      case .integrator: IntegratorRule(time: time)
      case .early: EarlyRule(time: time)
      case .restart: RestartRule(time: time)
      }
    }
  }

  /// Debounce times, ms.
  public static let times: ClosedRange<Int> = 1...50
  /// What the keychain does unless it is told otherwise.
  public static let standard = (rule: Rule.early, time: 20)

  /// Of each kind.
  public let count: Int
  private let contacts: [(kind: ContactKind, waveforms: [ContactWaveform])]

  /// Draws the contacts: the same ones for the same seed.
  /// - Parameter count: contacts of each kind, above zero.
  public init(seed: UInt64, count: Int) {
    self.count = count
    var seeds = SplitMix64(state: seed)
    contacts = ContactKind.allCases.map { kind in
      var generator = WaveformGenerator(random: SplitMix64(state: seeds.next()))
      return (kind, (0..<count).map { _ in kind.draw(&generator) })
    }
  }

  /// - Parameter time: ms, above zero.
  public func outcome(of rule: Rule, at time: Int) -> DebounceOutcome {
    let made = rule.made(.milliseconds(Int64(time)))
    var delays: [Int64] = []
    let kinds = contacts.map { kind, waveforms in
      var figures = DebounceOutcome.Figures(kind: kind)
      for waveform in waveforms {
        let settled = Self.presses(of: made, in: waveform)
        figures.count(settled.count)
        if kind.presses > 0, let first = settled.first { delays.append(first.microseconds) }
      }
      return figures
    }
    return DebounceOutcome(rule: rule, time: time, kinds: kinds, delays: delays)
  }

  /// When presses settle, since the first edge.
  static func presses(
    of rule: some DebounceRule, in waveform: ContactWaveform
  ) -> [Interval] {
    var rule = rule
    var settled: [Interval] = []
    var at = Interval.zero
    for (index, span) in waveform.spans.enumerated() {
      if let left = rule.hold(closed: index.isMultiple(of: 2), for: span) {
        settled.append(at + left)
      }
      at = at + span
    }
    return settled
  }
}

/// What a rule makes of all contacts with one debounce time.
public struct DebounceOutcome: Encodable, Equatable, Sendable {
  /// Of the contacts of one kind.
  public struct Figures: Encodable, Equatable, Sendable {
    public let kind: ContactKind
    /// Contacts that gave fewer presses than a person made.
    public private(set) var missed = 0
    /// Contacts of a person that gave more presses than were made.
    public private(set) var doubled = 0
    /// Contacts that nobody made and that gave a press.
    public private(set) var falseAlarms = 0

    init(kind: ContactKind) { self.kind = kind }

    mutating func count(_ presses: Int) {
      if presses < kind.presses { missed += 1 }
      guard presses > kind.presses else { return }
      if kind.presses > 0 { doubled += 1 } else { falseAlarms += 1 }
    }
  }

  public let rule: DebounceBench.Rule
  /// Debounce time, ms.
  public let time: Int
  public let kinds: [Figures]
  /// Of all kinds.
  public let missed: Int
  public let doubled: Int
  public let falseAlarms: Int
  /// From the first edge until the press settled, of presses that were made, µs; nil: none was
  /// found.
  public let median: Int64?
  public let p99: Int64?

  init(rule: DebounceBench.Rule, time: Int, kinds: [Figures], delays: [Int64]) {
    self.rule = rule
    self.time = time
    self.kinds = kinds
    missed = kinds.reduce(0) { $0 + $1.missed }
    doubled = kinds.reduce(0) { $0 + $1.doubled }
    falseAlarms = kinds.reduce(0) { $0 + $1.falseAlarms }
    let sorted = delays.sorted()
    median = sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    p99 = sorted.isEmpty ? nil : sorted[(sorted.count - 1) * 99 / 100]
  }

  /// Misses, doubles and makes up no more than the other, on the same contacts.
  public func isAsSafe(as other: DebounceOutcome) -> Bool {
    missed <= other.missed && doubled <= other.doubled && falseAlarms <= other.falseAlarms
  }
}
