/// The limits of a ``StreamSession``, which bound its state.
package struct SessionLimits: Sendable {
  /// Number of open sets. Beyond it the one that was silent longest is finalized.
  package var openSets = 16
  /// Number of ended sets that are kept for late chunks. A chunk for an earlier set is refused.
  package var endedSets = 8
  /// Number of samples of one set, or of a session's samples outside of declared sets.
  package var samplesPerSet = 1_000_000
  /// Number of samples and health readings in all.
  package var samples = 1_000_000
  /// Maximum number of bytes of the messages of all sets in memory. Above it all sets are finalized and released.
  package var messageBytes = 48 << 20

  package init() {}

  func apply(to options: inout StreamOptions) {
    options.keepsJournal = true
    options.isSession = true
    options.replaysInput = false
    options.workers = 1
    options.liveSets = openSets
    options.endedSets = endedSets
    options.samplesPerSet = samplesPerSet
    options.samples = samples
  }
}
