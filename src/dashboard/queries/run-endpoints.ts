import { overviewEndpoints } from './overview.ts'

/** Everything that shows runs or what they have come to; stale whenever one is started or stopped. */
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
