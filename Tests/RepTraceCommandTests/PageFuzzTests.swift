import Foundation
import MotionSynthesis
import RepTrace
import Reports
import Testing

@testable import RecordingPipeline
@testable import RepTraceCommand

/// Runs `plot`, `report`, `explain` and `history show` on recordings that no watch would send. None may
/// crash, and every page must be complete.
///
/// The tests do a short run with fixed seeds. `Fuzz/pages RUNS` does a long one; after a crash,
/// ``PageFuzz/progressFolder`` contains the runs in progress.
@Suite struct PageFuzzTests {
  @Test func mutatedSyntheticRecordings() throws {
    try PageFuzz.runMutations(PageFuzz.synthetic(count: 8, seed: 5), runs: PageFuzz.runs ?? 20)
  }

  @Test(.enabled(if: RealRecordings.exist, "no real recordings here"))
  func mutatedRealRecordings() async throws {
    let bases = try await PageFuzz.real(atMost: PageFuzz.runs == nil ? 6 : .max)
    try PageFuzz.runMutations(bases, runs: PageFuzz.runs ?? 20)
  }

  /// The set then contains a jump.
  @Test func concatenatedRecordings() throws {
    let count = PageFuzz.runs == nil ? 4 : 45
    try PageFuzz.runPairs(PageFuzz.synthetic(count: count, seed: 11), atMost: .max)
  }

  /// A thousand recordings give a million pairs, which would take days. A long run pairs every recording with
  /// as many others as time allows.
  @Test(.enabled(if: RealRecordings.exist, "no real recordings here"))
  func concatenatedRealRecordings() async throws {
    let bases = try await PageFuzz.real(atMost: PageFuzz.runs == nil ? 4 : .max)
    try PageFuzz.runPairs(bases, atMost: PageFuzz.runs.map { $0 / 5 } ?? .max)
  }
}

/// The real recordings beside the project, if present.
enum RealRecordings {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/datasets")

  static var exist: Bool { FileManager.default.fileExists(atPath: folder.path) }
}

enum PageFuzz {
  private static let environment = ProcessInfo.processInfo.environment

  /// Number of mutated recordings to try; nil for the short run of the tests.
  static let runs = environment["REPTRACE_PAGE_FUZZ"].flatMap(Int.init)
  /// Seed of all random choices of a long run.
  static let seed = environment["REPTRACE_PAGE_FUZZ_SEED"].flatMap(UInt64.init) ?? 0
  /// Folder in which each test of a long run names the run in progress.
  static let progressFolder = environment["REPTRACE_PAGE_FUZZ_PROGRESS"]
  /// The only run to execute, to reproduce a failure.
  static let onlyRun = environment["REPTRACE_PAGE_FUZZ_ONLY"].flatMap(Int.init)

  // MARK: What is mutated

  /// Maximum duration of the mutated part of a recording, in seconds, to which the cost is proportional.
  private static let longest = 40.0

  /// Returns the samples around a recording's first set, whose start is on the recording's clock.
  private static func excerpt(_ samples: MotionBatch, from setStart: Double?) -> MotionBatch {
    let samples = samples.inStandardUnits()
    let times = samples.times
    guard let first = times.first else { return samples }
    let start = max(first, (setStart ?? first) - 5)
    let low = times.firstIndex { $0 >= start } ?? 0
    let high = times[low...].firstIndex { $0 > start + longest } ?? times.count
    return samples[low..<high]
  }

  static func synthetic(count: Int, seed: UInt64) throws -> [Recording] {
    let corpus = SyntheticCorpus(seed: seed, count: count, ordinaryPart: 0.4)
    return try corpus.indices.map { index in
      var options = corpus[index]
      options.sets = 1
      options.reps = 4 + index % 7
      let made = try RecordingSynthesizer(options).make()
      return Recording(
        name: made.name,
        samples: excerpt(made.recording.samples, from: made.truth.first?.start))
    }
  }

