import ChunkStream
import Foundation
import NIOHTTP1

/// Converts the body of a request to messages.
struct RequestBody {
  struct Failure: Error {
    var status: HTTPResponseStatus
    var message: String
  }

  var limits: IngestConfiguration.Limits
  var person: String

  /// - Throws: ``Failure``.
  func messages(_ body: [UInt8], _ headers: HTTPHeaders) throws(Failure) -> [ChunkStream.Message] {
    let body = try decoded(body, headers.first(name: "content-encoding"))
    let sidecar = Self.sidecar(headers)
    let type = MediaType(headers.first(name: "content-type") ?? "")
    var messages: [ChunkStream.Message]
    switch type.name {
    case "application/json":
      messages = [.init(.json(body), sender: person, sidecar: sidecar)]
      if body.allSatisfy({ [0x20, 9, 10, 13].contains($0) }) { messages = [] }
    case "application/x-ndjson", "application/octet-stream":
      do {
        messages = try ChunkStream.cut(body, messageBytes: limits.messageBytes).map {
          .init($0, sender: person, sidecar: sidecar)
        }
      } catch {
        throw Failure(status: .badRequest, message: error.description)
      }
    case "multipart/form-data":
      guard let boundary = type.parameters["boundary"],
        let parts = Multipart.parts(of: body, boundary: boundary)
      else { throw Failure(status: .badRequest, message: "the multipart body is damaged") }
      messages = try self.messages(parts, sidecar)
    default:
      throw Failure(
        status: .unsupportedMediaType,
        message: "application/json, application/x-ndjson, application/octet-stream (binary frames) "
          + "or multipart/form-data was expected")
    }
    guard !messages.isEmpty else {
      throw Failure(status: .badRequest, message: "the body holds no message")
    }
    return messages
  }

  private func decoded(_ body: [UInt8], _ encoding: String?) throws(Failure) -> [UInt8] {
    switch encoding?.lowercased() {
    case nil, "identity": return body
    case "gzip", "x-gzip":
      do {
        return try ChunkStream.decompress(body, limit: limits.inflatedBytes)
      } catch {
        throw Failure(
          status: error.isTooLarge ? .payloadTooLarge : .badRequest,
          message: "gzip: \(error.description)")
      }
    default:
      throw Failure(status: .unsupportedMediaType, message: "the content encoding is not gzip")
    }
  }

  /// Assigns to each file the sidecar with its name, or the only one.
  private func messages(
    _ parts: [Multipart.Part], _ fromHeaders: [UInt8]?
  ) throws(Failure) -> [ChunkStream.Message] {
    let suffix = ".metadata.json"
    func isSidecar(_ part: Multipart.Part) -> Bool {
      part.name == "metadata" || part.fileName?.hasSuffix(suffix) == true
    }
    let sidecars = parts.filter(isSidecar)
    var messages: [ChunkStream.Message] = []
    for part in parts where !isSidecar(part) {
      let stem = part.fileName.map { name in
        name.hasSuffix(".json") ? String(name.dropLast(5)) : name
      }
      let own = sidecars.first { stem.map { $0 + suffix } == $0.fileName }
      let sidecar = own ?? (sidecars.count == 1 ? sidecars.first : nil)
      guard sidecar != nil || sidecars.isEmpty else {
        throw Failure(
          status: .badRequest,
          message: "of several metadata parts none has the file name of a chunk part")
      }
      messages.append(
        .init(.json(part.content), sender: person, sidecar: sidecar?.content ?? fromHeaders))
    }
    return messages
  }

  /// Headers for fields that a chunk file does not contain.
  static let idHeaders: [(header: String, field: String)] = [
    ("x-session-id", "sessionId"), ("x-exercise-id", "exerciseId"), ("x-set-id", "setId"),
    ("x-chunk-id", "chunkId"), ("x-phase", "phase"),
  ]

  private static func sidecar(_ headers: HTTPHeaders) -> [UInt8]? {
    var fields: [String: String] = [:]
    for (header, field) in idHeaders {
      if let value = headers.first(name: header) { fields[field] = value }
    }
    guard !fields.isEmpty, let json = try? JSONEncoder().encode(fields) else { return nil }
    return Array(json)
  }
}

/// The value of a `Content-Type` or `Content-Disposition` header.
struct MediaType {
  var name: String
  var parameters: [String: String] = [:]

  init(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    name = parts.first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() } ?? ""
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      var value = pair[1].trimmingCharacters(in: .whitespaces)
      if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
        value = String(value.dropFirst().dropLast())
      }
      parameters[pair[0].trimmingCharacters(in: .whitespaces).lowercased()] = value
    }
  }
}

/// Multipart bodies (RFC 7578).
enum Multipart {
  struct Part {
    var name: String?
    var fileName: String?
    var content: [UInt8]
  }

  private static let partsAtMost = 1000

  /// Parses the parts of a body.
  ///
  /// - Returns: Nil if the body is damaged.
  static func parts(of body: [UInt8], boundary: String) -> [Part]? {
    guard (1...70).contains(boundary.utf8.count) else { return nil }
    let mark = Array("\r\n--\(boundary)".utf8)
    let body = [0x0D, 0x0A] + body
    guard var start = index(of: mark, in: body, from: 0) else { return nil }
    var parts: [Part] = []
    while true {
      let head = start + mark.count
      if body[head...].starts(with: "--".utf8) { return parts }
      guard let end = index(of: mark, in: body, from: head), parts.count < partsAtMost,
        let part = part(body[head..<end])
      else { return nil }
      parts.append(part)
      start = end
    }
  }

  private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
    let blank = Array("\r\n\r\n".utf8)
    let all = Array(bytes)
    guard all.starts(with: "\r\n".utf8), let end = index(of: blank, in: all, from: 0) else {
      return nil
    }
    var part = Part(content: Array(all[(end + blank.count)...]))
    let lines = String(decoding: all[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    for line in lines {
      let pair = line.split(separator: ":", maxSplits: 1)
      guard pair.count == 2, pair[0].lowercased() == "content-disposition" else { continue }
      let disposition = MediaType(String(pair[1]))
      part.name = disposition.parameters["name"]
      part.fileName = disposition.parameters["filename"]
    }
    return part
  }

  private static func index(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    var position = start
    while let found = bytes[position...].firstIndex(of: mark[0]) {
      if bytes[found...].starts(with: mark) { return found }
      position = found + 1
    }
    return nil
  }
}
