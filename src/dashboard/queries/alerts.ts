import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { AlertDelivery } from '../../contract/alerts/alert-delivery.ts'
import type { AlertKind } from '../../contract/alerts/alert-rule.ts'
import type { EndpointName, PathParams, ResponseOf } from '../../contract/endpoints.ts'
import { call, type CallInput } from '../api/call.ts'
import { sendMutation, endpointQuery, invalidate } from './endpoint-query.ts'
import { live } from './live.ts'
import { cursorOf } from '../ui/list/pager.tsx'

const pageSize = 50
/** Incidents, rules or channels that one request lists; a project rarely has more. */
const listMax = 200

type IncidentFilter = { kind?: AlertKind | undefined; batch_export?: string }

/** Open incidents are not polled: the overview says when one changes, and `IncidentNews` then invalidates them. */
export function openIncidentsQuery(projectId: string, filter: IncidentFilter) {
  const query = { ...filter, status: 'open', limit: listMax } as const
  return endpointQuery('listIncidents', { params: { project_id: projectId }, query })
}

export function recoveredIncidentsQuery(projectId: string, filter: IncidentFilter) {
  const params = { project_id: projectId }
  const query = { ...filter, status: 'recovered' } as const
  return infiniteQueryOptions({
    queryKey: ['listIncidents', { params, query }] as const,
    queryFn: ({ pageParam, signal }) =>
      call('listIncidents', { params, query: { ...query, limit: pageSize, ...pageParam } }, { signal }),
    initialPageParam: { offset: 0 } as { offset: number; cursor?: string | undefined },
    getNextPageParam: ({ next }, pages) =>
      next === null ? null : { offset: pages.length * pageSize, cursor: cursorOf(next) },
  })
}

/** Returns the incidents that changed at or after a time. */
export async function incidentsSince(projectId: string, since: string | null) {
  const query = { limit: listMax, ...(since === null ? {} : { since }) }
  return await call('listIncidents', { params: { project_id: projectId }, query })
}

export function incidentQuery(projectId: string, id: string) {
  return endpointQuery('getIncident', { params: { project_id: projectId, id } })
}

export function deliveriesOfIncidentQuery(projectId: string, id: string) {
  const params = { project_id: projectId, id }
  return { ...endpointQuery('deliveriesOfIncident', { params }), ...untilDelivered }
}

export function rulesQuery(projectId: string) {
  return endpointQuery('listAlertRules', { params: { project_id: projectId }, query: { limit: listMax } })
}

export function channelsQuery(projectId: string) {
  return endpointQuery('listAlertChannels', { params: { project_id: projectId }, query: { limit: listMax } })
}

export function deliveriesOfChannelQuery(projectId: string, id: string) {
  const params = { project_id: projectId, id }
  return { ...endpointQuery('deliveriesOfChannel', { params }), ...untilDelivered }
}

/** Polls often while the first attempt of a message is due, rarely while a retry is. */
const untilDelivered = live(({ results }: ResponseOf<'deliveriesOfChannel'>) => {
  if (results.some((one) => isWaiting(one) && one.attempts.length === 0)) return 'running'
  return results.some(isWaiting) ? 'resting' : 'settled'
})

function isWaiting({ status }: AlertDelivery): boolean {
  return status === 'waiting'
}

const incidents = ['listIncidents', 'getIncident', 'deliveriesOfIncident'] as const
const rules = ['listAlertRules'] as const
const channels = ['listAlertChannels', 'deliveriesOfChannel', 'listAlertRules'] as const

/** Fetches incidents again that a page shows. */
export function refreshIncidents(client: QueryClient): Promise<void> {
  return invalidate(client, ...incidents)
}

/** The endpoints whose responses each change is part of. */
const shownBy = {
  acknowledgeIncident: incidents,
  muteIncident: incidents,
  createAlertRule: rules,
  updateAlertRule: rules,
  deleteAlertRule: rules,
  createAlertChannel: channels,
  updateAlertChannel: channels,
  deleteAlertChannel: channels,
  testAlertChannel: channels,
} as const satisfies Partial<Record<EndpointName, readonly EndpointName[]>>

/** What a change needs to know of the page. */
export type Sending = { client: QueryClient; projectId: string }

/** The body of a change, and the id of what it changes. */
type Change<Name extends EndpointName> = Omit<CallInput<Name>, 'params'> &
  Omit<PathParams<Name>, 'project_id'>

/** Sends a change in the project, then fetches the lists again that show it; resolves to the response. */
export async function changeAlerts<Name extends keyof typeof shownBy>(
  { client, projectId }: Sending,
  name: Name,
  change: Change<Name>,
): Promise<ResponseOf<Name>> {
  const { body, ...ids }: { body?: unknown } = change
  const input: unknown = { params: { project_id: projectId, ...ids }, body }
  const response = await sendMutation(client, () => call(name, input as CallInput<Name>))
  await invalidate(client, ...shownBy[name])
  return response
}
