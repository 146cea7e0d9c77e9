// A server, and a device that syncs with it:
//
//   sync-over-http serve TOKENS postgresql://HOST/DATABASE PORT
//   REPTRACE_TOKEN=… sync-over-http sync STORE https://HOST
//
// TOKENS has a line for each person: the SHA-256 of their token (`printf %s TOKEN | sha256sum`) and their role
// in the database. The server's own credentials for these roles come from libpq's usual places.
import Foundation
import HTTPSync
import HistorySync
import Hummingbird
import PostgreSQLSync
import WorkoutHistory

func people(_ file: String, _ address: String) throws -> [String: any SyncTransport] {
  var people: [String: any SyncTransport] = [:]
  for line in try String(contentsOfFile: file, encoding: .utf8).split(whereSeparator: \.isNewline) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 2, var components = URLComponents(string: address) else {
      throw SyncError.badAddress(reason: "a line of \(file) is not a digest and a role")
    }
    components.user = words[1]
    people[words[0]] = try PostgreSQLCenter(address: components.string ?? "")
  }
  return people
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch (arguments.first, arguments.count) {
  case ("serve", 4):
    let server = SyncServer(people: try people(arguments[1], arguments[2]))
    let application = Application(
      router: server.router,
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: Int(arguments[3]) ?? 8080)))
    try await application.runService()
  case ("sync", 3):
    let token = ProcessInfo.processInfo.environment["REPTRACE_TOKEN"] ?? ""
    let center = try HTTPCenter(address: arguments[2], token: token)
    let store = try HistoryStore(path: arguments[1], mode: .create)
    let report = try await Synchronizer(store: store, transport: center).sync()
    FileHandle.standardOutput.write(try JSONEncoder().encode(report) + Data("\n".utf8))
  default:
    throw SyncError.badAddress(
      reason: "usage: sync-over-http serve TOKENS ADDRESS PORT | sync STORE ADDRESS")
  }
} catch {
  FileHandle.standardError.write(Data("sync-over-http: \(error)\n".utf8))
  exit(1)
}
