/// What a device's frame told the host.
public enum DeviceReport: Sendable {
  /// The session is open: this device, this boot.
  case linked(Hello)
  case event(EventRecord)
  /// A press whose frozen 29 bytes are all that could be read: another major version, reserved
  /// bits, or a payload cut short. It still raises the alarm.
  case barePress(EventIdentity)
  case heartbeat(Heartbeat)
  case clock(TimeSync.Fit)
  case ledState(LEDState)
  case battery(BatteryReading)
  case position(PositionFix)
  case configResult(ConfigResult)
  /// A payload of variable length, to be read with `HostLink.withPayload` before the next call.
  case trace
  case log
  case firmwareInfo
  case nmeaRaw
  /// The device did not understand us.
  case rejected(Reject)
  /// To be answered with this REJECT; of many in a second the first are reported.
  case refused(Reject)
  /// Damage, or bytes of our own come back; `HostLink.noiseSummary` sums them up.
  case nothing
}
