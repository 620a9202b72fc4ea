import TestSupport
import Testing
import WireProtocol

/// The payload types, which are generated, against the bytes of the vectors, which are not.
struct MessageVectorTests {
  @Test(arguments: try FrameVectors.load().messages)
  func `a payload is read into the fields of its vector`(_ vector: MessageVector) throws {
    guard let type = Self.payload(of: vector) else { return }
    let message = type.init([UInt8](hex: vector.payload))
    #expect(Numbers.of(try #require(message)) == (try vector.numbers))
  }

  @Test(arguments: try FrameVectors.load().messages)
  func `a message read and written again is its frame`(_ vector: MessageVector) throws {
    let code = try #require(MessageTable.load().messages.first { $0.name == vector.type }?.code)
    let body = [16, code, UInt8(vector.seq & 0xFF), UInt8(vector.seq >> 8)]
    let written = try #require(Self.written(vector))
    #expect(written.hex == vector.payload)
    #expect((body + written).framed.hex == vector.wire)
  }

  @Test func `every entry of a trace is read and written`() throws {
    let vectors = try FrameVectors.load().messages.filter { $0.type == "TRACE" }
    for vector in vectors {
      var read: [[Int64]] = []
      [UInt8](hex: vector.payload).withUnsafeBytes {
        TraceFrame.entries($0) { read.append(Numbers.of($1)) }
      }
      let names = ["clock", "code", "argument"]
      #expect(read == (vector.tail ?? []).map { entry in names.map { entry[$0]!.integer() } })
    }
    #expect(vectors.contains { $0.tail?.count == 2 })
  }

  @Test func `every message has a vector whose fields are told apart`() throws {
    let vectors = try FrameVectors.load().messages
    for message in try MessageTable.load().messages {
      let own = vectors.filter { $0.type == message.name }
      #expect(!own.isEmpty, "\(message.name) has no vector")
      for field in message.fields where field.name != "capabilities" {
        #expect(own.contains { $0.fields?[field.name] != nil }, "\(message.name): \(field.name)")
      }
    }
  }

  /// Nil for what is bytes to its end.
  private static func payload(of vector: MessageVector) -> (any Payload.Type)? {
    let code = (try? MessageTable.load())?.messages.first { $0.name == vector.type }?.code
    return allPayloads.first { $0.type.rawValue == code }
  }

  /// A text stays as it is; the entries of a trace stand behind its one field.
  private static func written(_ vector: MessageVector) -> [UInt8]? {
    let payload = [UInt8](hex: vector.payload)
    guard let type = Self.payload(of: vector) else { return payload }
    guard let message = type.init(payload) else { return nil }
    var body = FrameBody(type: .trace, sequence: 0)
    message.write(to: &body)
    if message is TraceFrame {
      payload.withUnsafeBytes { TraceFrame.entries($0) { $1.write(to: &body) } }
    }
    return body.payload
  }
}

extension MessageVector {
  /// The numbers of its fields, in the order of the table; what is left out is 0.
  fileprivate var numbers: [Int64] {
    get throws {
      let table = try MessageTable.load()
      let message = table.messages.first { $0.name == type }!
      var numbers: [Int64] = []
      for field in message.fields {
        if let bytes = fields?[field.name]?.bytes, !bytes.isEmpty {
          numbers += bytes.map { Int64($0) }
        } else if type == "LED_STATE", field.name == "flags" {
          // The one field that is two properties: sounder, and by what right.
          numbers += [value(field.name) & 1, value(field.name) >> 1]
        } else {
          numbers.append(value(field.name))
        }
      }
      guard let tail = message.tail, tail.flag != nil else { return numbers }
      return numbers + tail.fields.map { self.tail?.first?[$0.name]?.integer() ?? 0 }
    }
  }
}

/// The numbers in a value, in the order of its properties.
private enum Numbers {
  static func of(_ value: Any) -> [Int64] {
    switch value {
    case let number as any FixedWidthInteger: [Int64(truncatingIfNeeded: number)]
    case let flag as Bool: [flag ? 1 : 0]
    case let named as any RawRepresentable: of(named.rawValue)
    default: Mirror(reflecting: value).children.flatMap { of($0.value) }
    }
  }
}
