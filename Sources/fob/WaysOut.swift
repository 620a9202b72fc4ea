import Bridge
import Sinks
import Yams

/// The ways out of a configuration file.
enum WaysOut {
  /// - Throws: `Failure` that names the file and the field that cannot be used.
  static func read(_ path: String) throws(Failure) -> [any Sink] {
    let text = try TextFile.read(path)
    do {
      return try YAMLDecoder().decode(SinkConfiguration.self, from: text).make()
    } catch let failure as ConfigurationFailure {
      throw Failure(.usage, "\(path): \(failure)")
    } catch let DecodingError.dataCorrupted(context)
      where context.underlyingError is ConfigurationFailure
    {
      throw Failure(.usage, "\(path): \(context.underlyingError!)")
    } catch {
      throw Failure(.usage, "\(path) is no configuration of ways out: write `sinks:` and a list")
    }
  }

  /// What the account itself is written by; nil where no sink can.
  static func mail(by sinks: [any Sink]) -> AlertBridge.Mail? {
    guard let mailer = sinks.lazy.compactMap({ $0 as? any Mailer }).first else { return nil }
    return { try mailer.mail(to: $0, subject: $1, body: $2, key: $3) }
  }
}
