import Foundation
import Motion
import MovementAnalysis
import RecordingInput
import RepDetection
import TimelineFormat
import WorkoutHistory

/// Options of `process`.
public struct ProcessingOptions: Sendable {
  /// True if each recording holds exactly one set.
  public var oneSet: Bool
  public var loading: LoadingOptions
  public var detector: DetectorConfiguration
  /// Storage options, if recordings are to be saved in a history; otherwise nil.
  package var storage: StorageOptions?
  package var labels = RecordingLabels()
  /// Known movements by the label's user in capitals; the empty name is for labels without a user.
  public var knownMovements: [String: KnownMovements] = [:]
  /// Number of recordings counted in parallel; nil for the number of processors.
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
  /// Samples that were counted as a unit, with the sets in them.
  public struct Part: Sendable {
    public var recording: Recording
    /// Sets with times on the samples' clock.
    public var sets: [CountedSet]
    /// The recording compressed for a history, if ``ProcessingOptions/storage`` is set.
    package var prepared: Result<PreparedRecording, any Error>?

    /// Analyzes and compresses the recording for a history.
    func prepare(
      _ storage: StorageOptions, _ label: RecordingLabel = RecordingLabel(), origin: Double = 0
    ) -> Result<PreparedRecording, any Error> {
      Result {
        try PreparedRecording(label.applied(to: recording, origin: origin), sets: sets, storage)
      }
    }
  }

  /// The recording's path as given, or the folder of its chunk files.
  public var name: String
  /// Parts in chronological order; several if the recording names several sets.
  public var parts: [Part]
  /// One result per set, in chronological order.
  public var results: [SetResult]
  public var warnings: [String]
  /// Harmless irregularities in each set's chunks: late or repeated chunks, gaps.
  public var notes: [String] = []
  package var label = RecordingLabel()

  /// The recordings of ``parts``, with the label applied.
  package var labeled: [Recording] {
    let origin = parts.compactMap(\.recording.samples.firstSeconds).min() ?? 0
    return parts.map { label.applied(to: $0.recording, origin: origin) }
  }
}

extension ProcessedRecording.Part {
  /// The movement curves of the part's sets, as stored in a timeline.
  public var movementCurves: [[MovementPoint]] {
    MovementCurve.storedPoints(of: sets, in: recording)
  }
}

/// The outcome of one input.
public enum ProcessingOutcome: Sendable {
  case recording(ProcessedRecording)
  case failed(InputFailure)
  /// A file in a folder that is not a recording.
  case skipped(String)
}

/// Decodes recordings, finds the sets and counts the reps, using all cores.
public struct ProcessingPipeline: Sendable {
  public var options: ProcessingOptions

  public init(options: ProcessingOptions = ProcessingOptions()) { self.options = options }

  /// Processes files and folders.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor, on which `deliver` is called; the work runs elsewhere.
  ///   - deliver: Called in the order of the paths and of the files in them, once all earlier ones are
  ///     done. An error that it throws ends the run.
  /// - Throws: Errors of `deliver`. A recording that cannot be read is delivered as
  ///   ``ProcessingOutcome/failed(_:)``, not thrown.
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

  /// Number of recordings processed in parallel.
  var width: Int { options.jobs ?? ProcessInfo.processInfo.activeProcessorCount }

  /// Returns the pipeline with labels resolved against the names of all recordings.
  ///
  /// - Throws: `NamePattern.Failure` if the pattern of names does not fit them.
  func resolved(for units: [RecordingLoader.Unit]) throws -> ProcessingPipeline {
    var pipeline = self
    if !options.labels.isEmpty {
      pipeline.options.labels = try options.labels.resolved(for: units.compactMap(\.name))
    }
    return pipeline
  }

  /// A worker's result: a loaded recording and its counts, or the outcome of any other input.
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

  /// Counts the sets of one recording, with its parts in parallel.
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
        detector.hints.patterns += movements.patterns(exceptFrom: span, for: recording.samples)
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

  func foldersWithoutRecording(_ inputs: [ScannedInput], skipped: Set<String>) -> [InputFailure] {
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
  /// Dates of the first and the last sample, in seconds since 1970; nil if unknown.
  fileprivate var unixTimes: ClosedRange<Double>? {
    let scale = samples.units.time.unitsPerSecond
    guard
      let begin = samples.times.first.flatMap({ unixTime(atSeconds: $0 / scale) }),
      let end = samples.times.last.flatMap({ unixTime(atSeconds: $0 / scale) }), begin <= end
    else { return nil }
    return begin...end
  }
}
