import type { QueryClient } from '@tanstack/react-query'
import type { useNavigate } from '@tanstack/react-router'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { exportCan } from '../../../contract/exports/export-rules.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import { type OpenedDialog, deleteExports, retryFailed, setPaused, unpauseAndFill } from './requests.ts'

export type ExportContext = {
  client: QueryClient
  navigate: ReturnType<typeof useNavigate>
  /** Returns the `project` parameter in the URL of an export's pages. */
  projectOf: (row: ExportOverview) => number | undefined
  /** Opens the dialog that asks why and until when to pause, or for the period to backfill, or shows curl commands. */
  open: (dialog: OpenedDialog) => void
}

type ExportAction = ListAction<ExportOverview, ExportContext>

/** All actions on exports of the list, in the order of the row menu. */
export const exportActions = {
  open: {
    label: 'Open',
    keyLabel: 'Open the export',
    keys: ['Enter'],
    single: true,
    perform: onPage('/exports/$id'),
  },
  pause: {
    label: 'Pause',
    keyLabel: 'Pause or unpause',
    keys: ['p'],
    inMenu: (row) => !row.paused,
    reason: exportCan.pause,
    reasonForAll: (scopes) => writeReason(scopes) ?? 'All of these are already paused.',
    perform: (rows, { client, open }) => setPaused(client, rows, true, open),
  },
  unpause: {
    label: 'Unpause',
    keyLabel: 'Pause or unpause',
    paletteLabel: (what) => `Unpause ${what}`,
    keys: ['p'],
    inMenu: (row) => row.paused,
    reason: exportCan.unpause,
    reasonForAll: (scopes) => writeReason(scopes) ?? 'None of these is paused.',
    perform: (rows, { client, open }) => setPaused(client, rows, false, open),
  },
  unpauseAndFill: {
    label: 'Unpause and fill the gap',
    further: (rows) => rows.some(({ paused }) => !paused),
    inMenu: (row) => row.paused,
    reason: exportCan.unpause,
    perform: (rows, { client }) => unpauseAndFill(client, rows),
  },
  pauseUntil: {
    label: 'Pause until',
    menuLabel: 'Pause until…',
    further: () => true,
    reason: (_, scopes) => writeReason(scopes),
    perform: (of, { open }) => open({ kind: 'pause', of }),
  },
  backfill: {
    label: 'Backfill',
    menuLabel: 'Backfill…',
    keys: ['b'],
    reason: exportCan.backfill,
    perform: (of, { open }) => open({ kind: 'backfill', of }),
  },
  retry: {
    label: 'Retry failed',
    keys: ['r'],
    reason: (_, scopes) => writeReason(scopes),
    perform: (rows, { client }) => retryFailed(client, rows),
  },
  edit: {
    label: 'Edit',
    keys: ['e'],
    single: true,
    reason: exportCan.edit,
    perform: onPage('/exports/$id/edit'),
  },
  clone: {
    label: 'Clone',
    keys: ['d'],
    single: true,
    reason: (_, scopes) => writeReason(scopes),
    perform: ([row], { navigate, projectOf }) => {
      if (row) void navigate({ to: '/exports/new', search: { from: row.id, project: projectOf(row) } })
    },
  },
  showCurl: {
    label: 'Show as curl…',
    further: () => true,
    paletteLabel: (what) => `Show ${what} as curl`,
    perform: (of, { open }) => open({ kind: 'curl', of }),
  },
  delete: {
    label: 'Delete',
    danger: true,
    clearsSelection: true,
    reason: exportCan.delete,
    perform: (rows, { client }) => deleteExports(client, rows),
  },
} satisfies Record<string, ExportAction>

function onPage(to: '/exports/$id' | '/exports/$id/edit'): ExportAction['perform'] {
  return ([row], { navigate, projectOf }) => {
    if (row) void navigate({ to, params: { id: row.id }, search: { project: projectOf(row) } })
  }
}
