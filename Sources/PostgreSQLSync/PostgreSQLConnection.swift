#if PostgreSQL
import CPostgreSQL
import Foundation
import HistorySync

struct Parameter: Sendable {
  fileprivate var data: Data
  fileprivate var isBinary = false

  static func text(_ text: String) -> Parameter { Parameter(data: Data(text.utf8)) }
  static func integer(_ integer: Int64) -> Parameter { text(String(integer)) }
  static func bytes(_ data: Data) -> Parameter { Parameter(data: data, isBinary: true) }
}

/// A connection to PostgreSQL. Calls run one at a time on a queue, since libpq blocks its thread. The next
/// call after a connection error reconnects.
final class PostgreSQLConnection: @unchecked Sendable {
  // All state is confined to the queue.
  private let queue = DispatchQueue(label: "postgresql")
  private let address: String
  private let lockSeconds: Int
  private var connection: OpaquePointer?

  init(address: String, lockSeconds: Int = 30) throws {
    try Self.check(address)
    self.address = address
    self.lockSeconds = lockSeconds
  }

  deinit { PQfinish(connection) }

  /// Rejects an address with a password, which process lists and shell histories would reveal.
  private static func check(_ address: String) throws {
    guard address.hasPrefix("postgresql://") || address.hasPrefix("postgres://") else {
      throw SyncError.badAddress(reason: "expected an address that begins with postgresql://")
    }
    var message: UnsafeMutablePointer<CChar>?
    defer { PQfreemem(message) }
    guard let options = PQconninfoParse(address, &message) else {
      // The message may quote the address.
      throw SyncError.badAddress(reason: "the address cannot be read as one of PostgreSQL")
    }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      if ["password", "sslpassword"].contains(String(cString: keyword)), option.pointee.val != nil {
        throw SyncError.badAddress(
          reason: """
            an address must not contain a password, which every process could read: put it into \
            ~/.pgpass, a service file, or PGPASSWORD
            """)
      }
      option += 1
    }
  }

  /// Runs a closure as one transaction, or without one if `begin` is nil.
  func transaction<T: Sendable>(
    _ begin: String? = "BEGIN", _ body: @escaping @Sendable (borrowing Session) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Result {
            let session = Session(connection: try self.open())
            do {
              if let begin { try session.run(begin) }
              let result = try body(session)
              if begin != nil { try session.run("COMMIT") }
              return result
            } catch {
              if PQstatus(self.connection) == CONNECTION_OK {
                if begin != nil { try? session.run("ROLLBACK") }
              } else {
                PQfinish(self.connection)
                self.connection = nil
              }
              throw error
            }
          })
      }
    }
  }

  private func open() throws -> OpaquePointer {
    if let connection { return connection }
    // The address comes last, so that it can override these.
    let keywords = [
      "fallback_application_name", "connect_timeout", "keepalives_idle", "keepalives_interval",
      "keepalives_count", "tcp_user_timeout", "dbname",
    ]
    let values = ["reptrace", "10", "60", "10", "6", "120000", address]
    let opened = Self.withStrings(keywords) { keywords in
      Self.withStrings(values) { values in PQconnectdbParams(keywords, values, 1) }
    }
    guard let opened, PQstatus(opened) == CONNECTION_OK else {
      let reason = opened.map { Self.line(PQerrorMessage($0)) } ?? "out of memory"
      PQfinish(opened)
      // Errors that a retry does not fix.
      let isFinal = [
        "authentication failed", "no password supplied", "does not exist", "pg_hba.conf",
      ]
      .contains { reason.contains($0) }
      throw isFinal ? SyncError.refused(reason: reason) : .unreachable(reason: reason)
    }
    PQsetNoticeReceiver(opened, { _, _ in }, nil)
    do {
      try Session(connection: opened).run(limits)
    } catch {
      PQfinish(opened)
      throw error
    }
    connection = opened
    return opened
  }

  /// Timeouts. A push locks the person's account row, which the server must release if the device disappears.
  private var limits: String {
    """
    SET lock_timeout = '\(lockSeconds)s'; SET statement_timeout = '5min';
    SET idle_in_transaction_session_timeout = '60s'; SET tcp_keepalives_idle = 60;
    SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 6; SET tcp_user_timeout = 120000
    """
  }

  private static func withStrings<T>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T
  ) -> T {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }

  fileprivate static func line(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "" }
    return String(cString: message).split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// An open connection within a transaction.
struct Session: ~Copyable {
  fileprivate let connection: OpaquePointer

  func run(_ sql: String) throws {
    let result = PQexec(connection, sql)
    defer { PQclear(result) }
    try check(result)
  }

  @discardableResult
  func query(_ sql: String, _ parameters: [Parameter] = []) throws -> [[String?]] {
    let result = execute(sql, parameters, isBinary: false)
    defer { PQclear(result) }
    try check(result)
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1
          ? nil
          : PQgetvalue(result, row, column).map {
            String(
              decoding: UnsafeRawBufferPointer(
                start: $0, count: Int(PQgetlength(result, row, column))), as: UTF8.self)
          }
      }
    }
  }

  /// Returns the first value of each row as bytes; nil for NULL.
  func bytes(_ sql: String, _ parameters: [Parameter]) throws -> [Data?] {
    let result = execute(sql, parameters, isBinary: true)
    defer { PQclear(result) }
    try check(result)
    return (0..<PQntuples(result)).map { row in
      PQgetisnull(result, row, 0) == 1
        ? nil
        : PQgetvalue(result, row, 0).map {
          Data(bytes: $0, count: Int(PQgetlength(result, row, 0)))
        }
    }
  }

  private func execute(_ sql: String, _ parameters: [Parameter], isBinary: Bool) -> OpaquePointer? {
    // Texts must end with a zero byte.
    let copies = parameters.map { parameter in
      let count = parameter.data.count
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 1, alignment: 1)
      parameter.data.copyBytes(to: copy)
      copy[count] = 0
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    let values = copies.map { UnsafePointer($0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
    return PQexecParams(
      connection, sql, Int32(parameters.count), nil, values,
      parameters.map { Int32($0.data.count) }, parameters.map { $0.isBinary ? 1 : 0 },
      isBinary ? 1 : 0)
  }

  private func check(_ result: OpaquePointer?) throws {
    let status = PQresultStatus(result)
    if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK { return }
    // The SQLSTATE; empty if the connection broke.
    let state =
      PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
    let reason = PostgreSQLConnection.line(
      PQresultErrorField(result, Int32(UInt8(ascii: "M"))) ?? PQerrorMessage(connection))
    // Connection lost, out of resources, server going down or coming up, serialization failures.
    let mayHelp =
      PQstatus(connection) != CONNECTION_OK || state.isEmpty
      || ["08", "53", "57"].contains(String(state.prefix(2)))
      || ["40001", "40P01", "55P03"].contains(state)
    if mayHelp { throw SyncError.unreachable(reason: reason) }
    let hasNoSchema = ["3F000", "42P01", "42883"].contains(state)
    throw SyncError.refused(
      reason: hasNoSchema
        ? "it has no schema of RepTrace: let its administrator run `reptrace sync --init`" : reason)
  }
}
#endif
