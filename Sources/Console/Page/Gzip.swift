import CZlib
import NIOCore

/// RFC 1952, by zlib at its smallest.
enum Gzip {
  static func compressed(_ bytes: ByteBuffer) -> ByteBuffer {
    var stream = z_stream()
    let withHeader: Int32 = 15 + 16
    guard
      deflateInit2_(
        &stream, Z_BEST_COMPRESSION, Z_DEFLATED, withHeader, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { preconditionFailure("zlib is of another version, or there is no memory") }
    defer { deflateEnd(&stream) }
    var input = Array(bytes.readableBytesView)
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        let end = deflate(&stream, Z_FINISH)
        precondition(end == Z_STREAM_END, "deflateBound leaves room for all of it")
      }
    }
    return ByteBuffer(bytes: output.prefix(Int(stream.total_out)))
  }
}
