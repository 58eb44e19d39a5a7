import type { QueryClient } from '@tanstack/react-query'
import type { Incident } from '../../../contract/alerts/alert-incident.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { changeAlerts } from '../../queries/alerts.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import { counted } from '../../format/amount.ts'

export type IncidentContext = {
  client: QueryClient
  projectId: string
  open: (incident: Incident) => void
  /** Opens the page with the fix. */
  fix: (incident: Incident) => void
  /** Asks how long to mute the incidents. */
  mute: (incidents: readonly Incident[]) => void
}
type Sending = Pick<IncidentContext, 'client' | 'projectId'>

const isOver = 'This incident has recovered.'

/** All actions on incidents, in the order of the row menu. */
export const incidentActions = {
  open: {
    label: 'Show details',
    keyLabel: 'Show the incident with its timeline and messages',
    keys: ['Enter'],
    single: true,
    perform: ([incident], { open }) => incident && open(incident),
  },
  fix: {
    label: 'Open the fix',
    keyLabel: 'Go to the fix',
    keys: ['f'],
    single: true,
    perform: ([incident], { fix }) => incident && fix(incident),
  },
  acknowledge: {
    label: 'Acknowledge',
    paletteLabel: (named) => `Acknowledge ${named}`,
    keys: ['a'],
    inMenu: ({ acknowledged }) => acknowledged === null,
    reason: (incident, scopes) => changeReason(incident, scopes) ?? acknowledgeReason(incident),
    reasonForAll: (scopes) =>
      writeReason(scopes) ?? 'These incidents are already acknowledged or have recovered.',
    perform: (incidents, context) => acknowledge(context, incidents, true),
  },
  unacknowledge: {
    label: 'Unacknowledge',
    keys: ['a'],
    single: true,
    inMenu: ({ acknowledged }) => acknowledged !== null,
    reason: (incident, scopes) =>
      changeReason(incident, scopes) ?? (incident.acknowledged ? null : 'Nobody has acknowledged it.'),
    perform: (incidents, context) => acknowledge(context, incidents, false),
  },
  mute: {
    label: 'Mute…',
    keyLabel: 'Mute for a time',
    paletteLabel: (named) => `Mute ${named}`,
    keys: ['m'],
    reason: changeReason,
    reasonForAll: (scopes) => writeReason(scopes) ?? 'These incidents have recovered.',
    perform: (incidents, { mute }) => mute(incidents),
  },
} satisfies Record<string, ListAction<Incident, IncidentContext>>

function changeReason({ status }: Incident, scopes: readonly string[]): string | null {
  return writeReason(scopes) ?? (status === 'recovered' ? isOver : null)
}

function acknowledgeReason({ acknowledged }: Incident): string | null {
  return acknowledged && `Already acknowledged by ${acknowledged.by}.`
}

export function namedIncidents(incidents: readonly Incident[]): string {
  const [only] = incidents
  return incidents.length === 1 && only ? `“${only.title}”` : counted(incidents.length, 'incident')
}

/** Acknowledges or unacknowledges incidents; the toast offers Undo, a failure Retry. */
async function acknowledge(
  context: Sending,
  incidents: readonly Incident[],
  acknowledged: boolean,
): Promise<void> {
  const named = namedIncidents(incidents)
  await sendAll(
    incidents,
    (id) =>
      changeAlerts(context.client, 'incidents', 'acknowledgeIncident', {
        ...of(context, id),
        body: { acknowledged },
      }),
    {
      done: acknowledged
        ? `Acknowledged ${named}: no more reminders.`
        : `${named} is no longer acknowledged.`,
      failed: `${named} could not be ${acknowledged ? 'acknowledged' : 'changed'}.`,
      undo: () => void acknowledge(context, incidents, !acknowledged),
    },
  )
}

/** Mutes incidents until a time (ISO 8601); the toast offers Undo, a failure Retry. */
export async function muteUntil(
  context: Sending,
  incidents: readonly Incident[],
  until: string,
  inWords: string,
): Promise<void> {
  const named = namedIncidents(incidents)
  const before = new Map(incidents.map(({ id, muted }) => [id, muted?.until ?? null]))
  const mute = (to: (id: string) => string | null) => (id: string) =>
    changeAlerts(context.client, 'incidents', 'muteIncident', { ...of(context, id), body: { until: to(id) } })
  await sendAll(
    incidents,
    mute(() => until),
    {
      done: `Muted ${named} ${inWords}.`,
      failed: `${named} could not be muted.`,
      undo: () =>
        void sendAll(
          incidents,
          mute((id) => before.get(id) ?? null),
          { done: `Unmuted ${named}.`, failed: 'The mute could not be undone.' },
        ),
    },
  )
}

function of({ projectId }: Sending, id: string) {
  return { params: { project_id: projectId, id } }
}

type Messages = { done: string; failed: string; undo?: () => void }

async function sendAll(
  incidents: readonly Incident[],
  send: (id: string) => Promise<unknown>,
  messages: Messages,
): Promise<void> {
  try {
    await Promise.all(incidents.map(({ id }) => send(id)))
    toast(messages.done, messages.undo ? { undo: messages.undo } : {})
  } catch (error) {
    toastFailure(messages.failed, () => void sendAll(incidents, send, messages))(error)
  }
}
