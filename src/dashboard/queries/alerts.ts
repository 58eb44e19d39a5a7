import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import type { AlertDelivery } from '../../contract/alerts/alert-delivery.ts'
import type { AlertKind } from '../../contract/alerts/alert-rule.ts'
import type { EndpointName, ResponseOf } from '../../contract/endpoints.ts'
import { call, type CallInput } from '../api/call.ts'
import { sendMutation, endpointQuery, invalidate } from './endpoint-query.ts'
import { live } from './live.ts'

const pageSize = 50
/** Incidents, rules or channels that one request lists; a project rarely has more. */
const listMax = 200

export type IncidentFilter = { kind?: AlertKind | undefined; batch_export?: string | undefined }

/** Open incidents are not polled: the overview says when one changes, and `IncidentNews` then invalidates them. */
export function openIncidentsQuery(projectId: string, filter: IncidentFilter) {
  return endpointQuery('listIncidents', {
    params: { project_id: projectId },
    query: { ...filter, status: 'open', limit: listMax },
  })
}

export function recoveredIncidentsQuery(projectId: string, filter: IncidentFilter) {
  const params = { project_id: projectId }
  return infiniteQueryOptions({
    queryKey: ['listIncidents', { params, query: { ...filter, status: 'recovered' } }] as const,
    queryFn: ({ pageParam, signal }) =>
      call(
        'listIncidents',
        { params, query: { ...filter, status: 'recovered', limit: pageSize, offset: pageParam } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }, pages) => (next === null ? null : pages.length * pageSize),
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
  return {
    ...endpointQuery('deliveriesOfIncident', { params: { project_id: projectId, id } }),
    ...untilDelivered,
  }
}

export function rulesQuery(projectId: string) {
  return endpointQuery('listAlertRules', { params: { project_id: projectId }, query: { limit: listMax } })
}

export function channelsQuery(projectId: string) {
  return endpointQuery('listAlertChannels', { params: { project_id: projectId }, query: { limit: listMax } })
}

export function deliveriesOfChannelQuery(projectId: string, id: string) {
  return {
    ...endpointQuery('deliveriesOfChannel', { params: { project_id: projectId, id } }),
    ...untilDelivered,
  }
}

/** Polls often while the first attempt of a message is due, rarely while a retry is. */
const untilDelivered = live(({ results }: ResponseOf<'deliveriesOfChannel'>) => {
  if (results.some((one) => isWaiting(one) && one.attempts.length === 0)) return 'running'
  return results.some(isWaiting) ? 'resting' : 'settled'
})

function isWaiting({ status }: AlertDelivery): boolean {
  return status === 'waiting'
}

const changes = {
  incidents: ['listIncidents', 'getIncident', 'deliveriesOfIncident'],
  rules: ['listAlertRules'],
  channels: ['listAlertChannels', 'deliveriesOfChannel', 'listAlertRules'],
} as const satisfies Record<string, readonly EndpointName[]>

/** Fetches incidents again that a page shows. */
export function refreshIncidents(client: QueryClient): Promise<void> {
  return invalidate(client, ...changes.incidents)
}

type Write = Extract<
  EndpointName,
  | `${'create' | 'update' | 'delete'}Alert${string}`
  | 'testAlertChannel'
  | 'acknowledgeIncident'
  | 'muteIncident'
>

/** Sends a change, then fetches the lists again that show it; resolves to the response. */
export async function changeAlerts<Name extends Write>(
  client: QueryClient,
  of: keyof typeof changes,
  name: Name,
  input: CallInput<Name>,
): Promise<ResponseOf<Name>> {
  const response = await sendMutation(client, () => call(name, input))
  await invalidate(client, ...changes[of])
  return response
}
