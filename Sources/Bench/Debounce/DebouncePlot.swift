/// Misses, doubles and false alarms over the debounce time, a curve for each rule: a file of SVG
/// that needs nothing else.
public struct DebouncePlot {
  private let report: DebounceReport

  public init(_ report: DebounceReport) { self.report = report }

  private static let (width, height) = (920.0, 720.0)
  private static let (left, right, top, panel, gap) = (70.0, 110.0, 34.0, 180.0, 48.0)

  private struct Panel {
    let title: String
    let figure: KeyPath<DebounceOutcome, Int>
    /// Of how many contacts.
    let contacts: Int
  }

  private var panels: [Panel] {
    let made = report.count * ContactKind.allCases.count { $0.presses > 0 }
    let disturbances = report.count * ContactKind.allCases.count { $0.presses == 0 }
    return [
      Panel(title: "Presses that are missed, %", figure: \.missed, contacts: made),
      Panel(title: "Presses that are doubled, %", figure: \.doubled, contacts: made),
      Panel(
        title: "Disturbances that are presses, %", figure: \.falseAlarms, contacts: disturbances),
    ]
  }

  /// The file.
  public var markup: String {
    let parts = panels.enumerated().flatMap { draw($1, at: Double($0)) }
    return Markup.drawing(
      width: Self.width, height: Self.height,
      label: "Missed and doubled presses and false alarms by debounce time, for "
        + DebounceBench.Rule.allCases.map(\.rawValue).joined(separator: ", "),
      [Markup.element("style", Self.style)] + parts) + "\n"
  }

  private func draw(_ panel: Panel, at index: Double) -> [String] {
    let top = Self.top + index * (Self.panel + Self.gap)
    let curves = DebounceBench.Rule.allCases.map { rule in
      report.outcomes(of: rule).map { outcome in
        (time: outcome.time, share: 100 * share(outcome[keyPath: panel.figure], of: panel))
      }
    }
    let most = max(1, curves.joined().map(\.share).max() ?? 1)
    func y(_ share: Double) -> Double { top + Self.panel * (1 - share / most) }
    var parts = [text(panel.title, Self.left, top - 10, "name", "start")]
    parts += PageScale.steps(upTo: most, about: 4).flatMap { step in
      [
        line(Self.left, y(step), Self.width - Self.right, y(step), "grid"),
        text(
          FigureText.plain(step, digits: step < 1 && step > 0 ? 1 : 0), Self.left - 8, y(step) + 4,
          "tick", "end"),
      ]
    }
    parts += [1, 10, 20, 30, 40, 50].map {
      text("\($0)", x($0), top + Self.panel + 16, "tick", "middle")
    }
    let standard = x(DebounceBench.standard.time)
    parts.append(line(standard, top, standard, top + Self.panel, "standard"))
    for (index, curve) in curves.enumerated() where !curve.isEmpty {
      let points = curve.map { "\(Markup.at(x($0.time))),\(Markup.at(y($0.share)))" }
      parts.append(
        Markup.empty("polyline", ["class": "c\(index)", "points": points.joined(separator: " ")]))
    }
    return parts + keys(top)
  }

  private func keys(_ top: Double) -> [String] {
    DebounceBench.Rule.allCases.enumerated().map { index, rule in
      text(
        rule.rawValue, Self.width - Self.right + 14, top + 14 + 18 * Double(index), "k\(index)",
        "start")
    } + [
      text("ms", Self.width - Self.right + 14, top + Self.panel + 16, "tick", "start")
    ]
  }

  private func share(_ number: Int, of panel: Panel) -> Double {
    panel.contacts > 0 ? Double(number) / Double(panel.contacts) : 0
  }

  private func x(_ time: Int) -> Double {
    let (first, last) = (DebounceBench.times.lowerBound, DebounceBench.times.upperBound)
    return Self.left + (Self.width - Self.left - Self.right) * Double(time - first)
      / Double(last - first)
  }

  private func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String
  ) -> String {
    Markup.empty(
      "line",
      [
        "class": kind, "x1": Markup.at(x1), "y1": Markup.at(y1), "x2": Markup.at(x2),
        "y2": Markup.at(y2),
      ])
  }

  private func text(
    _ words: String, _ x: Double, _ y: Double, _ kind: String, _ anchor: String
  ) -> String {
    Markup.text(
      "text", words,
      ["class": kind, "x": Markup.at(x), "y": Markup.at(y), "text-anchor": anchor])
  }

  private static let style = """
    svg { background: #fbfaf8; font: 12px system-ui, "DejaVu Sans", sans-serif; }
    text { fill: #1c2024; } .name, .k0, .k1, .k2 { font-weight: 600; } .tick { fill: #60656c; }
    .grid { stroke: #e3e1dc; } .standard { stroke: #60656c; stroke-dasharray: 4 4; }
    polyline { fill: none; stroke-width: 2.2; }
    .c0 { stroke: #2a6fbb; } .c1 { stroke: #c2366b; } .c2 { stroke: #b0731a; }
    .k0 { fill: #2a6fbb; } .k1 { fill: #c2366b; } .k2 { fill: #b0731a; }
    """
}
