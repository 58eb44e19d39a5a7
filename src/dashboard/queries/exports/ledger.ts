import { formatInstant } from '../../../contract/instant.ts'
import type { Window } from '../../../contract/interval.ts'
import type { Ledger, LedgerFlags, VerifyMode } from '../../../contract/runs/ledger.ts'
import { call, callForBytes } from '../../api/call.ts'
import { saveFile } from '../../ui/save-file.ts'
import { endpointQuery, keepRowsOf } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'
import { live } from '../live.ts'

type Source = { projectId: string; id: string }

const paramsOf = ({ projectId, id }: Source) => ({ project_id: projectId, id })
const queryOf = ({ start, end }: Window) => ({ start: formatInstant(start), end: formatInstant(end) })

/** The windows of a period (milliseconds), a page at a time. */
export function ledgerQuery(source: Source, period: Window, cursor: string | undefined) {
  const params = paramsOf(source)
  return {
    ...endpointQuery('ledgerOfBatchExport', { params, query: { ...queryOf(period), cursor } }),
    placeholderData: keepRowsOf(params),
    ...live((ledger: Ledger) =>
      ledger.verification?.status === 'Running' || ledger.totals.states['pending'] ? 'running' : 'resting',
    ),
  }
}

/** The windows of a period (milliseconds) that have flags. */
export function ledgerFlagsQuery(source: Source, period: Window) {
  const params = paramsOf(source)
  return {
    ...endpointQuery('flagsOfLedger', { params, query: queryOf(period) }),
    placeholderData: keepRowsOf(params),
    ...live<LedgerFlags>(() => 'settled'),
  }
}

/** Verifies the windows that start at the given times, or all of a period. */
export function useVerify(source: Source) {
  return useChange(
    (windows: readonly string[] | Window) =>
      call('verifyLedger', {
        params: paramsOf(source),
        body: 'start' in windows ? queryOf(windows) : { windows: [...windows] },
      }),
    ['ledgerOfBatchExport', 'flagsOfLedger'],
  )
}

export function useVerifyMode(source: Source) {
  return useChange(
    (verify: VerifyMode) => call('updateLedger', { params: paramsOf(source), body: { verify } }),
    ['ledgerOfBatchExport', 'changesOfBatchExport'],
  )
}

/** Saves a period's windows as CSV, or its signed receipt as JSON. */
export async function downloadLedger(
  source: Source,
  period: Window,
  kind: 'csv' | 'receipt',
  fileName: string,
): Promise<void> {
  const endpoint = kind === 'csv' ? 'downloadLedger' : 'receiptOfLedger'
  const bytes = await callForBytes(endpoint, { params: paramsOf(source), query: queryOf(period) })
  saveFile(fileName, new Blob([bytes], { type: kind === 'csv' ? 'text/csv' : 'application/json' }))
}
