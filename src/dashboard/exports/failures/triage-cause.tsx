import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { BodyInput, ResponseOf } from '../../../contract/endpoints.ts'
import type { FailureCauseGroup } from '../../../contract/runs/failure-cause.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import type { Assignee } from '../../../contract/triage.ts'
import { useAccount } from '../../account.ts'
import { call } from '../../api/call.ts'
import { usePreferences } from '../../format/preferences.ts'
import { briefTime } from '../../format/time.ts'
import { invalidate, sendMutation } from '../../queries/endpoint-query.ts'
import { useAssignees } from '../../queries/triage.ts'
import { AssigneeMenu, type PickerProps } from '../../ui/assignee/assignee-menu.tsx'
import { AssigneePicker } from '../../ui/assignee/assignee-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { sendAction } from '../../ui/feedback/send-action.ts'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { useNow } from '../../ui/use-now.ts'

const dayMs = 86_400_000
const ignoreFor = [
  ['a day', dayMs],
  ['a week', 7 * dayMs],
  ['30 days', 30 * dayMs],
] as const

/** Shows who works on a cause of failures, assigns it, and ignores it for a time. */
export function TriageCause({ cause }: { cause: FailureCauseGroup }) {
  const { projectId, scopes, user } = useAccount()
  const { zone } = usePreferences()
  const now = useNow((at) => at)
  const client = useQueryClient()
  const { key, title, assignee, state, ignored_until: until } = cause
  const reason = writeReason(scopes)
  const context = { client, projectId, cause }
  const assign = (to: Assignee | null) => void assignCause(context, to)
  const toMe = () => assign({ uuid: user.uuid, name: user.first_name || user.email })
  usePaletteActions(
    user.role === null
      ? []
      : [{ id: `assign ${key}`, label: 'Assign to me', hint: title, reason, run: toMe }],
  )
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <AssigneeMenu of={title} reason={reason} Picker={CausePicker} assignee={assignee} onChoose={assign} />
      {state === 'open' ? (
        <Menu
          label={`Ignore ${title}`}
          items={ignoreFor.map(([words, length]) => ({
            label: `Ignore for ${words}`,
            reason,
            onSelect: () => void ignoreCause(context, new Date(Date.now() + length).toISOString(), words),
          }))}
        >
          Ignore
        </Menu>
      ) : (
        <>
          <span className="text-ink-3">
            Ignored{until !== null && ` until ${briefTime(Date.parse(until), zone, now)}`}
          </span>
          <Button look="quiet" reason={reason} onClick={() => void reopenCause(context)}>
            Reopen
          </Button>
        </>
      )}
    </div>
  )
}

function CausePicker(props: PickerProps) {
  const { projectId, user } = useAccount()
  return <AssigneePicker me={user.uuid} {...useAssignees('problemAssignees', projectId)} {...props} />
}

type Context = { client: QueryClient; projectId: string; cause: FailureCauseGroup }

/** Assigns a cause, on the page at once; the toast offers Undo. */
function assignCause(context: Context, to: Assignee | null): Promise<void> {
  const { cause, client } = context
  client.setQueriesData<ResponseOf<'failureCauses'>>({ queryKey: ['failureCauses'] }, (data) => {
    const results = data?.results.map((one) => (one.key === cause.key ? { ...one, assignee: to } : one))
    return data && results && { ...data, results }
  })
  return sendAction({
    failed: 'The problem could not be assigned.',
    send: () => send(context, { assignee: to?.uuid ?? null }),
    done: to ? `Assigned to ${to.name}.` : 'The problem is unassigned now.',
    undo: () => void undo(context, { assignee: cause.assignee?.uuid ?? null }),
  })
}

function ignoreCause(context: Context, until: string, words: string): Promise<void> {
  return sendAction({
    failed: 'The problem could not be ignored.',
    send: () => send(context, { state: 'ignored', ignored_until: until }),
    done: `Ignored for ${words}.`,
    undo: () => void undo(context, { state: 'open' }),
  })
}

function reopenCause(context: Context): Promise<void> {
  const { ignored_until: until } = context.cause
  return sendAction({
    failed: 'The problem could not be reopened.',
    send: () => send(context, { state: 'open' }),
    done: 'Reopened.',
    undo: () => void (until !== null && undo(context, { state: 'ignored', ignored_until: until })),
  })
}

type Change = Omit<BodyInput<'updateProblems'>, 'causes'>

function undo(context: Context, change: Change): Promise<void> {
  return sendAction({ failed: 'The change could not be undone.', send: () => send(context, change) })
}

async function send({ client, projectId, cause }: Context, change: Change) {
  const body = { causes: [cause.key], ...change }
  try {
    await sendMutation(client, () => call('updateProblems', { params: { project_id: projectId }, body }))
  } finally {
    await invalidate(client, 'failureCauses')
  }
}
