import type { QueryClient } from '@tanstack/react-query'
import type { useNavigate } from '@tanstack/react-router'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { exportCan } from '../../../contract/exports/export-rules.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import type { OpenedDialog } from './opened-dialog.ts'
import { showAsServed, showPaused } from './pausing.ts'

export type ExportContext = {
  client: QueryClient
  navigate: ReturnType<typeof useNavigate>
  /** Returns the `project` parameter in the URL of an export's pages. */
  projectOf: (row: ExportOverview) => number | undefined
  /** Opens the dialog that asks why and until when to pause, or for the period to backfill, or shows curl commands. */
  open: (dialog: OpenedDialog) => void
}

type ExportAction = ListAction<ExportOverview, ExportContext>

/** Loads the requests, which the first page does not need; null, with a message, if they cannot be loaded. */
async function loadRequests() {
  return await import('./requests.ts').catch((error: unknown) => {
    toastFailure('The action could not be started.')(error)
    return null
  })
}

/** Loads the requests with the first input, so that actions still fail with a Retry when the network is gone later. */
export function loadRequestsOnInput(): () => void {
  const loaded = new AbortController()
  const load = () => {
    loaded.abort()
    // The action itself shows a failure, by `loadRequests`.
    import('./requests.ts').catch(() => undefined)
  }
  for (const type of ['pointermove', 'keydown']) addEventListener(type, load, { signal: loaded.signal })
  return () => loaded.abort()
}

/** Shows one export as paused or unpaused at once, before the requests are loaded. */
async function setPaused(rows: readonly ExportOverview[], { client, open }: ExportContext, paused: boolean) {
  const ids = rows.length === 1 ? rows.map(({ id }) => id) : []
  showPaused(ids, paused)
  const loaded = await loadRequests()
  if (loaded) await loaded.setPaused(client, rows, paused, open)
  else showAsServed(ids)
}

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
    perform: (rows, context) => setPaused(rows, context, true),
  },
  unpause: {
    label: 'Unpause',
    keyLabel: 'Pause or unpause',
    paletteLabel: (what) => `Unpause ${what}`,
    keys: ['p'],
    inMenu: (row) => row.paused,
    reason: exportCan.unpause,
    reasonForAll: (scopes) => writeReason(scopes) ?? 'None of these is paused.',
    perform: (rows, context) => setPaused(rows, context, false),
  },
  unpauseAndFill: {
    label: 'Unpause and fill the gap',
    onlyIfPossible: true,
    inMenu: (row) => row.paused,
    reason: exportCan.unpause,
    perform: async (rows, { client }) => (await loadRequests())?.unpauseAndFill(client, rows),
  },
  pauseUntil: {
    label: 'Pause until',
    menuLabel: 'Pause until…',
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
    perform: async (rows, { client }) => (await loadRequests())?.retryFailed(client, rows),
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
    paletteLabel: (what) => `Show ${what} as curl`,
    perform: (of, { open }) => open({ kind: 'curl', of }),
  },
  delete: {
    label: 'Delete',
    danger: true,
    clearsSelection: true,
    reason: exportCan.delete,
    perform: async (rows, { client }) => (await loadRequests())?.deleteExports(client, rows),
  },
} satisfies Record<string, ExportAction>

function onPage(to: '/exports/$id' | '/exports/$id/edit'): ExportAction['perform'] {
  return ([row], { navigate, projectOf }) => {
    if (row) void navigate({ to, params: { id: row.id }, search: { project: projectOf(row) } })
  }
}
