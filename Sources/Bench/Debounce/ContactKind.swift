import FobBase

/// What a finger or the world does to a contact. How long contacts bounce is of `MeasuredSwitch`;
/// the times of fingers and disturbances stand here.
public enum ContactKind: String, CaseIterable, Encodable, Sendable {
  case plain, short, twice, slow, trembling, worn, quick
  case shock, chatter, rattle, vibration, burst

  /// How many presses a person would call it.
  public var presses: Int {
    switch self {
    case .plain, .short, .slow, .trembling, .worn, .quick: 1
    case .twice: 2
    case .shock, .chatter, .rattle, .vibration, .burst: 0
    }
  }

  /// In a line of a table.
  public var meaning: String {
    switch self {
    case .plain: "60 to 400 ms"
    case .short: "10 to 60 ms"
    case .twice: "two presses, 30 to 150 ms apart"
    case .slow: "closes within 10 to 60 ms"
    case .trembling: "0.5 to 2 s, opens at 4 to 12 Hz"
    case .worn: "0.1 to 1 s, bounces up to 157 ms"
    case .quick: "20 to 100 ms on a worn switch"
    case .shock: "closed for up to 11 ms"
    case .chatter: "10 to 40 ms after a jolt"
    case .rattle: "3 to 12 knocks of 0.5 to 8 ms"
    case .vibration: "1 s at 10 to 55 Hz"
    case .burst: "fast transients at 5 or 100 kHz"
    }
  }

  /// Draws one.
  func draw(_ generator: inout WaveformGenerator) -> ContactWaveform {
    let isWorn = self == .worn || self == .quick
    let contact = generator.one(of: isWorn ? MeasuredSwitch.worn : MeasuredSwitch.sound)
    switch self {
    case .plain: generator.press(contact, for: generator.time(60_000...400_000))
    case .short: generator.press(contact, for: generator.time(10_000...60_000))
    case .twice:
      for _ in 0..<2 {
        generator.press(contact, for: generator.time(60_000...200_000))
        generator.hold(closed: false, for: generator.time(30_000...150_000))
      }
    case .slow: drawSlow(&generator, contact)
    case .trembling: drawTrembling(&generator, contact)
    case .worn: drawWorn(&generator, contact)
    case .quick: generator.press(contact, for: generator.time(20_000...100_000))
    case .shock:
      // IEC 60068-2-27: half sines of 6 and 11 ms.
      let pulse: Int64 = generator.count(0...1) == 0 ? 6_000 : 11_000
      generator.hold(closed: true, for: generator.time(100...pulse))
    case .chatter: drawChatter(&generator)
    case .rattle:
      for _ in 0..<generator.count(3...12) {
        generator.hold(closed: true, for: generator.time(500...8_000), bounce: contact.closing)
        generator.hold(closed: false, for: generator.time(10_000...100_000))
      }
    case .vibration: drawVibration(&generator)
    case .burst: drawBurst(&generator)
    }
    return generator.take()
  }

  private func drawSlow(_ generator: inout WaveformGenerator, _ contact: MeasuredSwitch) {
    generator.settle(closed: true, within: generator.time(10_000...60_000))
    generator.hold(closed: true, for: generator.time(60_000...800_000))
    generator.settle(closed: false, within: generator.time(10_000...60_000))
  }

  /// A tremor at rest has 4 to 6 Hz, that of an outstretched hand 8 to 12 Hz. In each period the
  /// contact opens for up to 40 ms, with some hands for much less.
  private func drawTrembling(_ generator: inout WaveformGenerator, _ contact: MeasuredSwitch) {
    let period = generator.time(83_000...250_000)
    let longest = generator.time(1_000...40_000).microseconds
    for _ in 0..<generator.time(500_000...2_000_000).microseconds / period.microseconds {
      let gap = generator.time(500...longest)
      generator.hold(closed: true, for: period - gap, bounce: contact.closing)
      generator.hold(closed: false, for: gap, bounce: contact.opening)
    }
  }

  /// The chatter of a tired spring, as the emulator's button has it, after a long bounce.
  private func drawWorn(_ generator: inout WaveformGenerator, _ contact: MeasuredSwitch) {
    let end = generator.time(100_000...1_000_000).microseconds
    generator.hold(closed: true, for: .milliseconds(50), bounce: contact.closing)
    var at: Int64 = 50_000
    while at < end {
      let closed = generator.time(2_000...30_000)
      let gap = generator.time(100...min(5_000, closed.microseconds / 2))
      generator.hold(closed: false, for: gap)
      generator.hold(closed: true, for: closed)
      at += (closed + gap).microseconds
    }
    generator.release(contact)
  }

  /// As often closed as open, as after a fall.
  private func drawChatter(_ generator: inout WaveformGenerator) {
    var left = generator.time(10_000...40_000)
    while left > .zero {
      for closed in [true, false] {
        let span = min(left, generator.time(100...6_000))
        generator.hold(closed: closed, for: span)
        left = left - span
      }
    }
  }

  /// Within 10 to 55 Hz, as the data sheets of the switches have it, the contact closes for up to a
  /// quarter of the period, and for 10 ms at most.
  private func drawVibration(_ generator: inout WaveformGenerator) {
    let period = generator.time(18_182...100_000).microseconds
    for _ in 0..<1_000_000 / period {
      let closed = generator.time(100...min(10_000, period / 4))
      generator.hold(closed: true, for: closed)
      generator.hold(closed: false, for: .microseconds(period) - closed)
    }
  }

  /// IEC 61000-4-4: 75 pulses at 5 or 100 kHz, each 300 ms. The input makes 1 to 4 µs of each pulse
  /// of 50 ns, and up to 80 µs where a filter stretches it.
  private func drawBurst(_ generator: inout WaveformGenerator) {
    let isFast = generator.count(0...1) == 0
    let period: Int64 = isFast ? 10 : 200
    for _ in 0..<3 {
      for _ in 0..<75 {
        let closed = generator.time(1...(isFast ? 4 : 80))
        generator.hold(closed: true, for: closed)
        generator.hold(closed: false, for: .microseconds(period) - closed)
      }
      generator.hold(closed: false, for: .milliseconds(300) - .microseconds(75 * period))
    }
  }
}
