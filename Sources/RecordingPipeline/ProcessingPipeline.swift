import Foundation
import Motion
import MovementAnalysis
import RecordingInput
import RepDetection
import TimelineFormat
import WorkoutHistory

/// What `process` does with its inputs.
public struct ProcessingOptions: Sendable {
  /// Each recording holds exactly one set.
  public var oneSet: Bool
  public var loading: LoadingOptions
  public var detector: DetectorConfiguration
  /// How recordings are prepared for a history; nil where they are not to be saved.
  package var storage: StorageOptions?
  /// What is known of the recordings beside their samples.
  package var labels = RecordingLabels()
  /// What is known of how people move, by the name that labels give them, in capitals; an empty name where
  /// they give none.
  public var knownMovements: [String: KnownMovements] = [:]
  /// Recordings that are counted at the same time; nil for as many as there are processors.
  public var jobs: Int?

  public init(
    oneSet: Bool = false, loading: LoadingOptions = LoadingOptions(),
    detector: DetectorConfiguration = DetectorConfiguration()
  ) {
    self.oneSet = oneSet
    self.loading = loading
    self.detector = detector
  }
}

/// A recording with the sets that were counted in it.
public struct ProcessedRecording: Sendable {
  /// Samples that were counted as a whole, and the sets in them.
  public struct Part: Sendable {
    public var recording: Recording
    /// Times on the samples' clock.
    public var sets: [CountedSet]
    /// Compressed for a history, where ``ProcessingOptions/storage`` asks for it.
    package var prepared: Result<PreparedRecording, any Error>?

    package init(recording: Recording, sets: [CountedSet]) {
      self.recording = recording
      self.sets = sets
    }

    /// Analyses and compresses it for a history.
    func prepare(
      _ storage: StorageOptions, _ label: RecordingLabel = RecordingLabel(), origin: Double = 0
    ) -> Result<PreparedRecording, any Error> {
      Result {
        try PreparedRecording(
          label.applied(to: recording, origin: origin), sets: sets, storage)
      }
    }
  }

  /// Its path as given, or the folder of its chunk files.
  public var name: String
  /// In order of time; several where it names several sets.
  public var parts: [Part]
  /// One for each set, in order of time.
  public var results: [SetResult]
  public var warnings: [String]
  /// What was unusual about the chunks of each set without being lost: late, twice, gaps.
  public var notes: [String] = []
  /// What is known of it beside its samples.
  package var label = RecordingLabel()

  /// The recordings of ``parts``, with what the label says of them.
  package var labeled: [Recording] {
    let origin = parts.compactMap(\.recording.samples.firstSeconds).min() ?? 0
    return parts.map { label.applied(to: $0.recording, origin: origin) }
  }
}

extension ProcessedRecording.Part {
  /// The movement curves of its sets, as a timeline stores them.
  public var movementCurves: [[MovementPoint]] {
    MovementCurve.storedPoints(of: sets, in: recording)
  }
}

/// What became of one input.
public enum ProcessingOutcome: Sendable {
  case recording(ProcessedRecording)
  case failed(InputFailure)
  /// A file in a folder that is no recording.
  case skipped(String)
}

/// Decodes recordings, finds the sets and counts the reps, in parallel over the cores.
public struct ProcessingPipeline: Sendable {
  public var options: ProcessingOptions

  public init(options: ProcessingOptions = ProcessingOptions()) {
    self.options = options
  }

  /// Processes files and folders.
  ///
  /// - Parameters:
  ///   - isolation: the caller's, on which `deliver` is called; the work is done elsewhere.
  ///   - deliver: called in the order of the paths and of the files in them, each as soon as those
  ///     before it are done. What it throws ends the run.
  /// - Throws: What `deliver` throws. A recording that cannot be read is
  ///   delivered as ``ProcessingOutcome/failed(_:)``, not thrown.
  public func run(
    paths: [String], isolation: isolated (any Actor)? = #isolation,
    deliver: (ProcessingOutcome) throws -> Void
  ) async throws {
    let inputs = InputScanner.scan(paths)
    let loader = RecordingLoader(options: options.loading)
    let units = try await loader.plan(inputs)
    var skipped = Set<String>()
    var overlaps = SensorFileOverlaps()
    let pipeline = try resolved(for: units)
    try await mapInOrder(
      units, width: width,
      { unit in loader.load(unit).map { Counted($0, by: pipeline) } },
      deliver: { outcomes in
        for counted in outcomes {
          switch counted {
          case .other(let outcome):
            if case .skipped(let path) = outcome { skipped.insert(path) }
            try deliver(outcome)
          case .recording(let loaded, var processed):
            if let warning = SensorFileSpan(loaded).flatMap({ overlaps.warning(for: $0) }) {
              processed.warnings.append(warning)
            }
            try deliver(.recording(processed))
          }
        }
      })
    for failure in foldersWithoutRecording(inputs, skipped: skipped) {
      try deliver(.failed(failure))
    }
  }

