// Functions have the names that C calls them by.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRepTrace
import Motion
import MovementAnalysis
import RepDetection
import TextFormats

/// A set whose reps can be lent to C.
final class LentSet: Sendable {
  let set: CountedSet
  private let reps: LentValues<reptrace_rep>
  private let partialReps: LentValues<reptrace_rep>

  init(_ set: CountedSet) {
    self.set = set
    reps = LentValues(set.reps.map(reptrace_rep.init))
    partialReps = LentValues(set.partialReps.map(reptrace_rep.init))
  }

  func write(to result: UnsafeMutablePointer<reptrace_set>, _ name: String) throws {
    try checkSize(result.pointee.struct_size, of: reptrace_set.self, name)
    result.pointee.cause = UInt8(set.cause == .declared ? REPTRACE_DECLARED : REPTRACE_DETECTED)
    result.pointee.start = set.start
    result.pointee.end = set.end
    result.pointee.confidence = set.confidence
    result.pointee.reps = reps.pointer
    result.pointee.rep_count = reps.count
    result.pointee.partial_reps = partialReps.pointer
    result.pointee.partial_rep_count = partialReps.count
  }
}

extension reptrace_rep {
  init(_ rep: CountedRep) {
    self.init(start: rep.start, end: rep.end, confidence: rep.confidence)
  }
}

/// `reptrace_sets`.
final class LentSets: Sendable {
  let sets: [LentSet]
  /// The samples in which each set was counted.
  private let samples: [MotionBatch]

  init(_ counted: [(sets: [CountedSet], samples: MotionBatch)]) {
    sets = counted.flatMap { $0.sets.map(LentSet.init) }
    samples = counted.flatMap { Array(repeating: $0.samples, count: $0.sets.count) }
  }

  func set(_ index: Int) throws -> LentSet {
    try checkIndex(index, of: sets.count, "sets")
    return sets[index]
  }

  func analysis(_ index: Int) throws -> SetAnalysis {
    SetAnalyzer.analyze(try set(index).set, samples: samples[index])
  }
}

extension SetAnalysis {
  /// All figures as JSON, by their names in `docs/analysis.md`, including fatigue.
  var json: String {
    func add<Analysis>(
      _ figures: [Figure<Analysis>], of analysis: Analysis, to object: inout JSONObjectText
    ) {
      for figure in figures {
        let value = figure.value(analysis).flatMap { $0.isFinite ? "\($0)" : nil }
        object.add(figure.key, .json(value ?? "null"))
      }
    }
    var object = JSONObjectText()
    add(Self.figures, of: self, to: &object)
    if let fatigue { add(Fatigue.figures, of: fatigue, to: &object) }
    let reps = reps.map { rep in
      var object = JSONObjectText()
      add(RepAnalysis.figures, of: rep, to: &object)
      return object.text
    }
    object.add("reps", .list(reps))
    return object.text
  }
}

@c @implementation
public func reptrace_sets_count(
  _ samples: UnsafePointer<reptrace_samples>?, _ declared: Int32,
  _ hints: UnsafePointer<reptrace_hints>?, _ sets: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let samples = try required(samples, "samples").pointee
    let result = try required(sets, "sets")
    let batch = try MotionBatch(samples)
    let phases = try PhaseSpan.spans(of: samples)
    let configuration = try DetectorConfiguration(hints: hints)
    let counted =
      declared != 0
      ? [RepDetector.countSet(in: batch, phases: phases, configuration: configuration)]
      : RepDetector.detectSets(in: batch, phases: phases, configuration: configuration)
    result.pointee = Handle.create(LentSets([(counted, batch)]))
  }
}

@c @implementation
public func reptrace_sets_size(_ sets: OpaquePointer?) -> Int {
  sets.map { Handle.object($0, as: LentSets.self).sets.count } ?? 0
}

@c @implementation
public func reptrace_sets_get(
  _ sets: OpaquePointer?, _ index: Int, _ set: UnsafeMutablePointer<reptrace_set>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let found = try Handle.object(sets, "sets", as: LentSets.self).set(index)
    try found.write(to: required(set, "set"), "set")
  }
}

@c @implementation
public func reptrace_sets_analyze(
  _ sets: OpaquePointer?, _ index: Int, _ analysis: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let all = try Handle.object(sets, "sets", as: LentSets.self)
    let result = try required(analysis, "analysis")
    result.pointee = Handle.create(LentValues(try all.analysis(index).json.utf8))
  }
}

@c @implementation
public func reptrace_sets_destroy(_ sets: OpaquePointer?) {
  Handle.destroy(sets, LentSets.self)
}
