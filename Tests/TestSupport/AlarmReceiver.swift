import Foundation
import Testing

/// An alarm receiver that others have made, on a port of this host, with what it has decoded.
public final class AlarmReceiver: Sendable {
  public enum Maker: String, Sendable, CaseIterable {
    /// Home Assistant's, by the example. It reads no more than one block of extended data with
    /// Contact ID.
    case pysiaalarm
    /// DC-09 of 2026, in a server of these tests.
    case siadc09
  }

  /// What it has confirmed, as it has read it.
  public struct Event: Equatable, Sendable, Decodable {
    public var token: String
    public var isEncrypted: Bool
    public var sequence: Int
    public var account: String
    /// As in `PA` or `1120`.
    public var code: String
    public var zone: Int
    public var area: Int
    /// Extended data, each with its letter, in order.
    public var extended: [String]
    /// Seconds since 1970.
    public var time: Int

    public init(
      token: String, isEncrypted: Bool = false, sequence: Int, account: String, code: String,
      zone: Int = 1, area: Int = 1, extended: [String] = [], time: Int
    ) {
      self.token = token
      self.isEncrypted = isEncrypted
      self.sequence = sequence
      self.account = account
      self.code = code
      self.zone = zone
      self.area = area
      self.extended = extended
      self.time = time
    }
  }

  public let port: UInt16
  public let heard = Gathered<Event>()
  /// Whatever else it says.
  public let said = Gathered<String>()
  private let process = HeldProgram()

  /// - Parameters:
  ///   - account: the only one it knows, in capital digits.
  ///   - key: 16, 24 or 32 hexadecimal digits, whose characters are the key; nil: none.
  ///   - port: 0: any that is free.
  public init(
    _ maker: Maker, account: String, key: String? = nil, port: UInt16 = 0,
    in folder: ScratchDirectory
  ) throws {
    var path = Repository.root.appending(path: "examples/dc09/receiver.py").path
    if maker == .siadc09 {
      path = folder.path("siadc09-receiver.py")
      try Self.siadc09.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let ports = Gathered<UInt16>()
    try process.start(
      Self.python.get(), ["-B", path, "\(port)", account] + (key.map { [$0] } ?? [])
    ) { [heard, said] line in
      if let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)) {
        heard.put(event)
      } else if let port = UInt16(line) {
        ports.put(port)
      } else {
        said.put(line)
      }
    }
    do {
      try ports.wait("the receiver listens") { !ports.all.isEmpty }
    } catch {
      Issue.record("\(said.all)")
      throw error
    }
    self.port = ports.all[0]
  }

  deinit { process.kill() }

  public func kill() { process.kill() }

  /// The Python that has them, installed where it is not; once in a process.
  public static let python = Result {
    let script = Repository.root.appending(path: "scripts/receiver-python.sh").path
    let (status, output) = try Shell.run("'\(script)'")
    try #require(status == 0, "scripts/receiver-python.sh failed")
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static let siadc09 = """
    import json, logging, socketserver, sys
    from siadc09.dc09 import MAXDIFF, MINDIFF
    from siadc09.message import AckMessage, DuhMessage, NakMessage, parse_frame
    from siadc09.util import now
    logging.basicConfig(stream=sys.stdout, format="%(message)s")
    key = sys.argv[3].encode() if len(sys.argv) > 3 else None
    def read(message):
        if message.idtoken == "NULL":
            return "RP", 0, 0
        if message.idtoken == "ADM-CID":
            event = message.data.event
            return event.qualifier + event.code, event.addr, event.group
        event = message.data.blocks[1].events[0]
        return event.code, event.addr, event.modifiers["ri"].value
    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            held = b""
            while piece := self.request.recv(7):
                held += piece
                while b"\\r" in held:
                    frame, held = held.split(b"\\r", 1)
                    try:
                        answer = self.take(frame + b"\\r")
                    except Exception as error:
                        logging.warning("refused: %s", error)
                        answer = NakMessage().encode(seq=0)
                    self.request.sendall(answer)
        def take(self, frame):
            message = parse_frame(frame, key)
            differs = (message.timestamp - now()).total_seconds()
            if key and not message.encrypted or message.account.acct != int(sys.argv[2], 16):
                raise ValueError("another account or key")
            if not MINDIFF <= differs <= MAXDIFF:
                raise ValueError("another time")
            code, zone, area = read(message)
            logging.warning(json.dumps({
                "token": message.idtoken, "isEncrypted": message.encrypted,
                "sequence": message.seq, "account": "%X" % message.account.acct,
                "code": code, "zone": zone, "area": area,
                "extended": [x.pack().decode() for x in message.xdata],
                "time": int(message.timestamp.timestamp())}))
            return AckMessage(message.account, message.seq, now(), message.encrypted).encode()
    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True
    with Server(("127.0.0.1", int(sys.argv[1])), Handler) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()

    """
}