  /// Recordings at the same time.
  var width: Int { options.jobs ?? ProcessInfo.processInfo.activeProcessorCount }

  /// The pipeline with labels that have seen the names of all recordings.
  ///
  /// - Throws: `NamePattern.Failure` if the pattern of names does not fit them.
  func resolved(for units: [RecordingLoader.Unit]) throws -> ProcessingPipeline {
    var pipeline = self
    if !options.labels.isEmpty {
      pipeline.options.labels = try options.labels.resolved(for: units.compactMap(\.name))
    }
    return pipeline
  }

  /// What a worker hands over: a recording with what it was made from, or why there is none.
  private enum Counted: Sendable {
    case recording(LoadedRecording, ProcessedRecording)
    case other(ProcessingOutcome)

    init(_ loaded: RecordingLoader.Loaded, by pipeline: ProcessingPipeline) {
      switch loaded {
      case .failed(let failure): self = .other(.failed(failure))
      case .skipped(let path): self = .other(.skipped(path))
      case .recording(let recording): self = .recording(recording, pipeline.process(recording))
      }
    }
  }

  /// Counts the sets of one recording, its parts in parallel.
  package func process(_ loaded: LoadedRecording) -> ProcessedRecording {
    let label = options.labels.label(ofRecording: loaded.name)
    let origin = loaded.origin
    let movements = options.knownMovements[(label.user ?? "").uppercased()]
    let parts = mapInParallel(loaded.parts.count) { index -> ProcessedRecording.Part in
      var recording = loaded.parts[index].recording
      recording.identity = recording.identity.storable
      var detector = options.detector
      var storage = options.storage
      if let movements {
        let span = label.applied(to: recording, origin: origin).unixTimes
        detector.hints.patterns += movements.patterns(
          exceptFrom: span, for: recording.samples)
        storage?.provenance = .ofThisBuild(detector: detector)
      }
      let sets = loaded.countSets(inPart: index, oneSet: options.oneSet, configuration: detector)
      var processed = ProcessedRecording.Part(recording: recording, sets: sets)
      processed.prepared = storage.map { processed.prepare($0, label, origin: origin) }
      return processed
    }
    let known = label.exercise == nil ? movements : nil
    var number = 0
    let results = parts.flatMap { part in
      part.sets.map { set in
        number += 1
        var result = SetResult(
          set, recording: loaded.name, number: number, identity: part.recording.identity,
          origin: origin)
        result.label = label
        if let known, part.recording.identity.exerciseId == nil {
          result.exerciseCandidate = known.candidate(
            for: set, in: part.recording.samples,
            unixTime: label.applied(to: part.recording, origin: origin)
              .unixTime(atSeconds: set.start))
        }
        return result
      }
    }
    let lostIds = zip(loaded.parts, parts).contains {
      $0.recording.identity != $1.recording.identity
    }
    return ProcessedRecording(
      name: loaded.name, parts: parts, results: results,
      warnings: loaded.warnings + (lostIds ? ["ids that hold U+0000 are left out"] : []),
      notes: loaded.notes, label: label)
  }

  func foldersWithoutRecording(
    _ inputs: [ScannedInput], skipped: Set<String>
  ) -> [InputFailure] {
    inputs.compactMap { input in
      guard case .folder = input.kind, input.files.allSatisfy({ skipped.contains($0.path) }) else {
        return nil
      }
      return InputFailure(
        path: input.path, kind: .noRecording,
        message: input.files.isEmpty
          ? "expected recordings, found an empty folder"
          : "expected recordings, found none among \(input.files.count) files")
    }
  }
}

extension Recording {
  /// When its first sample and its last were measured, seconds since 1970; nil where nobody knows.
  fileprivate var unixTimes: ClosedRange<Double>? {
    let scale = samples.units.time.unitsPerSecond
    guard
      let begin = samples.times.first.flatMap({ unixTime(atSeconds: $0 / scale) }),
      let end = samples.times.last.flatMap({ unixTime(atSeconds: $0 / scale) }), begin <= end
    else { return nil }
    return begin...end
  }
}
