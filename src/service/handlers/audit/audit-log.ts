import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { isIP } from 'node:net'
import type { AuditFilter } from '../../../contract/audit/audit-entry.ts'
import {
  AuditSettings,
  type AuditReceiver,
  type AuditReceiverInput,
} from '../../../contract/audit/audit-settings.ts'
import { assertAllowedHost } from '../../http/assert-allowed-host.ts'
import { WebhookSecrets } from '../../audit/send-seals.ts'
import { showEntry } from '../../audit/show-entry.ts'
import type { Caller } from '../../auth/caller.ts'
import { invalidInput, permissionDenied } from '../../problems/api-error.ts'
import { containing } from '../../recordings/filter/filter-rows.ts'
import type { Services } from '../../services.ts'
import type { Project } from '../../store/accounts/projects.ts'
import {
  audit,
  entriesOldestFirst,
  pageOfEntries,
  type AuditEntryFilter,
  type AuditRow,
} from '../../store/audit/audit-entries.ts'
import {
  auditSettings,
  changeAuditSettings,
  type AuditSettingsRow,
} from '../../store/audit/audit-settings.ts'
import { readCursor, showCursorPage } from '../cursor-page.ts'
import { readInstant } from '../given-times.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'
import { changedValues } from './audit-call.ts'

export const listAuditLog: Handler<'listAuditLog'> = async (request) => {
  const { services, query, link } = request
  const page = await pageOfEntries(services.store, filterOf(request), readCursor(query.cursor))
  return showCursorPage(page, link, showEntry)
}

/** Streams one entry a line, in batches so that memory does not grow with the log. */
export const exportAuditLog: Handler<'exportAuditLog'> = async (request) =>
  Readable.from(linesOf(entriesOldestFirst(request.services.store, filterOf(request))))

async function* linesOf(batches: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(showEntry(row))}\n`).join('')
}

/** A caller limited to some projects sees the entries of these alone. */
function filterOf({
  caller,
  projects,
  query,
}: {
  caller: Caller
  projects: readonly Project[]
  query: AuditFilter
}): AuditEntryFilter {
  const text = query.search?.trim()
  return {
    organizationId: caller.organizationId,
    projectIds: caller.scoped_projects === null ? null : projects.map(({ id }) => id),
    actor: query.actor,
    actions: query.action,
    objectType: query.object_type,
    object: query.object,
    project: query.project,
    pattern: text ? containing(text) : undefined,
    after: readInstant(query.after),
    before: readInstant(query.before),
  }
}

export const getAuditSettings: Handler<'getAuditSettings'> = async ({ services, caller }) => {
  const { settings, waiting } = await auditSettings(services.store, caller.organizationId)
  return show(settings, waiting)
}

export const updateAuditSettings: Handler<'updateAuditSettings'> = async (request) => {
  const { services, caller, body } = request
  const { organizationId } = caller
  if (caller.scoped_projects !== null)
    throw permissionDenied(
      'A key limited to some projects cannot change the audit log of the whole organization.',
    )
  const { retention_days, receiver } = body
  if (receiver) await assertReceiver(services, receiver)
  const generated =
    receiver?.type === 'webhook' && receiver.signing_secret === undefined
      ? randomBytes(32).toString('base64url')
      : null
  const { row, waiting } = await services.store.transaction().execute(async (transaction) => {
    const { settings: before, lastNumber, waiting } = await auditSettings(transaction, organizationId)
    const row = await changeAuditSettings(transaction, organizationId, {
      ...(retention_days !== undefined && { retention_days }),
      ...(receiver !== undefined && {
        ...receiverColumns(services, receiver, generated),
        // A new receiver gets the entries from now on.
        sent_number: lastNumber,
        next_attempt_at: null,
        failures: 0,
        last_sent_at: null,
        last_error: null,
      }),
    })
    await audit(transaction, {
      organizationId,
      action: 'audit_log.settings_changed',
      at: new Date(services.clock.now()),
      ...changedValues(auditedOf(before), auditedOf(row)),
    })
    // A new receiver lacks nothing yet.
    return { row, waiting: receiver === undefined ? waiting : 0 }
  })
  return { ...show(row, waiting), signing_secret: generated }
}

function auditedOf({ retention_days, receiver }: AuditSettingsRow) {
  return { retention_days, receiver }
}

function receiverColumns({ secrets }: Services, input: AuditReceiverInput | null, generated: string | null) {
  const stored = (receiver: AuditReceiver | null) => receiver && JSON.stringify(receiver)
  if (input?.type !== 'webhook') return { receiver: stored(input), receiver_secrets: null }
  const { url, signing_secret } = input
  const sealed = WebhookSecrets.parse({ url, signingSecret: signing_secret ?? generated })
  return {
    receiver: stored({ type: 'webhook', origin: new URL(url).origin }),
    receiver_secrets: secrets.seal(JSON.stringify(sealed)),
  }
}

/** Rejects a receiver to which nothing can be sent. */
async function assertReceiver(services: Services, receiver: AuditReceiverInput): Promise<void> {
  const isWebhook = receiver.type === 'webhook'
  const url = isWebhook
    ? receiver.url
    : `tcp://${isIP(receiver.host) === 6 ? `[${receiver.host}]` : receiver.host}`
  const path = ['receiver', isWebhook ? 'url' : 'host']
  if (!URL.canParse(url)) throw invalidInput('Enter the name of a host or an IP address.', path)
  await assertAllowedHost(services, url, path)
}

function show(row: AuditSettingsRow, waiting: number): AuditSettings {
  return shownAs(AuditSettings, { ...row, waiting: row.receiver === null ? 0 : waiting })
}
