/// TIME_REQ (02): the host's half of a clock exchange.
public struct TimeRequest: Payload, Equatable {
  public static let type = MessageType.timeRequest
  public static let size = 12

  /// Host clock at sending, µs.
  public var hostSend: UInt64
  public var session: UInt32

  public init(hostSend: UInt64, session: UInt32) {
    self.hostSend = hostSend
    self.session = session
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    hostSend = r.next()
    session = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(hostSend)
    body.append(session)
  }
}

/// TIME_RESP (03): what was asked, with the device's two stamps.
public struct TimeResponse: Payload, Equatable {
  public static let type = MessageType.timeResponse
  public static let size = 32

  public var hostSend: UInt64
  /// Device clock, µs since boot.
  public var deviceReceive: UInt64
  public var deviceSend: UInt64
  public var bootNonce: UInt32
  public var session: UInt32

  public init(to request: TimeRequest, receive: UInt64, send: UInt64, bootNonce: UInt32) {
    hostSend = request.hostSend
    deviceReceive = receive
    deviceSend = send
    self.bootNonce = bootNonce
    session = request.session
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    hostSend = r.next()
    deviceReceive = r.next()
    deviceSend = r.next()
    bootNonce = r.next()
    session = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(hostSend)
    body.append(deviceReceive)
    body.append(deviceSend)
    body.append(bootNonce)
    body.append(session)
  }
}
