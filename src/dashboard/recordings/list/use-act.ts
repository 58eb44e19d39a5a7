import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import type { BatchProgress } from '../../ui/list/floating-bar.tsx'
import { deleteLater, keep, setWatched } from './act.ts'
import { possibleFor, type Deed } from './deeds.ts'
import { namedRecordings } from '../../words/recording-name.ts'

type Rows = readonly SessionRecording[]
/** What shows something of the recordings instead of changing them. */
export type Shown = { what: 'share' | 'summarize'; rows: Rows }

/** Does what was asked for with those of the rows that it is possible for. `onShow` opens what somebody has to look at. */
export function useAct({
  onShow,
  onDelete,
}: {
  onShow: (shown: Shown) => void
  onDelete: (rows: Rows) => void
}) {
  const client = useQueryClient()
  const { scopes, projectId } = useAccount()
  const [progress, setProgress] = useState<BatchProgress | null>(null)
  const act = useCallback(
    (deed: Deed, given: Rows) => {
      const { rows } = possibleFor(deed, given, scopes)
      if (rows.length === 0) return
      const many = async (doing: string, send: (onProgress: (ended: number) => void) => Promise<void>) => {
        const show = (ended: number) =>
          setProgress({ doing: `${doing} ${namedRecordings(rows)}`, ended, of: rows.length })
        if (rows.length > 1) show(0)
        await send(rows.length > 1 ? show : () => undefined)
        setProgress(null)
      }
      switch (deed) {
        case 'share':
        case 'summarize':
          return onShow({ what: deed, rows })
        case 'keep':
          return void many('Keeping', (onProgress) => keep({ client, projectId, onProgress }, rows))
        case 'watched':
        case 'unwatched':
          return void many('Marking', (onProgress) =>
            setWatched({ client, projectId, onProgress }, rows, deed === 'watched'),
          )
        case 'delete':
          onDelete(rows)
          return deleteLater({ client, projectId }, rows)
      }
    },
    [client, scopes, projectId, onShow, onDelete],
  )
  return { act, progress }
}
