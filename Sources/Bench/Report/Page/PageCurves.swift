import Foundation

/// Durations by percentile, with a curve for each sum and one for the floor. Upwards are µs, on a
/// logarithmic scale; to the right each step adds a nine. A curve ends where fewer than three
/// presses are beyond.
struct PageCurves {
  let result: BenchResult
  let old: BenchResult?

  private static let (width, height) = (920.0, 420.0)
  private static let (left, right, top, bottom) = (70.0, 150.0, 14.0, 36.0)

  struct Curve {
    let name: String
    let kind: String
    let distribution: Distribution
  }

  static func curves(_ result: BenchResult) -> [Curve] {
    let samples = result.blocks.flatMap(\.samples)
    var curves = LatencyStage.sums.enumerated().map { index, sum in
      Curve(
        name: sum.name, kind: "c\(index)",
        distribution: Distribution.corrected(sum, of: samples, rate: result.rate)
          ?? Distribution(microseconds: samples.compactMap { $0.duration(of: sum) }))
    }
    curves.append(
      Curve(
        name: "floor: pty", kind: "cfloor",
        distribution: Distribution(tenths: result.blocks.flatMap(\.floor))))
    return curves.filter { $0.distribution.count >= 6 }
  }

  var markup: String {
    let curves = Self.curves(result)
    let earlier = old.map(Self.curves) ?? []
    guard !curves.isEmpty else { return Markup.text("p", "Too few presses for a curve.") }
    let points = (curves + earlier).map(Self.points)
    let values = points.flatMap { $0.map(\.microseconds) }
    let decades = PageScale.decades(
      from: values.min() ?? 1, to: values.max() ?? 1)
    let nines = max(1, points.compactMap { $0.last?.nines }.max() ?? 1)
    let frame = Frame(
      low: log10(decades[0]), high: log10(decades[decades.count - 1]), nines: nines)
    var parts = grid(decades, frame)
    for (curve, points) in zip(earlier, points[curves.count...]) {
      parts.append(path(points, "curve old \(curve.kind)", frame))
    }
    for (curve, points) in zip(curves, points) {
      parts.append(path(points, "curve \(curve.kind)", frame))
    }
    parts += labels(zip(curves, points).map { ($0, $1[$1.count - 1]) }, frame)
    return Markup.drawing(
      width: Self.width, height: Self.height,
      label: "Percentiles of "
        + curves.map {
          "\($0.name): median \(FigureText.duration(Double($0.distribution.value(at: 50)) / 1_000))"
        }.joined(separator: ", "), parts)
  }

  private struct Point {
    let nines: Double
    let microseconds: Double
  }

  private struct Frame {
    let low: Double
    let high: Double
    let nines: Double

    func x(_ value: Double) -> Double { left + (width - left - right) * value / nines }

    func y(_ microseconds: Double) -> Double {
      let share = (log10(max(microseconds, 0.1)) - low) / (high - low)
      return height - bottom - (height - top - bottom) * min(1, max(0, share))
    }
  }

  private static func points(_ curve: Curve) -> [Point] {
    let most = log10(Double(curve.distribution.count) / 3)
    return stride(from: 0.0, through: 1, by: 1 / 96).map { share in
      let nines = most * share
      let percentile = 100 - 100 / pow(10, nines)
      return Point(
        nines: nines,
        microseconds: Double(curve.distribution.value(at: max(0.001, percentile))) / 1_000)
    }
  }

  private func path(_ points: [Point], _ kind: String, _ frame: Frame) -> String {
    let corners = points.map {
      "\(Markup.at(frame.x($0.nines))),\(Markup.at(frame.y($0.microseconds)))"
    }
    return Markup.empty("polyline", ["class": kind, "points": corners.joined(separator: " ")])
  }

  /// Names at the ends of the curves, moved apart where they would overlap.
  private func labels(_ ends: [(curve: Curve, point: Point)], _ frame: Frame) -> [String] {
    var last = -Double.infinity
    return ends.sorted { frame.y($0.point.microseconds) < frame.y($1.point.microseconds) }
      .map { end in
        last = max(last + 15, frame.y(end.point.microseconds) + 4)
        return Markup.text(
          "text", end.curve.name,
          [
            "class": "key \(end.curve.kind)", "x": Markup.at(Self.width - Self.right + 12),
            "y": Markup.at(last),
          ])
      }
  }

  private func grid(_ decades: [Double], _ frame: Frame) -> [String] {
    let (from, to) = (Markup.at(Self.left), Markup.at(Self.width - Self.right))
    let ground = Self.height - Self.bottom
    var parts = decades.flatMap { decade -> [String] in
      let y = Markup.at(frame.y(decade))
      return [
        Markup.empty("line", ["class": "grid", "x1": from, "x2": to, "y1": y, "y2": y]),
        Markup.text(
          "text", FigureText.duration(decade).replacing(".0 ", with: " "),
          [
            "class": "tick", "x": Markup.at(Self.left - 8), "y": Markup.at(frame.y(decade) + 4),
            "text-anchor": "end",
          ]),
      ]
    }
    let percentiles: [(Double, String)] = [
      (0, "0"), (log10(2), "50"), (1, "90"), (2, "99"), (3, "99.9"), (4, "99.99"), (5, "99.999"),
    ]
    for (nines, name) in percentiles where nines <= frame.nines + 1e-9 {
      let x = Markup.at(frame.x(nines))
      parts.append(
        Markup.empty(
          "line",
          ["class": "grid", "x1": x, "x2": x, "y1": Markup.at(Self.top), "y2": Markup.at(ground)]))
      parts.append(
        Markup.text(
          "text", "\(name) %",
          ["class": "tick", "x": x, "y": Markup.at(ground + 18), "text-anchor": "middle"]))
    }
    return parts
  }
}

/// Round numbers for an axis.
enum PageScale {
  /// Zero and multiples of 1, 2 or 5 times a power of ten, some `count` of them.
  static func steps(upTo end: Double, about count: Int) -> [Double] {
    let rough = max(end, 1e-6) / Double(count)
    let power = pow(10, log10(rough).rounded(.down))
    let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? rough
    return Array(stride(from: 0, through: end, by: step))
  }

  /// Powers of ten from the one below to the one above.
  static func decades(from low: Double, to high: Double) -> [Double] {
    let first = log10(max(low, 0.1)).rounded(.down)
    let last = max(log10(max(high, 0.1)).rounded(.up), first + 1)
    return stride(from: first, through: last, by: 1).map { pow(10, $0) }
  }
}
