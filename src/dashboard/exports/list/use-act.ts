import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { ExportOverview } from '../../../contract/overview.ts'
import { useAccount } from '../../account.ts'
import { deleteLater, retryFailedLater, setPaused } from './act.ts'
import { deedWords, named, possibleFor, type Deed } from './deeds.ts'
import type { BatchProgress } from '../../ui/list/floating-bar.tsx'

type Rows = readonly ExportOverview[]

/** Does what was asked for with those of the rows that it is possible for. `onBackfill` asks for the period first. */
export function useAct({
  onBackfill,
  onDelete,
}: {
  onBackfill: (rows: Rows) => void
  onDelete: (rows: Rows) => void
}) {
  const client = useQueryClient()
  const { scopes } = useAccount()
  const [progress, setProgress] = useState<BatchProgress | null>(null)
  const pause = useCallback(
    async (rows: Rows, paused: boolean) => {
      const doing = `${deedWords[paused ? 'pause' : 'unpause'].doing} ${named(rows)}`
      const show = (ended: number) => setProgress({ doing, ended, of: rows.length })
      if (rows.length > 1) show(0)
      await setPaused(client, rows, paused, rows.length > 1 ? show : undefined)
      setProgress(null)
    },
    [client],
  )
  const act = useCallback(
    (deed: Deed, given: Rows) => {
      const { rows } = possibleFor(deed, given, scopes)
      if (rows.length === 0) return
      switch (deed) {
        case 'pause':
        case 'unpause':
          return void pause(rows, deed === 'pause')
        case 'backfill':
          return onBackfill(rows)
        case 'retry':
          return retryFailedLater(client, rows)
        case 'delete':
          onDelete(rows)
          return deleteLater(client, rows)
      }
    },
    [client, scopes, pause, onBackfill, onDelete],
  )
  return { act, progress }
}
