/// As the API has it: the rule as `Recurrence.Rule` is written, `time` as in "09:00", days as in
/// "2026-11-25"; null for `end` or `device` takes it away. Ranges are the core's to check.
extension CheckInDraft: Decodable {
  private enum CodingKeys: String, CodingKey {
    case description, rule, time, start, end, lead, escalates, limit, device
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    let members = try decoder.container(keyedBy: CodingKeys.self)
    description = try members.decodeIfPresent(String.self, forKey: .description)
    rule = try members.decodeIfPresent(Recurrence.Rule.self, forKey: .rule)
    if let time = try members.decodeIfPresent(String.self, forKey: .time) {
      guard let minute = LocalTime.minute(time) else {
        throw DecodingError.dataCorruptedError(
          forKey: .time, in: members, debugDescription: "no time of the day: \(time)")
      }
      self.minute = minute
    }
    start = try members.decodeIfPresent(CivilDate.self, forKey: .start)
    if members.contains(.end) {
      end = .some(try members.decodeIfPresent(CivilDate.self, forKey: .end))
    }
    lead = try members.decodeIfPresent(Int.self, forKey: .lead)
    escalates = try members.decodeIfPresent(Bool.self, forKey: .escalates)
    limit = try members.decodeIfPresent(Int.self, forKey: .limit)
    if members.contains(.device) {
      device = .some(try members.decodeIfPresent(String.self, forKey: .device))
    }
  }
}
