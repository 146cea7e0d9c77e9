@_exported import HistoryStorage
@_exported import TrainingPlans
