import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { overviewEndpoints, send } from '../../queries/exports/overview.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { TextField } from '../../ui/controls/field.tsx'
import { counted } from '../../format/amount.ts'
import { skippedInWords } from '../../format/pause.ts'
import { usePreferences } from '../../format/preferences.ts'
import { fieldTime, readFieldTime, zoneName } from '../../format/time.ts'

type PausedExport = Pick<
  BatchExport,
  'id' | 'team_id' | 'name' | 'paused' | 'last_paused_at' | 'pause_reason' | 'paused_until'
>
type PauseDialogProps = { exports: readonly PausedExport[]; onClose: () => void }

const hour = 3_600_000
const presets = [
  { label: '1 hour', length: hour },
  { label: '1 day', length: 24 * hour },
  { label: '1 week', length: 7 * 24 * hour },
] as const

/** Asks why and until when to pause exports, and says what the pause skips; changes the pause of one that is paused. */
export function PauseDialog({ exports, onClose }: PauseDialogProps) {
  const { zone } = usePreferences()
  const [openedAt] = useState(Date.now)
  const [only] = exports
  const single = exports.length === 1 ? only : undefined
  const [reason, setReason] = useState(single?.pause_reason ?? '')
  const [end, setEnd] = useState(single?.paused_until ? fieldTime(Date.parse(single.paused_until), zone) : '')
  const until = readFieldTime(end, zone)
  const pause = usePause(exports, onClose)
  const isPast = until !== null && Date.parse(until) <= openedAt
  const from = single?.paused && single.last_paused_at ? Date.parse(single.last_paused_at) : openedAt
  const what = single ? single.name : counted(exports.length, 'export')
  return (
    <Dialog title={single?.paused ? `Pause of ${what}` : `Pause ${what}`} onClose={onClose}>
      <Form noValidate onSubmit={() => pause.mutate({ reason: reason.trim() || null, until })}>
        <TextField
          label="Reason"
          optional
          maxLength={400}
          value={reason}
          hint="Visible to everyone who can see the export."
          onChange={(event) => setReason(event.target.value)}
        />
        <TextField
          label={`Ends, ${zoneName(zone)} time`}
          optional
          type="datetime-local"
          value={end}
          hint="Without an end, the pause lasts until someone unpauses the export."
          error={isPast ? 'The end must be in the future.' : undefined}
          onChange={(event) => setEnd(event.target.value)}
        />
        <div className="flex flex-wrap gap-2">
          {presets.map(({ label, length }) => (
            <Button key={label} onClick={() => setEnd(fieldTime(openedAt + length, zone))}>
              {label}
            </Button>
          ))}
          {end !== '' && (
            <Button look="quiet" onClick={() => setEnd('')}>
              No end
            </Button>
          )}
        </div>
        {!isPast && (
          <output className="text-ink-2">
            {single ? (
              <Skipped of={single} from={from} until={until} openedAt={openedAt} />
            ) : (
              'Each export skips its windows until the end of the pause; those already paused stay as they are.'
            )}
          </output>
        )}
        {pause.error && <ProblemNote error={pause.error} />}
        <FormActions
          onCancel={onClose}
          busy={pause.isPending}
          reason={isPast ? 'The end must be in the future.' : null}
        >
          {single?.paused ? 'Save' : 'Pause'}
        </FormActions>
      </Form>
    </Dialog>
  )
}

type SkippedProps = { of: PausedExport; from: number; until: string | null; openedAt: number }

function Skipped({ of, from, until, openedAt }: SkippedProps) {
  const { zone } = usePreferences()
  // Rows of the list lack the export's start and end.
  const { data } = useQuery(batchExportQuery(String(of.team_id), of.id))
  return (
    data && skippedInWords(data, { from, until: until === null ? null : Date.parse(until) }, zone, openedAt)
  )
}

function usePause(exports: readonly PausedExport[], onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: { reason: string | null; until: string | null }) => {
      const [only] = exports
      if (only && exports.length === 1) {
        await send.pause(only, body)
        await invalidate(client, ...overviewEndpoints, 'getBatchExport', 'changesOfBatchExport')
        toast(only.paused ? `Changed the pause of ${only.name}.` : `Paused ${only.name}.`)
        return
      }
      for (const [project, group] of Map.groupBy(exports, (one) => one.team_id))
        await startBulkAction(client, String(project), {
          action: 'pause_batch_exports',
          ids: group.map(({ id }) => id),
          ...body,
        })
    },
    onSuccess: onDone,
  })
}
