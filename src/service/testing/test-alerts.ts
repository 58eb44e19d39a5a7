import { expect } from 'vitest'
import { CreatedAlertChannel } from '../../contract/alerts/alert-channel.ts'
import { AlertRule } from '../../contract/alerts/alert-rule.ts'
import { newId } from '../store/schema/identifier.ts'
import { updateRow } from '../store/schema/rows.ts'
import { insertTransition, openIncident, updateAffected } from '../store/alerts/incident-writes.ts'
import type { IncidentRow } from '../store/alerts/incidents.ts'
import { bodyOf, type TestService } from './test-service.ts'

/** Creates a channel through the API, by default a webhook to a port of loopback where nothing listens. */
export async function createChannel(service: TestService, projectId: number, input: object = {}) {
  const body = { type: 'webhook', name: 'On call', url: 'http://127.0.0.1:9/secret-path', ...input }
  const path = `/api/projects/${projectId}/alert_channels/`
  const response = await service.request('POST', path, { body })
  expect(response.status, response.text).toBe(201)
  return bodyOf(CreatedAlertChannel, response)
}

export async function createRule(service: TestService, projectId: number, input: object) {
  const response = await service.request('POST', `/api/projects/${projectId}/alert_rules/`, { body: input })
  expect(response.status, response.text).toBe(201)
  return bodyOf(AlertRule, response)
}

/** Inserts an open incident that affects these exports. */
export async function insertIncident(
  { services, clock }: Pick<TestService, 'services' | 'clock'>,
  projectId: number,
  exportIds: readonly string[] = [],
  values: Partial<IncidentRow> = {},
): Promise<IncidentRow> {
  const now = new Date(clock.now())
  const detail = 'The store refused the connection.'
  const cause = `a test ${newId(now.getTime())}`
  const failed = {
    project_id: projectId,
    kind: 'failed' as const,
    cause,
    destination: 's3://reports',
    detail,
  }
  return await services.store.transaction().execute(async (transaction) => {
    const id = (await openIncident(transaction, failed, now)) ?? ''
    await insertTransition(transaction, id, 'opened', now)
    await updateAffected(transaction, id, { joined: exportIds, left: [], detail }, now)
    const incident = await updateRow(transaction, 'incidents', { id }, { last_updated_at: now, ...values })
    if (!incident) throw new Error('the incident was not inserted')
    return incident
  })
}
