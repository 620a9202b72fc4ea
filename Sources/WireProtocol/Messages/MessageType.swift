/// The types of protocol version 1 (`firmware-protocol/messages.json`). Types below 80 must be
/// understood or rejected; those above may be ignored.
public enum MessageType: UInt8, Sendable {
  case hello = 0x01
  case timeRequest = 0x02
  case timeResponse = 0x03
  case heartbeat = 0x04
  case reject = 0x05
  case event = 0x10
  case eventAck = 0x11
  case indicate = 0x20
  case ledSet = 0x21
  case ledState = 0x22
  case battery = 0x30
  case gpsFix = 0x31
  case config = 0x40
  case configResult = 0x41
  case firmwareInfo = 0x50
  case trace = 0x51
  case log = 0x80
  case nmeaRaw = 0x81

  public static func isOptional(_ type: UInt8) -> Bool { type >= 0x80 }
}
