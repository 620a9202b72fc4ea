/// How far each press came from when it was due, counted in steps of a factor of two.
struct PagePacing {
  let result: BenchResult

  private static let (width, height) = (920.0, 190.0)
  private static let (left, bottom) = (10.0, 28.0)

  /// |first edge − due| of every press, µs.
  private var errors: [Int64] {
    result.blocks.flatMap(\.samples).compactMap { sample in
      guard let due = sample.due, let edge = sample.edge else { return nil }
      return abs(edge - due)
    }
  }

  var markup: String {
    let errors = errors
    guard let largest = errors.max() else {
      return Markup.text("p", "Pressed by hand: no press was due.")
    }
    // Up to 1, 2, 4, … µs.
    let count = max(4, 65 - max(largest - 1, 0).leadingZeroBitCount)
    var counts = [Int](repeating: 0, count: count)
    for error in errors { counts[64 - max(error - 1, 0).leadingZeroBitCount] += 1 }
    let step = (Self.width - 2 * Self.left) / Double(count)
    let ground = Self.height - Self.bottom
    let scale = (ground - 24) / Double(max(1, counts.max() ?? 1))
    var parts: [String] = []
    for (index, number) in counts.enumerated() {
      let (x, tall) = (Self.left + Double(index) * step, Double(number) * scale)
      parts.append(
        Markup.empty(
          "rect",
          [
            "class": "pace", "x": Markup.at(x + 2), "y": Markup.at(ground - tall),
            "width": Markup.at(step - 4), "height": Markup.at(tall), "rx": "2",
          ]))
      if number > 0 {
        parts.append(
          text(FigureText.grouped(number), x + step / 2, ground - tall - 6, "value"))
      }
      let end = Double(sign: .plus, exponent: index, significand: 1)
      parts.append(
        text(
          "≤ " + FigureText.duration(end).replacing(".0 ", with: " "), x + step / 2, ground + 18,
          "tick"))
    }
    return Markup.drawing(
      width: Self.width, height: Self.height,
      label: "How late or early the presses came, largest \(FigureText.grouped(largest)) µs", parts)
  }

  private func text(_ words: String, _ x: Double, _ y: Double, _ kind: String) -> String {
    Markup.text(
      "text", words,
      ["class": kind, "x": Markup.at(x), "y": Markup.at(y), "text-anchor": "middle"])
  }
}