  /// Returns evenly spaced files, sorted by path.
  static func real(atMost count: Int) async throws -> [Recording] {
    let names = FileManager.default.enumerator(atPath: RealRecordings.folder.path)?
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".csv") && !$0.hasSuffix("labels.csv") }
    let files = (names ?? []).sorted().map { RealRecordings.folder.path + "/" + $0 }
    let step = files.count > count ? (files.count + count - 1) / count : 1
    let chosen = stride(from: 0, to: files.count, by: step).map { files[$0] }
    var recordings: [Recording] = []
    try await ProcessingPipeline().run(paths: chosen) { outcome in
      guard case .recording(let processed) = outcome else { return }
      for part in processed.parts {
        let samples = excerpt(part.recording.samples, from: part.sets.first?.start)
        guard samples.count > 50 else { continue }
        recordings.append(Recording(name: processed.name, samples: samples))
      }
    }
    return recordings
  }

  // MARK: Runs

  static func runMutations(_ bases: [Recording], runs: Int, _ test: String = #function) throws {
    try forEachRun(of: runs, test) { run in
      var mutation = mutation(run)
      let samples = mutation.mutated(bases)
      let reading = mutation.reading()
      try check(samples, reading: reading, mutation: &mutation, "mutated \(run)")
    }
  }

  static func runPairs(_ bases: [Recording], atMost limit: Int, _ test: String = #function) throws {
    let pairs = pairs(of: bases.count, atMost: limit)
    try forEachRun(of: pairs.count, test) { run in
      let (first, second) = (bases[pairs[run].first], bases[pairs[run].second])
      let samples = Mutation.continued(first.samples, by: second.samples)
      var mutation = mutation(run)
      for reading in [Mutation.Reading.found, .oneSet] {
        try check(
          samples, reading: reading, mutation: &mutation,
          "\(first.name), continued by \(second.name)")
      }
    }
  }

  /// Returns all ordered pairs. If these are too many, pairs each recording with itself, with the next, which
  /// is mostly of the same kind, and with others at random distances. Each occurs equally often.
  private static func pairs(of count: Int, atMost limit: Int) -> [(first: Int, second: Int)] {
    guard count > 0 else { return [] }
    var distances = Array(0..<count)
    var random = RandomSource(seed: seed &+ 1)
    if count > limit / count {
      for place in 2..<max(count, 2) {
        distances.swapAt(place, place + random.integer(below: count - place))
      }
      distances.removeLast(count - min(count, max(1, limit / count)))
    }
    return distances.flatMap { distance in (0..<count).map { ($0, ($0 + distance) % count) } }
  }

  private static func mutation(_ run: Int) -> Mutation {
    Mutation(seed: seed << 32 | UInt64(run))
  }

  private static func forEachRun(
    of count: Int, _ test: String, _ body: (Int) throws -> Void
  ) throws {
    let progress = progressFolder.map { URL(filePath: $0).appending(path: test) }
    for run in 0..<count where onlyRun == nil || onlyRun == run {
      if let progress { try Data("run \(run) of \(count)\n".utf8).write(to: progress) }
      try body(run)
    }
  }

  // MARK: What is checked

  /// Runs all commands for a recording and checks their output.
  private static func check(
    _ samples: MotionBatch, reading: Mutation.Reading, mutation: inout Mutation, _ name: String
  ) throws {
    let recording = Recording(name: name, samples: samples)
    var sets: [CountedSet]
    switch reading {
    case .found: sets = RepDetector.detectSets(in: samples)
    case .oneSet: sets = [RepDetector.countSet(in: samples)]
    case .made: sets = [mutation.madeSet(samples)]
    }
    if sets.isEmpty { sets = [mutation.madeSet(samples)] }
    let processed = ProcessedRecording(
      name: name, parts: [.init(recording: recording, sets: sets)], results: [], warnings: [])
    let item = FigureInput.item(processed)

    // plot
    let figure = item.figure()
    let page = figure.html(facts: SetFacts.of(item))
    #expect(page.hasSuffix("</html>\n"), "\(name)")
    #expect(!containsNonFinite(page), "\(name): a number that is none")
    #expect(figure.svg(width: 700).hasSuffix("</svg>\n"), "\(name)")

    // report
    let analyses = sets.map { SetAnalyzer.analyze($0, samples: item.samples) }
    let counted = sets.indices.map { index in
      let title = item.titles[index]
      let (set, analysis) = (sets[index], analyses[index])
      return ReportPage.AnalyzedSet(
        title: title, set: set, analysis: analysis,
        plot: RecordingFigure(title, set: set, analysis: analysis, samples: item.samples))
    }
    let report = ReportPage(title: name, sets: counted)
    #expect(report.html().hasSuffix("</html>\n"), "\(name)")

    // explain
    for finding in Explanation.findings(of: item) {
      #expect(!finding.json(recording: name).contains("nan"), "\(name)")
      #expect(!finding.words.isEmpty, "\(name)")
    }

    // history show
    for (set, analysis) in zip(sets, analyses) {
      let object = try JSONSerialization.jsonObject(with: Data(AnalysisText.json(analysis).utf8))
      #expect(object is [String: Any], "\(name)")
      let origin = item.samples.times.first ?? 0
      #expect(!AnalysisText.table(set, analysis, origin: origin).lines(width: 80).isEmpty)
      if let curve = analysis.curve { _ = Sparkline.lines(curve, width: 80) }
    }
  }

  /// Returns whether an attribute or a value of the script's data is NaN or infinite. The preceding character
  /// distinguishes such words from the data's base64, which may contain any letters.
  private static func containsNonFinite(_ page: String) -> Bool {
    let none = ["=\"nan", "=\"-nan", "=\"inf", "=\"-inf", ":nan", ":-nan", ":inf", ":-inf"]
    // `contains` would take longer than the code under test.
    return page.withCString { text in none.contains { strstr(text, $0) != nil } }
  }
}

