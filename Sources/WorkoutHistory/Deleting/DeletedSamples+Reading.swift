import GRDB

extension DeletedSamples {
  static func fetch(
    _ db: Database, recording name: SetName, user: HistoryUser.ID
  ) throws -> [DeletedSamples] {
    try Row.fetchAll(
      db,
      cached: """
        SELECT setKey, firstSample, endSample FROM deleted_samples
        WHERE userId = ?1 AND (
          recordingKey = ?2 AND (sessionKey IS NULL OR sessionKey = ?3)
          OR recordingKey = '' AND sessionKey = ?3 AND ?3 <> '')
        ORDER BY firstSample, id
        """, arguments: [user, name.key, name.session]
    ).map {
      DeletedSamples(
        setKey: try $0.value("setKey"), firstSample: try $0.value("firstSample"),
        endSample: try $0.value("endSample"))
    }
  }
}
