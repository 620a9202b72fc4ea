/// What `fob bench load` has found: what its JSON holds.
public struct LoadReport: Codable, Equatable, Sendable {
  /// As `--on` says it.
  public var on: String
  /// Of the p99 of press to decided, ms.
  public var limit: Double
  /// Presses a second of all keychains.
  public var rate: Double
  /// The most keychains that were carried, and the least that were not; nil where there was none.
  public var carried: Int?
  public var refused: Int?
  public var steps: [LoadStep] = []

  public init(on: String, limit: Double, rate: Double) {
    self.on = on
    self.limit = limit
    self.rate = rate
  }

  public var summary: String {
    let most = carried.map { "\(on) carries \($0) keychains" } ?? "\(on) carries none of these"
    guard let refused, let step = steps.last(where: { $0.keychains == refused }) else {
      return "\(most) with a p99 within \(limit) ms"
    }
    return "\(most) with a p99 within \(limit) ms, not \(refused): \(reason(step))"
  }

  private func reason(_ step: LoadStep) -> String {
    if let refusal = step.refusal { return refusal }
    if step.lost + step.doubled > 0 { return "presses were lost or doubled" }
    guard let scarcest = ResourceUse.scarcest(step.uses) else { return "it is too late" }
    let share = Int((scarcest.share * 100).rounded())
    return "nearest to its limit is \(scarcest.resource.rawValue), \(share) %"
  }
}