/// A random mutation of a recording, from a seed.
struct Mutation {
  /// Source of the sets.
  enum Reading { case found, oneSet, made }

  private var random: RandomSource

  init(seed: UInt64) { random = RandomSource(seed: seed &* 0x9E37_79B9_7F4A_7C15) }

  mutating func reading() -> Reading {
    switch random.integer(below: 10) {
    case 0..<5: .found
    case 5..<7: .oneSet
    default: .made
    }
  }

  mutating func mutated(_ bases: [Recording]) -> MotionBatch {
    guard !bases.isEmpty else { return MotionBatch() }
    var samples = bases[random.integer(below: bases.count)].samples
    for _ in 0..<(1 + random.integer(below: 3)) {
      if random.integer(below: 8) == 0 {
        samples = Self.continued(samples, by: bases[random.integer(below: bases.count)].samples)
      } else {
        samples = changed(samples)
      }
    }
    return samples
  }

  /// Appends a second recording whose times start 20 ms after the end of the first.
  static func continued(_ first: MotionBatch, by second: MotionBatch) -> MotionBatch {
    var samples = first.inStandardUnits()
    let next = second.inStandardUnits()
    guard let end = samples.times.last, let start = next.times.first else { return samples }
    var later = next
    later[.time] = next.times.map { $0 - start + end + 0.02 }
    samples.append(later)
    return samples
  }

