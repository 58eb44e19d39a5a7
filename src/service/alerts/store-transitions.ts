import type { Transition } from '../../contract/alerts/alert-incident.ts'
import { appliedRemindMinutes, recordingAlertKinds } from '../../contract/alerts/alert-rule.ts'
import { formatInstant } from '../../contract/instant.ts'
import {
  channelsWithMessages,
  incidentOnChannel,
  insertDeliveries,
} from '../store/alerts/alert-deliveries.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { newId } from '../store/schema/identifier.ts'
import { findRows, updateRows } from '../store/schema/rows.ts'
import {
  endIncident,
  insertTransition,
  openIncident,
  updateAffected,
  type OpenIncidentRow,
} from '../store/alerts/incident-writes.ts'
import { readIncidents, type ListedIncident } from '../store/alerts/incidents.ts'
import { incidentPath, incidentTitle, recoveredDetail } from './describe-incident.ts'
import type { EffectiveRules } from './effective-rules.ts'
import type { IncidentChanges, OpenIncident } from './incident-changes.ts'

/** Exports that a message names. */
const namedMax = 20
const minuteMs = 60_000

type Evaluation = {
  changes: IncidentChanges
  open: readonly OpenIncidentRow[]
  rules: EffectiveRules
  now: number
}
type StoredTransition = { id: string; incidentId: string; transition: Transition }

/** Stores the transitions of a project's incidents, each with one message for every channel, in the caller's transaction. */
export async function storeTransitions(
  transaction: StoreTransaction,
  { changes, open, rules, now: time }: Evaluation,
): Promise<void> {
  const now = new Date(time)
  const stored: StoredTransition[] = []
  const record = async (incidentId: string, transition: Transition) => {
    stored.push({
      id: await insertTransition(transaction, incidentId, transition, now),
      incidentId,
      transition,
    })
  }
  for (const { id: _, projectId: project_id, exports: joined, ...incident } of changes.opened) {
    const id = await openIncident(transaction, { project_id, ...incident }, now)
    if (id === null) continue
    await updateAffected(transaction, id, { joined, left: [], detail: incident.detail }, now)
    await record(id, 'opened')
  }
  for (const { id, ...change } of changes.changed) await updateAffected(transaction, id, change, now)
  for (const { id } of changes.recovered)
    if (await endIncident(transaction, id, now)) await record(id, 'recovered')
  const incidents = new Map(open.map((incident) => [incident.id, incident]))
  for (const { id, detail } of changes.kept) {
    const incident = incidents.get(id)
    if (!incident || !isReminderDue(incident, rules, time)) continue
    const reminder = { detail, notified_at: now, last_updated_at: now }
    await updateRows(transaction, 'incidents', { id }, reminder)
    await record(id, 'reminded')
  }
  await insertMessages(transaction, stored, { rules, now, replaced: replacedIncidents(changes) })
}

/** Returns the ids of recovered incidents of which an export now belongs to another incident of the same kind. */
function replacedIncidents({ opened, changed, recovered }: IncidentChanges): ReadonlySet<string> {
  const joined = [...opened, ...changed.map((each) => ({ ...each, exports: each.joined }))]
  const keys = new Set(joined.flatMap(({ kind, exports }) => exports.map((id) => `${kind} ${id}`)))
  const isReplaced = ({ kind, exports }: OpenIncident) => exports.some((id) => keys.has(`${kind} ${id}`))
  return new Set(recovered.filter(isReplaced).map(({ id }) => id))
}

function isReminderDue(incident: OpenIncidentRow, rules: EffectiveRules, now: number): boolean {
  const { project_id, kind, exports, notified_at, acknowledged_at, muted_until } = incident
  if (acknowledged_at !== null || (muted_until !== null && muted_until.getTime() > now)) return false
  const minutes = (exports.length > 0 ? exports : [null])
    .map((id) => appliedRemindMinutes(rules(project_id, kind, id).remind_minutes))
    .filter((each) => each > 0)
  return minutes.length > 0 && now - notified_at.getTime() >= Math.min(...minutes) * minuteMs
}

