extension Config {
  public init(key: ConfigKey, value: UInt32) {
    self.key = key.rawValue
    self.value = value
  }
}

extension TimeResponse {
  public init(to request: TimeRequest, receive: UInt64, send: UInt64, bootNonce: UInt32) {
    hostSend = request.hostSend
    deviceReceive = receive
    deviceSend = send
    self.bootNonce = bootNonce
    session = request.session
  }
}
