@_exported import HistoryStorage