async function insertMessages(
  transaction: StoreTransaction,
  stored: readonly StoredTransition[],
  { rules, now, replaced }: { rules: EffectiveRules; now: Date; replaced: ReadonlySet<string> },
): Promise<void> {
  if (stored.length === 0) return
  const ids = stored.map(({ incidentId }) => incidentId)
  const incidents = new Map(
    (await readIncidents(transaction, ids, 10_000)).map((incident) => [incident.id, incident]),
  )
  const projectIds = [...new Set([...incidents.values()].map(({ project_id }) => project_id))]
  const channels = await findRows(transaction, 'alert_channels', { project_id: projectIds, enabled: true })
  const projects = await findRows(transaction, 'projects', { id: projectIds })
  const channelIds = channels.map(({ id }) => id)
  const idsOf = (wanted: Transition) =>
    stored.flatMap(({ incidentId, transition }) => (transition === wanted ? [incidentId] : []))
  const notified = await channelsWithMessages(transaction, idsOf('recovered'), channelIds, 'any')
  const waiting = await channelsWithMessages(transaction, idsOf('reminded'), channelIds, 'waiting')
  const isSent = (transition: Transition, incident: ListedIncident, channelId: string) => {
    const key = incidentOnChannel(incident.id, channelId)
    // A recovery is sent only to channels that were notified, and not if the rule was turned off.
    if (transition === 'recovered') return notified.has(key) && isRuleOn(incident, rules)
    // A reminder would only queue behind a message that waits for a receiver that is down.
    return !waiting.has(key) && sendsTo(channelId, incident, rules)
  }
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const rows = stored.flatMap(({ id, incidentId, transition }) => {
    const incident = incidents.get(incidentId)
    if (!incident) return []
    return channels
      .filter(({ project_id }) => project_id === incident.project_id)
      .filter(({ recording_alerts }) => recording_alerts || !recordingAlertKinds.includes(incident.kind))
      .filter((channel) => isSent(transition, incident, channel.id))
      .map((channel) => ({
        id: newId(now.getTime()),
        project_id: incident.project_id,
        channel_id: channel.id,
        channel_name: channel.name,
        channel_type: channel.type,
        incident_id: incidentId,
        transition_id: id,
        transition,
        message: messageOf(incident, {
          projectName: names.get(incident.project_id) ?? '',
          at: now,
          isReplaced: replaced.has(incidentId),
        }),
        created_at: now,
      }))
  })
  await insertDeliveries(transaction, rows)
}

/** Whether a rule that applies to an incident, or to one of its exports, is on. */
function isRuleOn({ project_id, kind, exports }: ListedIncident, rules: EffectiveRules): boolean {
  const ids = exports.length > 0 ? exports.map(({ id }) => id) : [null]
  return ids.some((id) => rules(project_id, kind, id).enabled)
}

/** Whether a rule that applies to an incident, or to an export that it affects, sends to a channel. */
function sendsTo(channelId: string, incident: ListedIncident, rules: EffectiveRules): boolean {
  const affected = incident.exports.filter(({ until }) => until === null).map(({ id }) => id)
  return (affected.length > 0 ? affected : [null]).some((id) => {
    const { channels } = rules(incident.project_id, incident.kind, id)
    return channels === null || channels.includes(channelId)
  })
}

type MessageFacts = { projectName: string; at: Date; isReplaced: boolean }

function messageOf(incident: ListedIncident, { projectName, at, isReplaced }: MessageFacts) {
  const { id, kind, destination, exports, affected_count, all_deleted, opened_at, recovered_at } = incident
  const isRepairable = recovered_at !== null && kind === 'failed' && !all_deleted && !isReplaced
  return {
    title: incidentTitle(incident),
    detail: recovered_at === null ? incident.detail : recoveredDetail(incident, isReplaced),
    project: { id: incident.project_id, name: projectName },
    incident: {
      id,
      kind,
      destination: destination || null,
      exports: exports.slice(0, namedMax).map((each) => ({ id: each.id, name: each.name })),
      export_count: affected_count,
      opened_at: formatInstant(opened_at),
      recovered_at: recovered_at && formatInstant(recovered_at),
    },
    path: isRepairable ? '/repair' : incidentPath(incident),
    at: formatInstant(at),
  }
}
