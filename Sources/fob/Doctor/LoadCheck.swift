/// Processors, and how busy they are.
struct LoadCheck: BenchCheck {
  let processors: Int
  /// Of the last minute, in hundredths; nil: unknown.
  let load: Int?

  init(_ bench: BenchRoot) {
    processors = (bench.text("/proc/cpuinfo") ?? "").split(whereSeparator: \.isNewline)
      .count { $0.hasPrefix("processor") }
    load = bench.text("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) }
      .map { Int(($0 * 100).rounded()) }
  }

  var findings: [Finding] {
    let count = "\(max(1, processors)) processor\(processors > 1 ? "s" : "")"
    guard let load else { return [.ok("load", count)] }
    let hundredths = load % 100
    let words = "\(count), load \(load / 100).\(hundredths < 10 ? "0" : "")\(hundredths)"
    // More wish to run than can, by half.
    return [
      2 * load > 3 * 100 * max(1, processors)
        ? .warning(
          "load", "\(words): times measured now are those of a busy machine",
          "end what runs beside the bench")
        : .ok("load", words)
    ]
  }
}
