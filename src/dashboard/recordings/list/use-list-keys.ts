import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { rowKeys, type KeyedRows } from '../../ui/list/row-keys.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { possibleFor, type Deed } from './deeds.ts'
import { namedRecordings } from '../../words/recording-name.ts'

type ListKeys = KeyedRows<SessionRecording> & {
  onAct: (deed: Deed, rows: readonly SessionRecording[]) => void
  fieldRef: RefObject<HTMLInputElement | null>
  /** The list's address after the question mark. */
  list: string
}

const chooseFirst = 'Choose a recording first, with j and k.'

/** The keys of the list: they act on what is selected, or else on the row that j and k have led to. */
export function useListKeys(keys: ListKeys): void {
  const { rows, active, selected, onAct, fieldRef, list } = keys
  const { scopes } = useAccount()
  const navigate = useNavigate()
  const targets = selected.length > 0 || !active ? selected : [active]
  const key = (does: string, deed: Deed) => ({
    does,
    reason: targets.length === 0 ? chooseFirst : possibleFor(deed, targets, scopes).reason,
    run: () => onAct(deed, targets),
  })
  const { steps, x, Escape } = rowKeys({ ...keys, one: 'recording', chooseFirst })
  usePaletteActions(
    targets.length === 0
      ? []
      : offered.map(({ deed, label }) => ({
          id: `recordings ${deed}`,
          label: label(namedRecordings(targets)),
          reason: possibleFor(deed, targets, scopes).reason,
          run: () => onAct(deed, targets),
        })),
  )
  useKeys({
    ...steps,
    Enter: {
      does: 'Watch the recording',
      reason: active ? null : chooseFirst,
      run: () => {
        if (!active) return
        const search = { list: list || undefined, row: rows.indexOf(active) }
        void navigate({ to: '/recordings/$id', params: { id: active.id }, search })
      },
    },
    x,
    s: key('Share', 'share'),
    m: key('Summarize', 'summarize'),
    d: key('Delete', 'delete'),
    Delete: key('Delete', 'delete'),
    '/': { does: 'Search', run: () => fieldRef.current?.focus() },
    Escape,
  })
}

/** What has no key. */
const offered: readonly { deed: Deed; label: (what: string) => string }[] = [
  { deed: 'keep', label: (what) => `Keep ${what}` },
  { deed: 'watched', label: (what) => `Mark ${what} as watched` },
  { deed: 'unwatched', label: (what) => `Mark ${what} as unwatched` },
]
