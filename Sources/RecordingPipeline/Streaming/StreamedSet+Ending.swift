import ChunkDecoding
import Motion
import RecordingInput
import RepDetection
import WorkoutHistory

/// The end of a set, and late messages.
extension StreamedSet {
  /// Ends the set and finalizes it; returns nil if there is nothing to finalize.
  func end(_ emit: (StreamEvent) -> Void) -> Recording? {
    guard case .open(let open) = state else { return nil }
    open.feed.flush(stored: liveChunk, deliver: { deliver($0, to: open, emit) })
    state = .final(FinalAnswer())
    guard isWorthKeeping else { return nil }
    let recording = samples.assembled(identity)
    let time = recording.lastTimeSeconds
    var answer = FinalAnswer()
    answer.note(recording)
    switch kind {
    case .declared:
      let seen = open.hasSeenAll(of: recording) ? open.declaredCount?.finalized() : nil
      let set = seen ?? counted(recording)[0]
      answer.sets = [set]
      start(open, at: time, emit)
      self.emit(
        announced.declared(
          set, after: open.declaredCount, announcesEqual: !open.needsResumeEvent), at: time, emit)
    case .found:
      var seen: [CountedSet]?
      if open.hasSeenAll(of: recording) {
        seen = open.finishFound { announce($0, at: $1, number: $2, open, emit) }
      }
      answer.sets = seen ?? counted(recording)
      self.emit(announced.found(answer.sets), at: time, emit)
    case .rest: break
    }
    state = .final(answer)
    return recording
  }

  private func counted(_ recording: Recording) -> [CountedSet] {
    switch kind {
    case .declared:
      [
        RepDetector.countSet(
          in: recording.samples, phases: recording.phases, configuration: options.detector)
      ]
    case .found:
      RepDetector.detectSets(
        in: recording.samples, phases: recording.phases, configuration: options.detector)
    case .rest: []
    }
  }

  /// Turns detected sets into rest, because the session has declared sets and the samples between are rest.
  ///
  /// - Returns: The recording to be saved; nil if the set is open or was not a detected one.
  func becomeRest(_ emit: (StreamEvent) -> Void) -> Recording? {
    guard kind == .found else { return nil }
    kind = .rest
    isJournaled = false
    switch state {
    case .open(let open):
      self.emit(announced.cancelAll(), at: open.feed.newest, emit)
      open.becomeRest()
      return nil
    case .final(var answer):
      self.emit(announced.cancelAll(), at: samples.lastTime, emit)
      answer.sets = []
      state = .final(answer)
    case .stale(var answer, let uncounted):
      self.emit(announced.cancelAll(), at: samples.lastTime, emit)
      answer.sets = []
      state = .stale(answer, uncounted: uncounted)
    }
    return samples.assembled(identity)
  }

  // MARK: - After the end

  /// Number of late chunks that are counted individually. Later ones are counted once they make up an
  /// eighth of the set, or when it is saved, so that the cost stays proportional to their size.
  private static let revisionsOneByOne = 8

  func extend(
    _ answer: FinalAnswer, uncounted: Int,
    by added: (chunk: DecodedChunk, live: DecodedChunk, stored: StoredChunk),
    _ emit: (StreamEvent) -> Void
  ) -> Reception {
    if let rest = rest(of: answer, extendedBy: added), let set = answer.sets.first {
      var answer = answer
      answer.rest = rest
      answer.contentHash = nil
      state = .stale(answer, uncounted: uncounted)
      self.emit(announced.revised(set), at: rest.upperBound, emit)
      return .extended
    }
    let uncounted = uncounted + added.stored.count
    guard answer.revisions < Self.revisionsOneByOne || 8 * uncounted >= samples.count else {
      state = .stale(answer, uncounted: uncounted)
      return .extended
    }
    var answer = answer
    answer.revisions += 1
    let recording = samples.assembled(identity)
    return revise(answer, to: recording, emit) ? .revised(recording) : .unchanged
  }

  /// Returns the extended rest after a set if a late chunk only continues it. A watch keeps sending while
  /// its wearer rests. Samples after a second of rest do not affect the count and can be saved later.
  private func rest(
    of answer: FinalAnswer,
    extendedBy added: (chunk: DecodedChunk, live: DecodedChunk, stored: StoredChunk)
  ) -> ClosedRange<Double>? {
    guard kind == .declared, added.chunk.phase == .rest, added.chunk.timeResolution == .exact,
      let set = answer.sets.first, !set.reps.isEmpty, let rest = answer.rest,
      rest.upperBound - rest.lowerBound >= 1, let first = added.stored.first,
      let last = added.stored.last, first > rest.upperBound
    else { return nil }
    return rest.lowerBound...last
  }

  /// Counts the set again.
  ///
  /// - Returns: Whether any sample is new.
  private func revise(
    _ answer: FinalAnswer, to recording: Recording, _ emit: (StreamEvent) -> Void
  ) -> Bool {
    guard recording.contentHash != answer.contentHash else {
      // Only readings may have arrived.
      if case .stale = state {
        state = .stale(answer, uncounted: 0)
      } else {
        state = .final(answer)
      }
      return false
    }
    var answer = answer
    answer.note(recording)
    answer.sets = counted(recording)
    state = .final(answer)
    let time = recording.lastTimeSeconds
    switch kind {
    case .declared: self.emit(answer.sets.flatMap { announced.revised($0) }, at: time, emit)
    case .found: self.emit(announced.found(answer.sets), at: time, emit)
    case .rest: break
    }
    return true
  }

  /// Returns the recording with everything since it was saved, recounted if needed; nil if nothing was added.
  func saveExtension(_ emit: (StreamEvent) -> Void) -> Recording? {
    guard case .stale(var answer, let uncounted) = state else { return nil }
    let recording = samples.assembled(identity)
    state = .final(answer)
    if uncounted > 0 {
      _ = revise(answer, to: recording, emit)
    } else {
      answer.note(recording)
      state = .final(answer)
    }
    return recording
  }
}
