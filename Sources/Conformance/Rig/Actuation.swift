package import FobBase

/// Something that is done to the device from outside of its line.
package enum Actuation: Hashable, Sendable {
  case close
  case open
  /// One clean contact of this length, exact to a millisecond or two.
  case touch(Interval)
  /// Edges of the contact, in order, each at its time from now on.
  case edges([ContactEdge])
  case chatter(Bool)
  case reset
  case powerCut(Interval)
  case brownOut(Interval)
  case battery(percent: UInt8)
  case gps([UInt8])
  case store(fails: Bool)
  case clock(Interval)

  /// One change of the contact.
  package struct ContactEdge: Hashable, Sendable {
    /// From the beginning of the actuation.
    package var after: Interval
    /// True where the contact closes, false where it opens.
    package var closed: Bool

    /// `after` counts from the beginning of the actuation, not from the edge before.
    package init(after: Interval, closed: Bool) {
      self.after = after
      self.closed = closed
    }
  }

  /// The ability of a rig without which this cannot be done.
  package var needs: Ability {
    switch self {
    case .close, .open: .button
    case .touch: .brief
    case .edges: .edges
    case .chatter: .chatter
    case .reset: .reset
    case .powerCut: .powerCut
    case .brownOut: .brownOut
    case .battery: .battery
    case .gps: .gps
    case .store: .store
    case .clock: .clock
    }
  }

  /// The words for a step of a case.
  package var words: String {
    switch self {
    case .close: "close the button"
    case .open: "open the button"
    case .touch(let hold): "close the button for \(hold.text)"
    case .edges(let edges):
      "move the contact \(edges.count) times in \(edges.last?.after.text ?? "0 ms")"
    case .chatter(let on): on ? "tire the button's spring" : "mend the button's spring"
    case .reset: "reset"
    case .powerCut(let pause): "cut the power for \(pause.text)"
    case .brownOut(let pause): "let the supply fall for \(pause.text)"
    case .battery(let percent): "set the battery to \(percent) %"
    case .gps(let bytes): "have the GPS receiver send \(bytes.count) bytes"
    case .store(let fails): fails ? "make the store fail" : "mend the store"
    case .clock(let jump): "move the device's clock by \(jump.text)"
    }
  }
}

extension Interval {
  /// As in `120 ms`, `0.2 ms` or `12 s`.
  package var text: String {
    switch microseconds {
    case let n where n != 0 && n % 1_000_000 == 0 && abs(n) >= 10_000_000: "\(n / 1_000_000) s"
    case let n where n % 1_000 == 0: "\(n / 1_000) ms"
    case let n: "\(Double(n / 100) / 10) ms"
    }
  }
}
