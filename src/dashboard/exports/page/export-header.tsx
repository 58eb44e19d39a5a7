import { useQueryClient, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { exportCan } from '../../../contract/exports/export-rules.ts'
import { useAccount } from '../../account.ts'
import { useSetPaused } from '../../queries/exports/batch-exports.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { menuItemsOf, keysOf, paletteActionsOf } from '../../ui/page-actions.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { ExportNotes } from './export-notes.tsx'
import { toastPause } from '../pause/toast-pause.ts'
import { destinationFormat, destinationPlace, destinationRegion } from '../../format/destination.ts'
import { everyInterval } from '../../format/interval.ts'
import { LabelsRow } from '../labels/labels-row.tsx'
import { ExportStatus } from './export-status.tsx'
import { useFailingSince, useRecentWindows } from '../grid/use-period.ts'
import { gapStates } from '../grid/window-selection.ts'
import { ParentLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { openIncidentsQuery } from '../../queries/alerts.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { exportPageActions, useDeleteExport } from './page-actions.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const ExportCurl = lazyNamed(() => import('../curl/curl-dialogs.tsx'), 'ExportCurl')
const BackfillDialog = lazyNamed(() => import('../backfill/backfill-dialog.tsx'), 'BackfillDialog')
const PauseDialog = lazyNamed(() => import('../pause/pause-dialog.tsx'), 'PauseDialog')
const LabelsDialog = lazyNamed(() => import('../labels/labels-dialog.tsx'), 'LabelsDialog')

type OpenedDialog = 'backfill' | 'pause' | 'curl' | 'labels'

/** `hasMainAction`: whether no other part of the page shows the main action. */
type ExportHeaderProps = { batchExport: BatchExport; hasMainAction: boolean }

/** Shows an export's name, state and actions, and one sentence about what it does. */
export function ExportHeader({ batchExport, hasMainAction }: ExportHeaderProps) {
  const { project, scopes } = useAccount()
  const navigate = useNavigate()
  const [opened, open] = useState<OpenedDialog | null>(null)
  const { id, name, paused, destination, interval, model } = batchExport
  const isAutoPaused = batchExport.paused_because !== null
  const failing = useFailingSince(batchExport)
  const hasGaps = useRecentWindows(batchExport).windows?.some(({ state }) => gapStates.has(state))
  const every = everyInterval(interval)
  const format = destinationFormat(destination)
  const close = () => open(null)
  const pause = useTogglePause(batchExport, () => open('pause'))
  const actions = useExportActions(batchExport, pause, open)
  const editReason = exportCan.edit(batchExport, scopes)
  const pauseReason = exportCan[paused ? 'unpause' : 'pause'](batchExport, scopes)
  return (
    <>
      <PageHeader
        title={name}
        parent={<ParentLink to="/exports">Batch exports</ParentLink>}
        aside={<ExportStatus batchExport={batchExport} />}
      >
        <Menu label={`Actions for ${name}`} items={menuItemsOf(actions)} />
        <ButtonLink to="/exports/$id/edit" params={{ id }} reason={editReason}>
          Edit <KeyHint of="e" />
        </ButtonLink>
        {!isAutoPaused && (
          <Button reason={pauseReason} onClick={pause}>
            {paused ? 'Unpause' : 'Pause'} <KeyHint of="p" />
          </Button>
        )}
        <Button
          // A healthy export needs no backfill, and the note on a failing or automatically paused one has the action that helps.
          look={hasMainAction && hasGaps && !isAutoPaused && failing === null ? 'primary' : 'plain'}
          reason={exportCan.backfill(batchExport, scopes)}
          onClick={() => open('backfill')}
        >
          Backfill <KeyHint of="b" />
        </Button>
      </PageHeader>
      <p className="mt-1 text-ink-2 max-sm:mt-2">
        <span title="Project">{project.name}</span> · {every}, <code>{model}</code>
        {format && ` as ${format}`} to{' '}
        <code className="wrap-anywhere">{destinationPlace(batchExport.destination)}</code>
        {destinationRegion(destination)}
      </p>
      <LabelsRow batchExport={batchExport} reason={editReason} onEdit={() => open('labels')} />
      <IncidentLine exportId={id} />
      <ExportNotes
        batchExport={batchExport}
        unpauseReason={pauseReason}
        onUnpause={pause}
        onEditPause={() => open('pause')}
      />
      <Suspense>
        {opened === 'backfill' && (
          <BackfillDialog
            batchExport={batchExport}
            onClose={close}
            onStart={() => void navigate({ to: '/exports/$id/backfills', params: { id } })}
          />
        )}
        {opened === 'pause' && <PauseDialog exports={[batchExport]} onClose={close} />}
        {opened === 'curl' && <ExportCurl rows={[batchExport]} onClose={close} />}
        {opened === 'labels' && <LabelsDialog batchExport={batchExport} onClose={close} />}
      </Suspense>
    </>
  )
}

/** Returns a function that pauses or unpauses the export; `more` is offered in the toast of a pause. */
function useTogglePause({ id, name, paused }: BatchExport, more: () => void): () => void {
  const { projectId } = useAccount()
  const client = useQueryClient()
  const setPaused = useSetPaused(projectId)
  const change = (next: boolean) =>
    setPaused.mutate(
      { id, paused: next },
      {
        onSuccess: (changed) => void toastPause(client, changed, { undo: () => change(!next), more }),
        onError: toastFailure(`${name} could not be ${next ? 'paused' : 'unpaused'}.`),
      },
    )
  return () => change(!paused)
}

/** Links to the open incidents that affect an export. */
function IncidentLine({ exportId }: { exportId: string }) {
  const { projectId } = useAccount()
  const { data: isAny = false } = useQuery({
    ...overviewQuery({ projectId }),
    select: ({ incidents }) => incidents.open > 0,
  })
  const { data } = useQuery({ ...openIncidentsQuery(projectId, { batch_export: exportId }), enabled: isAny })
  if (!isAny) return null
  return data?.results.map(({ id, title, opened_at: opened, acknowledged }) => (
    <p key={id} className="mt-1 wrap-anywhere">
      <Link
        to="/settings/alerts"
        search={{ incident: id }}
        className="font-medium underline underline-offset-3"
      >
        Incident: {title}
      </Link>{' '}
      <span className="text-ink-3">
        noticed <RelativeTime time={opened} />
        {acknowledged && `, acknowledged by ${acknowledged.by}`}
      </span>
    </p>
  ))
}

/** Returns the actions of an export's page, and adds them to the keys and the palette. */
function useExportActions(batchExport: BatchExport, pause: () => void, open: (dialog: OpenedDialog) => void) {
  const { scopes } = useAccount()
  const navigate = useNavigate()
  const remove = useDeleteExport()
  const { id } = batchExport
  const actions = exportPageActions(batchExport, scopes, {
    pause,
    pauseUntil: () => open('pause'),
    backfill: () => open('backfill'),
    editLabels: () => open('labels'),
    showCurl: () => open('curl'),
    edit: () => void navigate({ to: '/exports/$id/edit', params: { id } }),
    repair: () => void navigate({ to: '/problems', search: { export: id } }),
    clone: () => void navigate({ to: '/exports/new', search: { from: id } }),
    delete: () => remove(batchExport),
  })
  useKeys(keysOf(actions))
  usePaletteActions(paletteActionsOf('export', actions))
  return actions
}
