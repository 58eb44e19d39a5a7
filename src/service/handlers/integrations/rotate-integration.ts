import type { ChangedField } from '../../../contract/exports/batch-export-change.ts'
import { assertScope } from '../../auth/access.ts'
import { conflict, ApiError, notFound } from '../../problems/api-error.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import { logExport } from '../../runs/export-log.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { insertChange, valuesOfFields } from '../../store/runs/changes-list.ts'
import { findIntegration, lockUsers, type IntegrationRow } from '../../store/runs/integrations.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { findRows, updateRow } from '../../store/schema/rows.ts'
import { authorOf, byKey } from '../by-key.ts'
import { entryBy } from '../audit/audit-call.ts'
import { plainChanges } from '../exports/changed-fields.ts'
import type { ApiRequest, Handler } from '../handler.ts'
import { assertNameFree, storeIntegration } from './integration-input.ts'
import { showIntegration } from './show-integration.ts'

type Request = ApiRequest<'rotateIntegration'>
type Rotated = Pick<IntegrationRow, 'name' | 'address' | 'config' | 'secrets'>

/** Exports that are tested at the same time. */
const testsAtOnce = 5

/** Replaces the config of a connection if every export that uses it works with the new one. */
export const rotateIntegration: Handler<'rotateIntegration'> = async (request) => {
  const { services, caller, integration, project, body } = request
  // The exports that use it write to another place from now on.
  assertScope(caller, 'batch_export:write')
  const { name } = integration.config
  const given = { ...(name !== undefined && { name }), ...body.config }
  const rotated = await storeIntegration(services, integration.kind, given)
  await assertNameFree(services.store, integration, rotated.name)
  const users = await findRows(services.store, 'batch_exports', {
    integration_id: integration.id,
    deleted_at: null,
  })
  const failures = await failingUsers(services, { ...integration, ...rotated }, users)
  if (failures.length > 0) throw refuse(failures, users.length)
  await replace(request, rotated, users)
  const row = await findIntegration(services.store, [project.id], integration.id)
  if (!row) throw notFound()
  return showIntegration(row)
}

type Failure = { name: string; reason: string }

/** Tests exports with a connection; returns those that do not work, by name. */
async function failingUsers(
  services: Services,
  connection: IntegrationRow,
  users: readonly BatchExportRow[],
): Promise<Failure[]> {
  const failures: Failure[] = []
  const waiting = [...users]
  const testWaiting = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const integration_config = { ...connection.config, name: connection.name }
      const { ok, steps } = await tryDestination(services, { ...row, integration_config, connection })
      const failed = steps.find(({ status }) => status === 'failed')
      if (!ok) failures.push({ name: row.name, reason: `${failed?.name}: ${failed?.detail}` })
    }
  }
  await Promise.all(Array.from({ length: testsAtOnce }, testWaiting))
  return failures.toSorted((one, other) => one.name.localeCompare(other.name))
}

function refuse(failures: readonly Failure[], count: number): ApiError {
  const found = failures.map(({ name, reason }) => `"${name}": ${reason}`)
  return new ApiError({
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail: `Nothing was changed, because ${failures.length} of ${count} batch exports ${failures.length === 1 ? 'does' : 'do'} not work with the new config. ${found.join(' ')}`,
    attr: 'config',
    issues: found.map((message) => ({ path: ['config'], message })),
  })
}

/** Stores the new config for all exports that use the connection. @throws ApiError 409 if they are not those that were tested. */
async function replace(request: Request, rotated: Rotated, tested: readonly BatchExportRow[]): Promise<void> {
  const { services, caller, integration } = request
  const { store, clock } = services
  const at = new Date(clock.now())
  await inTransaction(store, async (transaction) => {
    const users = await lockUsers(transaction, integration.id)
    const worked = tested.length > 0 && { last_worked_at: at, last_error: null }
    // The exports are locked first, as by their own changes.
    await updateRow(transaction, 'integrations', { id: integration.id }, { ...rotated, ...worked })
    const versions = (rows: readonly BatchExportRow[]) =>
      rows.map(({ id, last_updated_at: updated }) => `${id} ${updated.getTime()}`).toSorted()
    const now = await lockUsers(transaction, integration.id)
    if (String(versions(now)) !== String(versions(tested)))
      throw conflict(
        'Nothing was changed, because exports that use the connection were changed meanwhile: try again.',
      )
    const fields = changedFields(integration, rotated)
    await audit(transaction, {
      ...entryBy(request, 'connection.secret_rotated', { id: integration.id, name: rotated.name }),
      ...valuesOfFields(fields),
    })
    for (const { id: batchExportId } of users) {
      await insertChange(transaction, { batchExportId, kind: 'updated', ...authorOf(caller), at, fields })
      await logExport(
        transaction,
        batchExportId,
        `Rotated the connection ${rotated.name} ${byKey(caller)}.`,
        at,
      )
    }
  })
}

/** Lists what differs between two configs of a connection, for the history of its exports. */
function changedFields(before: Rotated, after: Rotated): ChangedField[] {
  const named = ({ name, config }: Rotated) => ({
    'destination.integration': name,
    ...Object.fromEntries(
      Object.entries(config)
        .filter(([field]) => field !== 'name')
        .map(([field, value]) => [`destination.integration.${field}`, value]),
    ),
  })
  const secrets = { field: 'destination.integration.secrets', before: null, after: null, secret: true }
  return [...plainChanges(named(before), named(after)), secrets]
}
