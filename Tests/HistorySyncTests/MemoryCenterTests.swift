import Foundation
import HistorySync
import Motion
import MovementAnalysis
import RecordingPipeline
import RepDetection
import SyncTestSupport
import TestSupport
import Testing
import WorkoutHistory

@Suite struct MemoryCenterTests {
  @Test func rangesBeyondSamplesAreTruncated() async throws {
    let center = MemoryCenter()
    let bytes = Data([1, 2, 3])
    let digest = SyncExchange.digest(of: bytes)
    for offset in [0, Int.min] {
      try await center.upload([
        SamplePart(digest: digest, size: bytes.count, offset: offset, bytes: bytes)
      ])
    }
    let ranges = [(1, Int.max), (-1, 2), (Int.max, 1), (0, -1)].map {
      SampleRange(digest: digest, offset: $0, count: $1)
    }
    let parts = await center.download(ranges)
    #expect(parts == [Data([2, 3]), Data([1, 2]), Data(), Data()])
  }

  @Test func pullOfNoChangesIsAnswered() async throws {
    let response = try await MemoryCenter().pull(
      PullRequest(device: "a", position: 0, limit: -1))
    #expect(response.objects.isEmpty && !response.hasMore)
  }

  /// A center with all objects of one copy, and an empty copy.
  private struct Copies {
    let center = MemoryCenter()
    let one: HistoryStore
    let two: HistoryStore
    private let folder: TemporaryFolder

    init(areEmpty: Bool = false) async throws {
      folder = try TemporaryFolder(inMemory: true)
      one = try HistoryStore(path: folder.path("one.sqlite"), mode: .create)
      two = try HistoryStore(path: folder.path("two.sqlite"), mode: .create)
      guard !areEmpty else { return }
      try one.liveInPages()
      _ = try await Synchronizer(store: one, transport: center).sync()
    }
  }

  /// A page includes a referenced object that changed later, so that a new copy gets both.
  @Test(arguments: [1, 2, 5]) func pageIncludesReferencedObjects(_ size: Int) async throws {
    let copies = try await Copies()
    let (center, one, two) = (copies.center, copies.one, copies.two)
    try one.changeWhatOthersName()
    _ = try await Synchronizer(store: one, transport: center).sync()
    let report = try await Synchronizer(store: two, transport: center, pageSize: size).sync()
    #expect(report.refused.isEmpty)
    #expect(try two.namesTheSame(as: one))
    #expect(try await Synchronizer(store: two, transport: center).sync().didNothing)
  }

  /// A first push sends sets before their recording. A copy that has the sets does not get them twice.
  @Test func pageOmitsSetsSentBefore() async throws {
    let center = try await Copies().center
    var sets: [String] = []
    var request = PullRequest(device: "new", position: 0, limit: 1)
    var hasMore = true
    while hasMore {
      let page = try await center.pull(request)
      sets += page.objects.filter { $0.entity == .historySet }.map(\.key)
      (request.position, hasMore) = (page.position, page.hasMore)
    }
    #expect(sets.count == 2 && Set(sets).count == 2)
  }

  /// A page has few more objects than requested, however many sets its recordings refer to.
  @Test func pageSizeIsBounded() async throws {
    let copies = try await Copies(areEmpty: true)
    let (center, one, two) = (copies.center, copies.one, copies.two)
    let sets = stride(from: 105.0, to: 150, by: 10).map {
      Example.set(.detected, $0, $0 + 5, reps: 1)
    }
    for seed in [1, 2] as [UInt64] {
      try one.save(Recording(name: "\(seed)", samples: Example.samples(seed: seed)), sets: sets)
    }
    _ = try await Synchronizer(store: one, transport: center).sync()
    // From now on, the sets are newer than their recordings.
    for set in try one.sets() { try one.correct(set: set.id, reps: 7) }
    _ = try await Synchronizer(store: one, transport: center).sync()
    var request = PullRequest(device: "new", position: 0, limit: 2)
    var hasMore = true
    while hasMore {
      let page = try await center.pull(request)
      #expect(page.objects.count < 12)
      (request.position, hasMore) = (page.position, page.hasMore)
    }
    let report = try await Synchronizer(store: two, transport: center, pageSize: 2).sync()
    #expect(report.refused.isEmpty)
    #expect(try two.sets().map(\.correctedReps) == [Int?](repeating: 7, count: 10))
  }

