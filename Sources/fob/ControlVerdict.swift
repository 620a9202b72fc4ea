import FobBase
import Foundation

/// What every answer at a control socket says: whether it was done, else why not.
struct ControlVerdict: Decodable {
  let ok: Bool?
  let error: String?

  /// - Throws: `Failure` that names the request, unless `answer` is a line that says ok.
  static func check(_ answer: String, of request: String) throws(Failure) {
    let verdict = try? JSONDecoder().decode(ControlVerdict.self, from: Data(answer.utf8))
    guard verdict?.ok == true else {
      throw Failure(.refused, "\(request): \(verdict?.error ?? "the answer says not ok")")
    }
  }
}

extension Instant {
  /// The deadline of what may take for ever, as the next line of a stream.
  static let endOfTime = Instant(microseconds: .max / 2)
}
