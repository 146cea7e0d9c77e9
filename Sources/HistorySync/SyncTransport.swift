import Foundation
import WorkoutHistory

/// A connection to a center, which only stores a person's objects. Like git with fast-forwards, it accepts a
/// push only from a copy that has merged every change there. Every call may be repeated. It throws
/// ``SyncError/unreachable(reason:)`` if a retry may help, and another ``SyncError`` otherwise.
public protocol SyncTransport: Sendable {
  /// Returns a page of changes by other copies, in order, with the objects that they refer to
  /// (`SyncObject.references`) and that this copy may lack.
  func pull(_ request: PullRequest) async throws -> PullResponse

  /// Replaces objects durably, all or none. Rejects stamps in the future.
  func push(_ request: PushRequest) async throws -> PushResponse

  /// Returns the number of bytes at the center by digest. Digests without any are omitted.
  func received(_ digests: [String]) async throws -> [String: Int]

  /// Appends parts to samples, and verifies complete samples against their digests.
  func upload(_ parts: [SamplePart]) async throws

  /// Returns ranges of samples in the order of the request, each as far as the center has it.
  func download(_ ranges: [SampleRange]) async throws -> [Data]
}

/// Consecutive bytes of a segment's samples. `digest` (SHA-256) and `size` are those of all its bytes.
public struct SamplePart: Sendable, Hashable {
  public var digest: String
  public var size: Int
  public var offset: Int
  public var bytes: Data

  public init(digest: String, size: Int, offset: Int, bytes: Data) {
    self.digest = digest
    self.size = size
    self.offset = offset
    self.bytes = bytes
  }
}

/// A range of a segment's samples to download.
public struct SampleRange: Sendable, Hashable, Codable {
  public var digest: String
  public var offset: Int
  public var count: Int

  public init(digest: String, offset: Int, count: Int) {
    self.digest = digest
    self.offset = offset
    self.count = count
  }
}

public struct PullRequest: Sendable, Hashable, Codable {
  /// The copy's id. Its own changes are omitted.
  package var device: String
  package var position: Int64
  public var limit: Int
  /// `SyncExchange.version` of the copy's program.
  package var version: Int

  package init(device: String, position: Int64, limit: Int, version: Int = SyncExchange.version) {
    self.device = device
    self.position = position
    self.limit = limit
    self.version = version
  }
}

public struct PullResponse: Sendable, Hashable, Codable {
  /// The center's id. Positions are valid only at that center.
  package var center: String
  /// The center's time, in milliseconds since 1970, at most `SyncStamp.longestDrift` behind the latest stamp.
  package var time: Int64
  /// ``PullRequest/position`` of the next request.
  package var position: Int64
  package var objects: [SyncObject]
  package var hasMore: Bool

  package init(center: String, time: Int64, position: Int64, objects: [SyncObject], hasMore: Bool) {
    self.center = center
    self.time = time
    self.position = position
    self.objects = objects
    self.hasMore = hasMore
  }
}

public struct PushRequest: Sendable, Hashable, Codable {
  package var device: String
  package var position: Int64
  package var objects: [SyncObject]

  package init(device: String, position: Int64, objects: [SyncObject]) {
    self.device = device
    self.position = position
    self.objects = objects
  }

  /// Rejects stamps that are malformed or further in the future than clocks may drift, since they would win
  /// over all others. Returns the time of the latest stamp, in milliseconds since 1970.
  @discardableResult
  package func checkStamps(at time: Int64) throws -> Int64 {
    for object in objects {
      if let problem = object.stampProblem(at: time) {
        throw SyncError.refused(reason: problem + "; let its device sync with a newer program")
      }
    }
    return objects.map(\.latestStamp.milliseconds).max() ?? 0
  }
}

public enum PushResponse: Sendable, Hashable, Codable {
  /// The objects are durable. The position is the number of the last one.
  case accepted(position: Int64)
  /// The center has changes that the copy has not merged: pull first.
  case behind
}

/// An error that ended a sync. Completed steps are kept.
public enum SyncError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The center does not answer or is busy; a retry may help.
  case unreachable(reason: String)
  case refused(reason: String)
  /// The center and this program have different versions of the exchange.
  case otherVersion(center: Int, here: Int)
  case damagedSamples(digest: String)
  /// The address is malformed or unsafe.
  case badAddress(reason: String)

  public var description: String {
    switch self {
    case .unreachable(let reason): "the center cannot be reached: \(reason)"
    case .refused(let reason): "the center refuses: \(reason)"
    case .otherVersion(let center, let here):
      center > here
        ? "the center has version \(center) of its schema, this program knows \(here): "
          + "install a newer reptrace"
        : "the center has version \(center) of its schema, this program needs \(here): "
          + "let its administrator run `reptrace sync --init`"
    case .damagedSamples(let digest): "samples arrived damaged: \(digest)"
    case .badAddress(let reason): reason
    }
  }
}
