import type { Incident } from '../../../contract/alerts/alert-incident.ts'
import { writeReason } from '../../../contract/runs/run-status.ts'
import { changeAlerts, type Sending } from '../../queries/alerts.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'
import type { ListAction } from '../../ui/list/list-action.ts'
import { counted } from '../../format/amount.ts'

export type IncidentContext = Sending & {
  open: (incident: Incident) => void
  /** Opens the page with the fix. */
  fix: (incident: Incident) => void
  /** Asks how long to mute the incidents. */
  mute: (incidents: readonly Incident[]) => void
}

const isOver = 'This incident has recovered.'

/** The actions that an incident's buttons offer beside the fix. */
export function buttonsOf(incident: Incident) {
  const { acknowledge, unacknowledge, mute } = incidentActions
  return [...[acknowledge, unacknowledge].filter(({ inMenu }) => inMenu(incident)), mute]
}

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
    reason: (incident, scopes) =>
      changeReason(incident, scopes) ??
      (incident.acknowledged && `Already acknowledged by ${incident.acknowledged.by}.`),
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

export function namedIncidents(incidents: readonly Incident[]): string {
  const [only] = incidents
  return incidents.length === 1 && only ? `“${only.title}”` : counted(incidents.length, 'incident')
}

/** Acknowledges or unacknowledges incidents; the toast offers Undo, a failure Retry. */
async function acknowledge(sending: Sending, incidents: readonly Incident[], acknowledged: boolean) {
  const named = namedIncidents(incidents)
  const send = ({ id }: Incident) =>
    changeAlerts(sending, 'acknowledgeIncident', { id, body: { acknowledged } })
  await sendAction({
    send: () => Promise.all(incidents.map(send)),
    done: acknowledged ? `Acknowledged ${named}: no more reminders.` : `${named} is no longer acknowledged.`,
    failed: `${named} could not be ${acknowledged ? 'acknowledged' : 'changed'}.`,
    undo: () => void acknowledge(sending, incidents, !acknowledged),
  })
}

/** Mutes incidents until a time (ISO 8601); the toast offers Undo, a failure Retry. */
export async function muteUntil(
  sending: Sending,
  incidents: readonly Incident[],
  until: string,
  inWords: string,
): Promise<void> {
  const named = namedIncidents(incidents)
  const mute = (id: string, to: string | null) =>
    changeAlerts(sending, 'muteIncident', { id, body: { until: to } })
  const unmute = {
    send: () => Promise.all(incidents.map(({ id, muted }) => mute(id, muted?.until ?? null))),
    done: `Unmuted ${named}.`,
    failed: 'The mute could not be undone.',
  }
  await sendAction({
    send: () => Promise.all(incidents.map(({ id }) => mute(id, until))),
    done: `Muted ${named} ${inWords}.`,
    failed: `${named} could not be muted.`,
    undo: () => void sendAction(unmute),
  })
}