  /// Checks that a person's notes or exercise outlive the detector's result in every copy.
  @Test(arguments: [("left elbow", nil), (nil, "Curl")] as [(String?, String?)])
  func personsAdditionsOutliveTheDetection(notes: String?, exercise: String?) async throws {
    let copies = try await Copies(areEmpty: true)
    let (center, one, two) = (copies.center, copies.one, copies.two)
    let recording = Recording(name: "a", samples: Example.samples())
    try one.save(recording, sets: Example.twoSets)
    _ = try await Synchronizer(store: one, transport: center).sync()
    _ = try await Synchronizer(store: two, transport: center).sync()
    let set = try two.sets()[1].id
    if let notes { try two.update(set: set, notes: notes) }
    if let exercise { try two.setExercise(exercise, ofSet: set) }
    try one.save(recording, sets: [])
    for store in [two, one, two] {
      _ = try await Synchronizer(store: store, transport: center).sync()
    }
    for store in [one, two] {
      for _ in 0..<2 {
        #expect(try store.sets().map(\.notes) == [notes])
        #expect(try store.sets().map(\.exerciseName) == [exercise])
        try store.save(recording, sets: [])
      }
    }
  }

  /// Movements are learned from received sets, and deleted if those are deleted elsewhere.
  @Test func movementsAreLearnedFromReceivedSets() async throws {
    let copies = try await Copies()
    let (center, one, two) = (copies.center, copies.one, copies.two)
    let times = (0..<1_000).map { Double($0) / 50 }
    let turns = times.map { sin($0 * .pi) }
    let samples = MotionBatch([
      .time: times, .rotationRateX: turns, .rotationRateY: times.map { _ in 0.01 },
      .rotationRateZ: times.map { _ in 0.02 }, .gravityX: times.map { _ in 0 },
      .gravityY: turns.map { -cos($0) }, .gravityZ: turns.map { sin($0) },
    ])
    let saved = try one.save(
      Recording(
        name: "curls", identity: SetIdentity(sessionId: "S", exerciseId: "curl", setId: "C"),
        samples: samples),
      sets: [Example.set(.declared, 1, 17, reps: 8)])
    _ = try await Synchronizer(store: one, transport: center).sync()
    _ = try await Synchronizer(store: two, transport: center).sync()
    #expect(try KnownMovements(two).movements.map(\.exercise) == ["curl"])
    try one.delete(set: saved.sets[0].id)
    _ = try await Synchronizer(store: one, transport: center).sync()
    _ = try await Synchronizer(store: two, transport: center).sync()
    #expect(try KnownMovements(two).isEmpty)
  }

  /// Changes exchanged with a second center reach the first one in the next sync.
  @Test func changesFromAnotherCenterAreForwarded() async throws {
    let copies = try await Copies()
    let (center, one, two) = (copies.center, copies.one, copies.two)
    _ = try await Synchronizer(store: two, transport: center).sync()
    let folder = try TemporaryFolder(inMemory: true)
    let three = try HistoryStore(path: folder.path("three.sqlite"), mode: .create)
    try three.catalog.save(CatalogExercise(uuid: "E3", name: "Squat", muscleGroup: .legs))
    let between = MemoryCenter()
    _ = try await Synchronizer(store: three, transport: between).sync()
    let received = try await Synchronizer(store: two, transport: between).receive()
    #expect(received.received > 0 && received.sent == 0)
    #expect(await between.objects.allSatisfy { $0.entity != .recording })
    for store in [two, one] { _ = try await Synchronizer(store: store, transport: center).sync() }
    #expect(try one.catalog.exercise("E3")?.name == "Squat")
    #expect(try one.verify().isIntact && two.verify().isIntact)
  }

  @Test func unneededSamplesAreDiscarded() async throws {
    let copies = try await Copies()
    let (center, two) = (copies.center, copies.two)
    let objects = await center.objects
    let (segment, none) = try #require(try two.sync.missingSamples(of: objects).first)
    #expect(none == 0)
    try two.sync.receive(Data([1, 2]), at: 0, of: segment)
    _ = try await Synchronizer(store: two, transport: MemoryCenter()).sync()
    #expect(try two.sync.missingSamples(of: objects).allSatisfy { $0.received == 0 })
  }

  /// A page size of zero would end each sync without progress.
  @Test(arguments: [0, -1]) func pageHasAtLeastOneObject(_ size: Int) async throws {
    let copies = try await Copies(areEmpty: true)
    let (center, one, two) = (copies.center, copies.one, copies.two)
    for name in ["A", "B"] {
      try one.catalog.save(
        CatalogExercise(uuid: CatalogExercise.Key(name), name: name, muscleGroup: .core))
    }
    let sent = try await Synchronizer(store: one, transport: center, pageSize: size).sync().sent
    #expect(sent >= 2)
    _ = try await Synchronizer(store: two, transport: center, pageSize: size).sync()
    for name in ["A", "B"] {
      #expect(try two.catalog.exercise(CatalogExercise.Key(name))?.name == name)
    }
  }
}
