import { useNavigate } from '@tanstack/react-router'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { useAccount } from '../../account.ts'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { keysOf, paletteActionsOf, type PageAction } from '../../ui/page-actions.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { exportPageActions } from './page-actions.ts'
import { useDeleteExport } from './use-delete-export.ts'

type OnPage = Record<'pause' | 'pauseUntil' | 'backfill' | 'editLabels' | 'showCurl', () => void>

/** Returns the actions of an export's page, and adds them to the keys and the palette. */
export function useExportActions(batchExport: BatchExport, onPage: OnPage): PageAction[] {
  const { scopes } = useAccount()
  const navigate = useNavigate()
  const remove = useDeleteExport()
  const { id } = batchExport
  const actions = exportPageActions(batchExport, scopes, {
    ...onPage,
    edit: () => void navigate({ to: '/exports/$id/edit', params: { id } }),
    repair: () => void navigate({ to: '/repair', search: { export: id } }),
    clone: () => void navigate({ to: '/exports/new', search: { from: id } }),
    delete: () => {
      remove(batchExport)
      void navigate({ to: '/exports' })
    },
  })
  useKeys(keysOf(actions))
  usePaletteActions(paletteActionsOf('export', actions))
  return actions
}
