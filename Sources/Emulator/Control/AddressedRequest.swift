import Control
import FobBase

/// A request, and of which keychain it is asked: `"serial":7`, `"all":true`, or neither where there
/// is one alone.
struct AddressedRequest: Decodable, Hashable {
  enum Address: Hashable {
    case unsaid
    case serial(UInt32)
    case all
  }

  let address: Address
  let request: EmulatorRequest

  static func read(_ request: ControlRequest) -> Result<AddressedRequest, CommandRefusal> {
    do {
      return .success(try request.decode(AddressedRequest.self))
    } catch let refusal as CommandRefusal {
      return .failure(refusal)
    } catch {
      return .failure(CommandRefusal("the request cannot be read: send one flat JSON object"))
    }
  }

  init(from decoder: any Decoder) throws {
    var fields = try RequestFields(decoder)
    address = try Self.address(&fields)
    request = try EmulatorRequest.read(&fields)
    try fields.end()
  }

  private static func address(_ fields: inout RequestFields) throws -> Address {
    let serial = try fields.number("serial", 0...Int64(UInt32.max))
    let all = try fields.flag("all") ?? false
    switch (serial, all) {
    case (nil, false): return .unsaid
    case (nil, true): return .all
    case (let serial?, false): return .serial(UInt32(serial))
    default: throw CommandRefusal("either \"serial\" or \"all\":true, not both")
    }
  }
}
