public import AlertCore
import FobBase

/// The owner's mail of the check-ins that wait for an answer, in the account's language (R100).
public struct CheckInMail: Equatable, Sendable {
  /// How many wait.
  public let subject: String
  /// Which wait, the oldest first, and how to answer.
  public let body: String

  /// More are only counted.
  static let listed = 10

  init(_ due: [CheckIn], account: Account, answersByClick: Bool, now: Timestamp) {
    let text = AlertText(account: account)
    let phrases = text.phrases
    let count = ["count": "\(due.count)"]
    subject = phrases[due.count == 1 ? .waitSubject : .waitsSubject, count]
    var lines = [phrases[due.count == 1 ? .wait : .waits, count]]
    for checkIn in due.prefix(Self.listed) {
      lines.append(
        phrases[
          checkIn.escalates && account.isProtecting ? .itemWithAlarm : .item,
          [
            "question": AlertText.quoted(checkIn.description),
            "time": text.time(checkIn.due, now), "end": text.time(checkIn.runsOut, now),
          ]])
    }
    if due.count > Self.listed {
      lines.append(phrases[.moreItems, ["count": "\(due.count - Self.listed)"]])
    }
    lines += ["", phrases[answersByClick ? .answerByClick : .answerByPage]]
    if !account.isProtecting, due.contains(where: \.escalates) {
      lines.append(phrases[.raisesNothing])
    }
    body = lines.joined(separator: "\n")
  }
}

/// Which check-ins the owner is mailed of, and when: all that wait in one mail, and at most one a
/// nag interval, however many fall due.
public struct CheckInMails: Sendable {
  private let answersByClick: Bool
  /// When the last mail was made, µs since 1970.
  private var last: Int64?

  /// - Parameter answersByClick: one click answers; else a press raises the alarm.
  public init(answersByClick: Bool) { self.answersByClick = answersByClick }

  /// The mail for a check-in that fell due or was asked again.
  /// - Returns: nil where the owner wants none, has no confirmed address, nothing is due any more,
  ///   or a mail of this interval has said it.
  public mutating func mail(
    of checkIns: CheckIns, account: Account, now: Timestamp
  ) -> CheckInMail? {
    guard checkIns.settings.mails, account.isActive, account.isEmailConfirmed else { return nil }
    let due = checkIns.open.filter { $0.due <= now.wall }
    guard !due.isEmpty else { return nil }
    if let last {
      // Repeats may come a little early by the wall clock; 6 s are a tenth of the least interval.
      let least = Int64(checkIns.settings.nagEvery) * 60_000_000 - 6_000_000
      let (since, overflow) = now.wall.subtractingReportingOverflow(last)
      guard overflow || !(0..<least).contains(since) else { return nil }
    }
    last = now.wall
    return CheckInMail(due, account: account, answersByClick: answersByClick, now: now)
  }
}
