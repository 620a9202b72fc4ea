import FobBase
import WireProtocol

/// The check-ins beside the alarm.
extension AlertCore {
  var checkInStatus: CheckInStatus {
    CheckInStatus(
      series: 0, inTime: 0, overdue: 0, next: nil, calledAt: nil, raisesNothing: false)
  }
}
