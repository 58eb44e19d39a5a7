import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { exportCan } from '../../../contract/batch-export.ts'
import { writeReason } from '../../../contract/batch-export-run.ts'
import type { ExportOverview } from '../../../contract/overview.ts'
import { useAccount } from '../../account.ts'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { rowKeys, type KeyedRows } from '../../ui/list/row-keys.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { named, possibleFor, type Deed } from './deeds.ts'

type ListKeys = KeyedRows<ExportOverview> & {
  onAct: (deed: Deed, rows: readonly ExportOverview[]) => void
  fieldRef: RefObject<HTMLInputElement | null>
  /** The `project` of the address of an export's pages. */
  projectOf: (row: ExportOverview) => number | undefined
}

const chooseFirst = 'Choose an export first, with j and k.'

/** The keys of the list: they act on what is selected, or else on the row that j and k have led to. */
export function useListKeys(list: ListKeys): void {
  const { active, selected, onAct, fieldRef } = list
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
  const { steps, x, Escape } = rowKeys({ ...list, one: 'export', chooseFirst })
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
    ...steps,
    Enter: toActive('Open the export', '/exports/$id'),
    x,
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
    Escape,
  })
}