  private mutating func changed(_ original: MotionBatch) -> MotionBatch {
    var samples = original.inStandardUnits()
    let count = samples.count
    let signals = samples.channels.filter { $0 != .time }
    guard count > 2, !signals.isEmpty else { return samples }
    let low = random.integer(below: count - 1)
    let high = low + 1 + random.integer(below: count - low - 1)
    let channel = signals[random.integer(below: signals.count)]
    var times = samples.times
    var values = samples[channel]
    switch random.integer(below: 14) {
    case 0:  // A stretch is missing.
      return samples.selecting(Array(0..<low) + Array(high..<count))
    case 1:  // Only a stretch remains.
      return samples[low..<(high + 1)]
    case 2:  // Values are beyond the sensor's range.
      let factor = [1e-300, 1e-6, 1e3, 32_768, 1e9, 1e38, 1e300, -1][random.integer(below: 8)]
      values = values.map { $0 * factor }
    case 3:  // A sensor is missing for a while, or always.
      for row in low...high { values[row] = .nan }
    case 4:  // A sensor is missing.
      for other in channel.quantity.channels { samples[other] = [] }
      return samples
    case 5:  // Pure rotation: no acceleration, and constant gravity.
      for other in signals where other.quantity != .rotationRate {
        samples[other] = [Double](repeating: other == .gravityZ ? -1 : 0, count: count)
      }
      return samples
    case 6:  // The clock runs at another speed, or is near the largest numbers.
      let factor = [0.01, 0.3, 3, 100][random.integer(below: 4)]
      let shift = [0, 1e9, -1e6, 1e15][random.integer(below: 4)]
      times = times.map { $0 * factor + shift }
    case 7:  // The clock jumps.
      let leap = [0.05, 0.3, 20, 4000, 1e7][random.integer(below: 5)]
      for row in low..<count { times[row] += leap }
    case 8:  // Many samples have the same time.
      for row in low...high { times[row] = times[low] }
    case 9:  // The movement is reversed.
      for other in signals { samples[other] = samples[other].reversed() }
      return samples
    case 10:  // A value is constant.
      for row in low...high { values[row] = values[low] }
    case 11:  // There are spikes.
      for _ in 0..<20 { values[random.integer(below: count)] = random.real() * 2000 - 1000 }
    case 12:  // There is noise everywhere.
      let size = [0.01, 0.5, 5][random.integer(below: 3)]
      for other in signals {
        samples[other] = samples[other].map { $0 + (random.real() - 0.5) * size }
      }
      return samples
    default:  // Stretches are reordered.
      let rows = Array(low...high) + Array(0..<low) + Array((high + 1)..<max(count, high + 1))
      for other in signals {
        let column = samples[other]
        samples[other] = rows.map { column[$0] }
      }
      return samples
    }
    samples[.time] = times
    samples[channel] = values
    return samples
  }

  /// Returns a set as in a damaged or hostile history: reps in any order, overlapping, outside of the
  /// samples, of length 0.
  mutating func madeSet(_ samples: MotionBatch) -> CountedSet {
    let times = samples.inStandardUnits().times
    let (first, last) = (times.first ?? 0, times.last ?? 1)
    let span = max(last - first, 0.1)
    let isOrderly = random.integer(below: 2) == 0
    let count = random.integer(below: 14)
    var reps: [CountedRep] = []
    var begin = first + random.real() * span / 4
    for _ in 0..<count {
      if isOrderly {
        let end = begin + random.real() * 4
        reps.append(CountedRep(start: begin, end: end, confidence: random.real()))
        begin = end + random.real()
      } else {
        let start = first + (random.real() * 1.2 - 0.1) * span
        let end = start + (random.real() * 8 - 1)
        let confidence = [random.real(), .nan, 7][random.integer(below: 3)]
        reps.append(CountedRep(start: start, end: end, confidence: confidence))
      }
    }
    let partials = random.integer(below: 4) == 0 ? Array(reps.prefix(2)) : []
    return CountedSet(
      cause: .detected, start: reps.first?.start ?? first, end: reps.last?.end ?? last,
      reps: reps, partialReps: partials, confidence: random.real())
  }
}

extension RandomSource {
  fileprivate mutating func integer(below limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  fileprivate mutating func real() -> Double { Double(next() >> 11) / Double(UInt64(1) << 53) }
}
