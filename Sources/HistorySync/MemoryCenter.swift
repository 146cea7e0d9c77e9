import Foundation
import WorkoutHistory

/// A center for one person in memory, for merging two histories (`reptrace merge`).
public actor MemoryCenter: SyncTransport {
  private struct Kept {
    var object: SyncObject
    var number: Int64
    var device: String
  }

  package let id: String
  private let version: Int
  private let now: @Sendable () -> Int64
  private var kept: [SyncObject.Name: Kept] = [:]
  private var position: Int64 = 0
  private var latest: Int64 = 0
  private var samples: [String: Data] = [:]

  public init() { self.init(id: UUID().uuidString) }

  package init(
    id: String = UUID().uuidString, version: Int = SyncExchange.version,
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
  ) {
    self.id = id
    self.version = version
    self.now = now
  }

  package var objects: [SyncObject] {
    kept.values.sorted { $0.number < $1.number }.map(\.object)
  }

  /// The clock's time, but not before the latest stamp.
  private var time: Int64 {
    let now = now()
    return latest > now + SyncStamp.longestDrift ? latest : now
  }

  public func pull(_ request: PullRequest) throws -> PullResponse {
    guard request.version == version else {
      throw SyncError.otherVersion(center: version, here: request.version)
    }
    let changes = kept.values.filter { $0.number > request.position && $0.device != request.device }
      .sorted { $0.number < $1.number }
    // A page has at least one change, since an empty one would never be the last.
    var page = changes.prefix(max(1, request.limit))
    var objects = withReferences(page.map(\.object), after: request.position)
    // A few recordings may refer to thousands of sets.
    while page.count > 1, objects.count / 4 > request.limit {
      page = page.prefix(page.count / 2)
      objects = withReferences(page.map(\.object), after: request.position)
    }
    let hasMore = page.count < changes.count
    return PullResponse(
      center: id, time: time, position: hasMore ? page.last?.number ?? position : position,
      objects: objects, hasMore: hasMore)
  }

  /// Adds the objects that a page refers to, recursively. The copy has those up to `position`, except
  /// workouts and exercises, which it may have removed since.
  private func withReferences(_ page: [SyncObject], after position: Int64) -> [SyncObject] {
    var objects = page
    var names = Set(objects.map(\.name))
    var next = objects.startIndex
    while next < objects.endIndex {
      for name in objects[next].references where names.insert(name).inserted {
        if let kept = kept[name],
          kept.number > position || [.workoutHistory, .historyExercise].contains(name.entity)
        {
          objects.append(kept.object)
        }
      }
      next += 1
    }
    return objects
  }

  public func push(_ request: PushRequest) throws -> PushResponse {
    guard request.position == position else { return .behind }
    latest = max(latest, try request.checkStamps(at: time))
    for object in request.objects {
      position += 1
      kept[object.name] = Kept(object: object, number: position, device: request.device)
    }
    return .accepted(position: position)
  }

  public func received(_ digests: [String]) -> [String: Int] {
    Dictionary(
      digests.compactMap { digest in samples[digest].map { (digest, $0.count) } },
      uniquingKeysWith: { $1 })
  }

  public func upload(_ parts: [SamplePart]) throws {
    for part in parts {
      var data = samples[part.digest] ?? Data()
      guard (0...data.count).contains(part.offset), part.offset + part.bytes.count > data.count
      else { continue }
      data.append(part.bytes.dropFirst(data.count - part.offset))
      if data.count >= part.size, SyncExchange.digest(of: data) != part.digest {
        samples[part.digest] = nil
        throw SyncError.damagedSamples(digest: part.digest)
      }
      samples[part.digest] = data
    }
  }

  public func download(_ ranges: [SampleRange]) -> [Data] {
    ranges.map { range in
      let data = samples[range.digest] ?? Data()
      let start = min(max(0, range.offset), data.count)
      return data.subdata(in: start..<start + min(max(0, range.count), data.count - start))
    }
  }
}
