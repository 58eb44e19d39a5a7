import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { SessionRecording } from '../../contract/session-recording.ts'
import { useAccount } from '../account.ts'
import { usePaletteActions } from '../palette/palette-actions.ts'
import { focusRow, steppedIndex } from '../ui/row-focus.ts'
import { useKeys } from '../ui/use-keys.ts'
import { possibleFor, type Deed } from './deeds.ts'
import { namedRecordings } from './recording-name.ts'

type ListKeys = {
  /** The recordings that are loaded, in their order. */
  rows: readonly SessionRecording[]
  active: SessionRecording | null
  onActive: (id: string | null) => void
  selected: readonly SessionRecording[]
  onSelect: (id: string, range: boolean) => void
  onClear: () => void
  onAct: (deed: Deed, rows: readonly SessionRecording[]) => void
  tableRef: RefObject<HTMLTableElement | null>
  fieldRef: RefObject<HTMLInputElement | null>
  /** The list's address after the question mark. */
  list: string
}

const chooseFirst = 'Choose a recording first, with j and k.'

/** The keys of the list: they act on what is selected, or else on the row that j and k have led to. */
export function useListKeys(keys: ListKeys): void {
  const { rows, active, onActive, selected, onSelect, onClear, onAct, tableRef, fieldRef, list } = keys
  const { scopes } = useAccount()
  const navigate = useNavigate()
  const targets = selected.length > 0 || !active ? selected : [active]
  const key = (does: string, deed: Deed) => ({
    does,
    reason: targets.length === 0 ? chooseFirst : possibleFor(deed, targets, scopes).reason,
    run: () => onAct(deed, targets),
  })
  const move = (does: string, step: number, extend = false) => ({
    does,
    moves: true,
    run: () => {
      const to = rows[steppedIndex(rows.length, active ? rows.indexOf(active) : -1, step)]
      if (!to) return
      if (extend && active && selected.length === 0) onSelect(active.id, false)
      if (extend) onSelect(to.id, true)
      focusRow(tableRef, onActive, to.id)
    },
  })
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
    j: move('Next recording', 1),
    k: move('Previous recording', -1),
    ArrowDown: move('Next recording', 1),
    ArrowUp: move('Previous recording', -1),
    'shift+ArrowDown': move('Select down to the next recording', 1, true),
    'shift+ArrowUp': move('Select up to the previous recording', -1, true),
    Enter: {
      does: 'Watch the recording',
      reason: active ? null : chooseFirst,
      run: () => {
        if (!active) return
        const search = { list: list || undefined, row: rows.indexOf(active) }
        void navigate({ to: '/recordings/$id', params: { id: active.id }, search })
      },
    },
    x: {
      does: 'Select the recording, or not',
      reason: active ? null : chooseFirst,
      run: () => active && onSelect(active.id, false),
    },
    s: key('Share', 'share'),
    m: key('Summarize', 'summarize'),
    d: key('Delete', 'delete'),
    Delete: key('Delete', 'delete'),
    '/': { does: 'Search', run: () => fieldRef.current?.focus() },
    Escape:
      selected.length > 0
        ? { does: 'Select nothing', run: onClear }
        : active && { does: 'Leave the row', run: () => onActive(null) },
  })
}

/** What has no key. */
const offered: readonly { deed: Deed; label: (what: string) => string }[] = [
  { deed: 'keep', label: (what) => `Keep ${what}` },
  { deed: 'watched', label: (what) => `Mark ${what} as watched` },
  { deed: 'unwatched', label: (what) => `Mark ${what} as unwatched` },
]
