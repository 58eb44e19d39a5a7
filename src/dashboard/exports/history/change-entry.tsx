import { useState, type ReactNode } from 'react'
import { writeReason } from '../../../contract/runs/run-status.ts'
import type { BatchExportChange, ChangeKind } from '../../../contract/exports/batch-export-change.ts'
import { settingLabel } from '../../../contract/exports/setting-label.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { Who } from '../../ui/who.tsx'
import { counted } from '../../format/amount.ts'
import { ChangedFields } from './changed-fields.tsx'
import { useRevertChange } from '../../queries/exports/project-history.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/feedback/toasts.ts'

export const kindLabels: Record<ChangeKind, string> = {
  created: 'Created',
  cloned: 'Created as a clone',
  updated: 'Changed',
  paused: 'Paused',
  unpaused: 'Unpaused',
  deleted: 'Deleted',
  restored: 'Restored',
}

type ChangeEntryProps = {
  change: BatchExportChange
  /** Name of the export. */
  name: string
  /** The export, if the list shows those of several. */
  subject?: ReactNode
}

/** Shows a change, who made it and when, with a button that reverts it. */
export function ChangeEntry({ change, name, subject }: ChangeEntryProps) {
  const { scopes } = useAccount()
  const [reverting, setReverting] = useState(false)
  const { kind, by, source, reverts, created_at: at, fields, revert_problem: problem } = change
  const verb = kind === 'deleted' ? 'Restore' : 'Revert'
  const isNew = kind === 'created' || kind === 'cloned'
  const names =
    fields.length > 3
      ? counted(fields.length, 'setting')
      : fields.map(({ field }) => settingLabel(field)).join(', ')
  const what = kind === 'updated' ? `${kindLabels.updated} ${names}` : kindLabels[kind]
  return (
    <li className="flex flex-col gap-1.5">
      <div className="flex items-start gap-3">
        <p className="flex min-w-0 flex-1 flex-wrap gap-x-2 pt-1.5">
          <span className="font-medium">{what}</span>
          {subject}
          <span className="text-ink-3 wrap-anywhere">
            by {by === null ? 'the service' : <Who name={by} />}
            {source !== null && ` from ${source}`}
            {reverts !== null && ', reverting an earlier change'}, <RelativeTime time={at} />
          </span>
        </p>
        {!isNew && kind !== 'restored' && (
          <Button
            look="quiet"
            aria-label={`${verb}: ${what}, ${name}`}
            reason={writeReason(scopes) ?? (problem && inWords(problem))}
            onClick={() => setReverting(true)}
          >
            {verb}
          </Button>
        )}
      </div>
      {(kind === 'updated' || (kind === 'paused' && fields.length > 1)) && <ChangedFields change={change} />}
      {isNew && fields.length > 0 && (
        <details>
          <summary className="w-fit rounded-sm text-ink-2">with {counted(fields.length, 'setting')}</summary>
          <div className="mt-1.5">
            <ChangedFields change={change} />
          </div>
        </details>
      )}
      {reverting && <RevertChange change={change} name={name} onClose={() => setReverting(false)} />}
    </li>
  )
}

/** Replaces the API's field names by the form's labels. */
function inWords(problem: string): string {
  return problem.replaceAll(/"([\w.]+)"/g, (_, field: string) => settingLabel(field))
}

type RevertChangeProps = { change: BatchExportChange; name: string; onClose: () => void }

/** Shows what a revert changes, and asks for confirmation. */
function RevertChange({ change, name, onClose }: RevertChangeProps) {
  const { projectId } = useAccount()
  const revert = useRevertChange(projectId)
  const { id, kind, fields } = change
  const isDeletion = kind === 'deleted'
  const backwards = fields
    .filter(({ secret }) => !secret)
    .map((field) => ({ ...field, before: field.after, after: field.before }))
  return (
    <ConfirmDialog
      title={isDeletion ? `Restore ${name}?` : `Revert this change of ${name}?`}
      action={isDeletion ? 'Restore' : 'Revert'}
      busy={revert.isPending}
      error={revert.error}
      onClose={onClose}
      onConfirm={() =>
        revert.mutate(id, {
          onSuccess: () => {
            toast(isDeletion ? `Restored ${name}, paused.` : `Reverted a change of ${name}.`)
            onClose()
          },
        })
      }
    >
      {isDeletion ? (
        <p>The export is paused since its deletion, so no window of that time runs unless you backfill it.</p>
      ) : (
        <div className="flex flex-col gap-3">
          <ChangedFields change={{ kind: 'updated', fields: backwards }} />
          {backwards.length < fields.length && <p>Secrets stay as they are now.</p>}
        </div>
      )}
    </ConfirmDialog>
  )
}

/** Placeholder for a list of changes. */
export function HistorySkeleton() {
  return (
    <output aria-label="Loading the history" className="appear-late flex flex-col gap-2">
      <span className="h-3 w-60 rounded-sm bg-hover" />
      <span className="h-3 w-80 max-w-full rounded-sm bg-hover" />
    </output>
  )
}
