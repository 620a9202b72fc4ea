import Foundation

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
