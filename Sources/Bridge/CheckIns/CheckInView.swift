public import AlertCore

/// A row of the list of check-ins, as the API and the control socket show it. Times are µs since
/// 1970.
public struct CheckInView: Encodable, Sendable {
  private let series: Int
  private let key: OccurrenceKey
  private let description: String
  private let due: Int64
  private let answerableFrom: Int64
  private let escalates: Bool
  private let runsOut: Int64?
  private let device: String?
  private let phase: ListedCheckIn.Phase

  /// Holds what it shows.
  public init(_ listed: ListedCheckIn) {
    series = listed.id.series
    key = listed.id.key
    description = listed.description
    due = listed.due
    answerableFrom = listed.answerableFrom
    escalates = listed.escalates
    runsOut = listed.runsOut
    device = listed.device
    phase = listed.phase
  }
}
