import type { ExportOverview } from '../../../contract/exports/overview.ts'

/** A dialog of the list, and the exports for which it was opened. */
export type OpenedDialog = { kind: 'pause' | 'backfill' | 'curl'; of: readonly ExportOverview[] }
