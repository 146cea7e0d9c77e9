import Foundation
import WorkoutHistory

/// A way to a centre that keeps a person's objects.
///
/// The centre is a store and no judge: it takes a push only from a copy that has seen everything that
/// is there, as git takes a push only as a fast-forward. What conflicts is merged by that copy before.
///
/// Every call may be repeated. A call throws ``SyncError/unreachable(reason:)`` where trying again may
/// help, and another ``SyncError`` where it does not.
public protocol SyncTransport: Sendable {
  /// What has changed at the centre, except by this copy, in the order of changes; and what such objects
  /// name (``SyncObject/references``), at every remove, where this copy may lack it: workouts and their
  /// exercises, which it may have removed, and what changed after ``PullRequest/position``.
  func pull(_ request: PullRequest) async throws -> PullResponse

  /// Replaces objects, all or none; durable when it returns. Stamps that lie in the future are
  /// refused (``PushRequest/checkStamps(at:)``).
  func push(_ request: PushRequest) async throws -> PushResponse

  /// How many bytes of samples the centre has, by their digests; nothing for those of which it has
  /// none.
  func received(_ digests: [String]) async throws -> [String: Int]

  /// Adds parts to samples; the last part of each is checked against its digest. A part that is there
  /// already changes nothing.
  ///
  /// - Parameter parts: ``SyncExchange/longestPart`` bytes at most together.
  func upload(_ parts: [SamplePart]) async throws

  /// Parts of samples that the centre has, in the order of what was asked for. It gives less of a part
  /// where it has less, and nothing where it has none.
  ///
  /// - Parameter ranges: ``SyncExchange/longestPart`` bytes at most together.
  func download(_ ranges: [SampleRange]) async throws -> [Data]
}

/// Some bytes of a segment's samples on their way to a centre.
public struct SamplePart: Sendable, Hashable {
  /// What the whole is known by.
  public var digest: String
  /// The bytes of the whole.
  public var size: Int
  /// Where the part begins.
  public var offset: Int
  public var bytes: Data

  public init(digest: String, size: Int, offset: Int, bytes: Data) {
    self.digest = digest
    self.size = size
    self.offset = offset
    self.bytes = bytes
  }
}

/// What is asked for of a segment's samples.
public struct SampleRange: Sendable, Hashable, Codable {
  public var digest: String
  /// Where it begins.
  public var offset: Int
  /// Bytes at most.
  public var count: Int

  public init(digest: String, offset: Int, count: Int) {
    self.digest = digest
    self.offset = offset
    self.count = count
  }
}

public struct PullRequest: Sendable, Hashable, Codable {
  /// The id of the copy that asks.
  public var device: String
  /// The last change that it knows; 0 for all.
  public var position: Int64
  /// Changes at most.
  public var limit: Int
  /// ``SyncExchange/version`` of the program that asks.
  public var version: Int

  public init(
    device: String, position: Int64, limit: Int, version: Int = SyncExchange.version
  ) {
    self.device = device
    self.position = position
    self.limit = limit
    self.version = version
  }
}

public struct PullResponse: Sendable, Hashable, Codable {
  /// The centre's id: positions of another one mean nothing.
  public var centre: String
  /// The centre's time, in milliseconds since 1970. It does not go back: where it lies more than
  /// ``SyncStamp/longestDrift`` before what the centre has already, it is the time of that.
  public var time: Int64
  /// What to ask from next.
  public var position: Int64
  public var objects: [SyncObject]
  public var hasMore: Bool

  public init(
    centre: String, time: Int64, position: Int64, objects: [SyncObject], hasMore: Bool
  ) {
    self.centre = centre
    self.time = time
    self.position = position
    self.objects = objects
    self.hasMore = hasMore
  }
}

public struct PushRequest: Sendable, Hashable, Codable {
  public var device: String
  /// The last change that the copy has seen.
  public var position: Int64
  public var objects: [SyncObject]

  public init(device: String, position: Int64, objects: [SyncObject]) {
    self.device = device
    self.position = position
    self.objects = objects
  }

  /// Refuses stamps that would win against everybody's for longer than clocks may drift.
  ///
  /// - Parameter time: The centre's, in milliseconds since 1970.
  /// - Returns: The latest of the stamps, in milliseconds since 1970.
  /// - Throws: ``SyncError/refused(reason:)``.
  @discardableResult
  public func checkStamps(at time: Int64) throws -> Int64 {
    for object in objects {
      if let problem = object.stampProblem(at: time) {
        throw SyncError.refused(reason: problem + "; let its device sync with a newer program")
      }
    }
    return objects.map(\.latestStamp.milliseconds).max() ?? 0
  }
}

public enum PushResponse: Sendable, Hashable, Codable {
  /// They are durable; the number of the last of them.
  case accepted(position: Int64)
  /// Another copy was quicker: pull first.
  case behind
}

/// Why a sync did not come to its end. What was done until then stays done.
public enum SyncError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The centre does not answer, or not now.
  case unreachable(reason: String)
  /// The centre says no.
  case refused(reason: String)
  /// One of both sides is older than the other.
  case otherVersion(centre: Int, here: Int)
  /// What came is not what its digest names.
  case damagedSamples(digest: String)
  /// An address that cannot be used.
  case badAddress(reason: String)

  public var description: String {
    switch self {
    case .unreachable(let reason): "the centre cannot be reached: \(reason)"
    case .refused(let reason): "the centre refuses: \(reason)"
    case .otherVersion(let centre, let here):
      centre > here
        ? "the centre has version \(centre) of its schema, this program knows \(here): "
          + "install a newer reptrace"
        : "the centre has version \(centre) of its schema, this program needs \(here): "
          + "let its administrator run `reptrace sync --init`"
    case .damagedSamples(let digest): "samples arrived damaged: \(digest)"
    case .badAddress(let reason): reason
    }
  }
}
