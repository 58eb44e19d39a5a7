import { randomBytes } from 'node:crypto'
import { channelsMax, AlertChannel } from '../../../contract/alerts/alert-channel.ts'
import type { BodyOf } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { secretRequired } from '../../../contract/destinations/moved-secrets.ts'
import { comparableAddress } from '../../../contract/destinations/comparable-address.ts'
import { noMail } from '../../../contract/no-mail.ts'
import { openChannelSecrets, sealChannelSecrets } from '../../alerts/channel-secrets.ts'
import { assertAllowedHost } from '../../http/assert-allowed-host.ts'
import { pageOfList } from '../../http/page-links.ts'
import { conflict, invalidInput, notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import {
  deleteAlertChannel as deleteChannel,
  insertAlertChannel,
  listAlertChannels as listChannels,
  updateAlertChannel as updateChannel,
  type AlertChannelRow,
  type ListedChannel,
} from '../../store/alerts/alert-channels.ts'
import { insertTest } from '../../store/alerts/alert-deliveries.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { newId } from '../../store/schema/identifier.ts'
import { changedValues, entryBy } from '../audit/audit-call.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'
import { showDelivery } from './deliveries.ts'
import { hiddenKinds } from '../hidden-kinds.ts'

const hourMs = 3_600_000
/** Tests that a project can send within an hour, whatever the number of channels. */
const testsMax = 60

export const listAlertChannels: Handler<'listAlertChannels'> = async (request) => {
  const rows = await listChannels(request.services.store, request.project.id)
  return { ...pageOfList(rows, request, show), email: request.services.config.smtp !== null }
}

export const createAlertChannel: Handler<'createAlertChannel'> = async (request) => {
  const { services, caller, project, body } = request
  await assertReceiver(services, body)
  const url = body.type === 'email' ? null : body.url
  const given = body.type === 'webhook' ? (body.signing_secret ?? null) : null
  const generated = body.type === 'webhook' && given === null ? randomBytes(32).toString('base64url') : null
  const now = new Date(services.clock.now())
  const row: AlertChannelRow = {
    id: newId(now.getTime()),
    project_id: project.id,
    name: body.name,
    type: body.type,
    enabled: body.enabled,
    origin: url === null ? null : new URL(url).origin,
    recipients: body.type === 'email' ? body.recipients : [],
    secrets:
      url === null ? null : sealChannelSecrets(services.secrets, { url, signingSecret: given ?? generated }),
    recording_alerts: hiddenKinds(caller).length === 0,
    actor: caller.name,
    created_at: now,
    last_updated_at: now,
  }
  await inTransaction(services.store, async (transaction) => {
    if (!(await insertAlertChannel(transaction, row, channelsMax)))
      throw invalidInput(`A project has at most ${channelsMax} channels: delete one first.`, ['name'])
    await audit(transaction, { ...entryBy(request, 'alert_channel.created', row), after: auditedOf(row) })
  })
  return { ...show({ ...row, last_status: null, last_at: null }), signing_secret: generated }
}

export const getAlertChannel: Handler<'getAlertChannel'> = async ({ alertChannel }) => show(alertChannel)

export const updateAlertChannel: Handler<'updateAlertChannel'> = async (request) => {
  const { services, caller, alertChannel, body } = request
  assertFields(alertChannel, body)
  await assertReceiver(services, body)
  const { url, signing_secret, ...plain } = body
  const isSecret = (url ?? signing_secret) !== undefined
  const row = await inTransaction(services.store, async (transaction) => {
    const updated = await updateChannel(transaction, alertChannel.id, (stored) => ({
      ...plain,
      ...(url !== undefined && { origin: new URL(url).origin }),
      ...((url ?? body.recipients) !== undefined && { recording_alerts: hiddenKinds(caller).length === 0 }),
      ...(isSecret && { secrets: changeSecrets(services, stored, body) }),
      last_updated_at: new Date(services.clock.now()),
    }))
    if (!updated) throw notFound()
    await audit(transaction, {
      ...entryBy(request, 'alert_channel.updated', updated),
      ...changedValues(auditedOf(alertChannel), {
        ...auditedOf(updated),
        ...(isSecret && { secrets: 'changed' }),
      }),
    })
    return updated
  })
  return show({ ...alertChannel, ...row })
}

/** The stored secrets stay unless they are given. @throws ApiError 400 if another URL is given without a signing secret. */
function changeSecrets(
  { secrets: box }: Services,
  stored: AlertChannelRow,
  { url, signing_secret }: BodyOf<'updateAlertChannel'>,
): Buffer | null {
  const secrets = openChannelSecrets(box, stored)
  const isMoved =
    secrets !== null && url !== undefined && comparableAddress(url) !== comparableAddress(secrets.url)
  if (isMoved && secrets.signingSecret !== null && signing_secret === undefined)
    throw invalidInput(secretRequired, ['signing_secret'], { code: 'required' })
  return (
    secrets &&
    sealChannelSecrets(box, {
      url: url ?? secrets.url,
      signingSecret: signing_secret ?? secrets.signingSecret,
    })
  )
}

export const deleteAlertChannel: Handler<'deleteAlertChannel'> = async ({ services, alertChannel }) => {
  await deleteChannel(services.store, alertChannel.id, new Date(services.clock.now()))
  return null
}

/** Stores a message like that of an incident; the same job sends it. */
export const testAlertChannel: Handler<'testAlertChannel'> = async ({ services, project, alertChannel }) => {
  const now = services.clock.now()
  const at = formatInstant(now)
  const row = {
    id: newId(now),
    project_id: alertChannel.project_id,
    channel_id: alertChannel.id,
    channel_name: alertChannel.name,
    channel_type: alertChannel.type,
    incident_id: null,
    transition_id: null,
    transition: 'test' as const,
    message: {
      title: 'Test of an alert channel',
      detail: `The channel "${alertChannel.name}" receives alerts of this project.`,
      project: { id: alertChannel.project_id, name: project.name },
      incident: null,
      path: '/settings/alerts',
      at,
    },
    created_at: new Date(now),
  }
  const result = await insertTest(services.store, row, { since: new Date(now - hourMs), max: testsMax })
  if (result === 'waiting')
    throw conflict('A test of this channel is being sent: wait for its result, which its messages show.')
  if (result === 'too many')
    throw conflict(`The project has sent ${testsMax} tests within an hour: wait before you send another one.`)
  return showDelivery({
    ...row,
    status: 'waiting',
    attempts: [],
    next_attempt_at: row.created_at,
    claimed_until: null,
    finished_at: null,
  })
}

const foreignFields = {
  email: ['url', 'signing_secret'],
  webhook: ['recipients'],
  slack: ['recipients', 'signing_secret'],
  teams: ['recipients', 'signing_secret'],
} as const

/** Rejects fields that only channels of other types have. */
function assertFields({ type }: AlertChannelRow, body: BodyOf<'updateAlertChannel'>): void {
  const field = foreignFields[type].find((name) => body[name] !== undefined)
  if (field !== undefined) throw invalidInput(`A channel of the type ${type} has no ${field}.`, [field])
}

/** Rejects a receiver to which nothing can be sent. */
async function assertReceiver(
  services: Services,
  body: { url?: string | undefined; recipients?: string[] | undefined },
): Promise<void> {
  if (body.recipients !== undefined && services.config.smtp === null) throw invalidInput(noMail, ['type'])
  if (body.url !== undefined) await assertAllowedHost(services, body.url, ['url'])
}

/** Returns what the audit log records of a channel: not its URL, which can contain a secret. */
function auditedOf({ name, type, enabled, origin, recipients }: AlertChannelRow) {
  return { name, type, enabled, origin, recipients }
}

function show(row: ListedChannel): AlertChannel {
  const { last_status: status, last_at: at } = row
  const last_delivery = status && at && { status, at: formatInstant(at) }
  return shownAs(AlertChannel, { ...row, last_delivery, by: row.actor })
}
