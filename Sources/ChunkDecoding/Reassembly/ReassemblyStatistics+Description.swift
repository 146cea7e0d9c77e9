extension ReassemblyStatistics {
  /// What was unusual, in words; nil where nothing was.
  ///
  /// Rows that a file repeats, chunks that came late or twice, samples that share their time with
  /// another: nothing of it is lost, but who looks at a recording wants to know.
  package var unusual: String? {
    func many(_ count: Int, _ one: String, _ more: String? = nil) -> String? {
      count == 0 ? nil : "\(count) \(count == 1 ? one : more ?? one + "s")"
    }
    let seconds = gaps.reduce(0) { $0 + $1.end - $1.start }
    let length = seconds < 1e9 ? "\((seconds * 10).rounded() / 10) s" : "very long"
    let parts = [
      many(lateChunks, "late chunk"),
      many(repeatedChunks, "repeated chunk"),
      many(overlappingChunks, "overlapping chunk"),
      many(emptyChunks, "chunk without samples", "chunks without samples"),
      many(duplicateSamples, "exact duplicate").map { $0 + " dropped" },
      many(conflictingSamples, "sample").map { $0 + " in contradiction to others, kept" },
      many(samplesSharingTime, "sample").map { $0 + " at the time of the one before" },
      many(backwardSteps, "step").map { $0 + " back in time put in order" },
      many(gaps.count, "gap").map { $0 + " (\(length) in all)" },
      many(clockJumps, "jump").map { $0 + " of the clock" },
      hasRebuiltTimes ? "times rebuilt from whole seconds" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
