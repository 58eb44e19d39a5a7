import { overviewEndpoints } from './overview.ts'

/** Endpoints whose responses contain runs or their results; invalidated whenever a run starts or stops. */
export const runEndpoints = [
  'listRuns',
  'getRun',
  'getStandaloneRun',
  'coverageOfBatchExport',
  'listBackfills',
  'getBatchExport',
  'logsOfBatchExport',
  ...overviewEndpoints,
] as const
