/// The rows written by saving a recording (`HistoryStore.save`).
public struct SavedRecording: Sendable, Hashable {
  public struct SavedSet: Sendable, Hashable {
    public var id: HistorySetRow.ID
    public var key: HistorySetRow.Key
    /// True if the set was not in the history before.
    package var isNew: Bool
  }

  package var id: HistoryRecordingRow.ID
  /// The recording's permanent key: its set's id, or its samples' digest.
  public var key: HistoryRecordingRow.Key
  package var isNew: Bool
  public var sets: [SavedSet]
  /// True if the recording belongs to a workout in progress.
  package var isUnderWay = false
}
