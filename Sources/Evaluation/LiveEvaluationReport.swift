import Motion

/// One set that was followed while its samples came in.
public struct FollowedSet: Sendable {
  public var recording: String
  public var cause: SetCause
  public var timing: LiveTiming
  /// Seconds from the first rep's begin until the set was announced; nil for declared sets.
  public var recognitionSeconds: Double?
}

/// The sets of one recording that were followed.
public struct FollowedRecording: Sendable {
  public var sets: [FollowedSet] = []
  /// Announced sets that were cancelled, or that lie on no labelled set.
  public var falseSets = 0
}

/// How soon reps are told, over many sets.
public struct LiveEvaluationReport: Sendable {
  /// The figures of sets with one cause.
  public struct Figures: Sendable {
    public var sets: Int
    public var reps: Int
    /// Seconds from a rep's end to its event, median over the sets' first and second reps; nil
    /// where there is none. A rep that was never told is later than any other.
    public var firstRepMedian: Double?
    public var secondRepMedian: Double?
    /// First reps that were told within 0.7 s, early ones included.
    public var firstRepsSoon: Int
    /// Reps told within half a second of their end.
    public var repsInTime: Int
    public var looks: Int
    public var rightLooks: Int
    public var corrections: Int
    /// Median seconds from the first rep's begin to the announcement; nil for declared sets.
    public var recognitionMedian: Double?

    init(_ sets: [FollowedSet]) {
      let counted = sets.filter { !$0.timing.delays.isEmpty }
      self.sets = sets.count
      reps = counted.reduce(0) { $0 + $1.timing.delays.count }
      func delays(ofRep index: Int) -> [Double] {
        counted.filter { $0.timing.delays.count > index }
          .map { $0.timing.delays[index] ?? .infinity }
      }
      firstRepMedian = Self.median(delays(ofRep: 0))
      secondRepMedian = Self.median(delays(ofRep: 1))
      firstRepsSoon = delays(ofRep: 0).count { $0 <= 0.7 }
      repsInTime = counted.reduce(0) { $0 + $1.timing.repsInTime }
      looks = sets.reduce(0) { $0 + $1.timing.looks }
      rightLooks = sets.reduce(0) { $0 + $1.timing.rightLooks }
      corrections = sets.reduce(0) { $0 + $1.timing.corrections }
      recognitionMedian = Self.median(sets.compactMap(\.recognitionSeconds))
    }

    /// The lower of the two in the middle, so that it is one of the values.
    private static func median(_ values: [Double]) -> Double? {
      guard !values.isEmpty else { return nil }
      let value = values.sorted()[(values.count - 1) / 2]
      return value.isFinite ? value : nil
    }

    public var shareInTime: Double? { share(repsInTime, of: reps) }
    public var shareRight: Double? { share(rightLooks, of: looks) }
    public var correctionsPerSet: Double? { share(corrections, of: sets) }

    private func share(_ part: Int, of whole: Int) -> Double? {
      whole > 0 ? Double(part) / Double(whole) : nil
    }
  }

  public var sets: [FollowedSet]
  /// Each labelled set declared, with two seconds on both sides; rows without a span the whole file.
  public var declared: Figures
  /// Whole recordings, in which sets are looked for.
  public var found: Figures
  public var falseSets: Int

  public init(_ recordings: [FollowedRecording]) {
    sets = recordings.flatMap(\.sets)
    declared = Figures(sets.filter { $0.cause == .declared })
    found = Figures(sets.filter { $0.cause == .detected })
    falseSets = recordings.reduce(0) { $0 + $1.falseSets }
  }
}
