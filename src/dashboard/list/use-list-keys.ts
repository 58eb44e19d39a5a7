import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { exportCan } from '../../contract/batch-export.ts'
import { writeReason } from '../../contract/batch-export-run.ts'
import type { ExportOverview } from '../../contract/overview.ts'
import { useAccount } from '../account.ts'
import { usePaletteActions } from '../palette/palette-actions.ts'
import { focusRow, steppedIndex } from '../ui/row-focus.ts'
import { useKeys } from '../ui/use-keys.ts'
import { named, possibleFor, type Deed } from './deeds.ts'

type ListKeys = {
  /** The exports on the page, in their order. */
  rows: readonly ExportOverview[]
  active: ExportOverview | null
  onActive: (id: string | null) => void
  selected: readonly ExportOverview[]
  onSelect: (id: string, range: boolean) => void
  onClear: () => void
  onAct: (deed: Deed, rows: readonly ExportOverview[]) => void
  tableRef: RefObject<HTMLTableElement | null>
  fieldRef: RefObject<HTMLInputElement | null>
  /** The `project` of the address of an export's pages. */
  projectOf: (row: ExportOverview) => number | undefined
}

const chooseFirst = 'Choose an export first, with j and k.'

/** The keys of the list: they act on what is selected, or else on the row that j and k have led to. */
export function useListKeys(list: ListKeys): void {
  const { rows, active, onActive, selected, onSelect, onClear, onAct, fieldRef } = list
  const { scopes } = useAccount()
  const navigate = useNavigate()
  const targets = selected.length > 0 || !active ? selected : [active]
  const pausing: Deed = targets.length > 0 && targets.every((row) => row.paused) ? 'unpause' : 'pause'
  const key = (does: string, deed: Deed) => ({
    does,
    reason: targets.length === 0 ? chooseFirst : possibleFor(deed, targets, scopes).reason,
    run: () => onAct(deed, targets),
  })
  const toActive = (does: string, to: '/exports/$id' | '/exports/$id/edit') => ({
    does,
    reason: active ? null : chooseFirst,
    run: () => {
      if (active)
        void navigate({ to, params: { id: active.id }, search: { project: list.projectOf(active) } })
    },
  })
  const move = (does: string, step: number, extend = false) => ({
    does,
    moves: true,
    run: () => {
      const to = rows[steppedIndex(rows.length, active ? rows.indexOf(active) : -1, step)]
      if (!to) return
      if (extend && active && selected.length === 0) onSelect(active.id, false)
      if (extend) onSelect(to.id, true)
      focusRow(list.tableRef, onActive, to.id)
    },
  })
  const offered = (label: string, deed: Deed) =>
    targets.length > 0
      ? [
          {
            id: `list ${deed}`,
            label: `${label} ${named(targets)}`,
            reason: possibleFor(deed, targets, scopes).reason,
            run: () => onAct(deed, targets),
          },
        ]
      : []
  usePaletteActions([...offered('Unpause', 'unpause'), ...offered('Delete', 'delete')])
  useKeys({
    j: move('Next export', 1),
    k: move('Previous export', -1),
    ArrowDown: move('Next export', 1),
    ArrowUp: move('Previous export', -1),
    'shift+ArrowDown': move('Select down to the next export', 1, true),
    'shift+ArrowUp': move('Select up to the previous export', -1, true),
    Enter: toActive('Open the export', '/exports/$id'),
    x: {
      does: 'Select the export, or not',
      reason: active ? null : chooseFirst,
      run: () => active && onSelect(active.id, false),
    },
    p: key('Pause or unpause', pausing),
    b: key('Backfill', 'backfill'),
    r: key('Retry failed', 'retry'),
    e: {
      ...toActive('Edit', '/exports/$id/edit'),
      ...(active ? { reason: exportCan.edit(active, scopes) } : {}),
    },
    '/': { does: 'Filter', run: () => fieldRef.current?.focus() },
    n: {
      does: 'New export',
      reason: writeReason(scopes),
      run: () => void navigate({ to: '/exports/new' }),
    },
    Escape:
      selected.length > 0
        ? { does: 'Select nothing', run: onClear }
        : active && { does: 'Leave the row', run: () => onActive(null) },
  })
}
