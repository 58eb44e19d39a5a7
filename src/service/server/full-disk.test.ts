import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EventType } from '../../replay/recorded/rrweb.ts'
import { endpoints, type Endpoint, type EndpointName } from '../../contract/endpoints.ts'
import { firstOwner } from '../store/accounts/users.ts'
import { newId } from '../store/schema/identifier.ts'
import { insertRow } from '../store/schema/rows.ts'
import { recorded, snapshotItem } from '../testing/test-replay.ts'
import { insertBlock, insertRecording } from '../testing/test-recordings.ts'
import {
  createExport,
  exportInput,
  firstChange,
  insertBackfill,
  createObject,
  insertRun,
} from '../testing/test-rows.ts'
import { hashPassword } from '../auth/passwords.ts'
import { newSecret } from '../auth/factors/second-factor.ts'
import { appCode } from '../testing/accounts/test-authenticator.ts'
import {
  insertInvite,
  insertMember,
  insertPasskey,
  insertSession,
  insertToken,
} from '../testing/test-members.ts'
import { connectionConfigs } from '../testing/test-integrations.ts'
import { pathTo, placeOf, type Place } from '../testing/test-place.ts'
import { insertConsoleEntries } from '../testing/test-sessions.ts'
import { createTestService, problemOf, type TestService } from '../testing/test-service.ts'

const detail = 'The disk of the PostgreSQL server is full: free some space, then try again.'

let service: TestService
let place: Place
let recordingFile: Buffer
let cluster: number
const cause = 'disk||The disk is full.'
let personId: string
let invite: string
/** Tokens of links, by what they are for. */
const links = { 'new password': '', 'new email': '' }
const smtp = { url: 'smtp://127.0.0.1:9', from: 'spool@shop.example' }
/** Of an authenticator app that has not been confirmed. */
let appSecret: string
/** Sessions with which the requests of people are sent. */
let sessions: Partial<Record<EndpointName, Record<string, string>>>
/** Objects that an endpoint changes only in another state. */
let others: Partial<Record<EndpointName, Partial<Place>>>

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback', smtp } })
  const made = await createExport(service)
  place = await placeOf(service, service.own.project_id, made)
  const key = { body: { label: 'Another', scopes: ['*'] } }
  const { body } = await service.request('POST', '/api/personal_api_keys/', key)
  const failed = await insertRun(service, made, {
    status: 'Failed',
    failure_cause: cause,
    finished_at: new Date(service.clock.now()),
    data_interval_start: new Date(0),
  })
  const running = await insertRun(service, made, { status: 'Running', data_interval_start: new Date(1) })
  const backfill = await insertBackfill(service, made, { status: 'Running', finished_at: null })
  const recording = await insertRecording(service)
  await insertBlock(service, recording, 0, [
    ['window', { timestamp: service.clock.now(), type: EventType.Meta }],
  ])
  const failure = { session_id: recording.session_id, level: 'error', message: 'No lamp' }
  await insertConsoleEntries(service, [failure])
  const [entry] = await service.services.warehouse.query<{ cluster: number }>(
    `SELECT cluster FROM console_entries WHERE team_id = ${service.own.project_id}`,
  )
  cluster = entry?.cluster ?? 0
  const file = `/api/projects/@current/session_recordings/${recording.session_id}/file/`
  const headers = { authorization: `Bearer ${service.own.api_key}` }
  recordingFile = (await service.server.inject({ url: file, headers })).rawPayload
  const { store } = service.services
  const plan = await createObject(service, service.own.project_id, 'repair_plans', {})
  await store.updateTable('repair_plans').set({ status: 'Running' }).where('id', '=', plan).execute()
  const renamed = await createExport(service)
  await service.request('PATCH', `/api/projects/@current/batch_exports/${renamed.id}/`, { body: change })
  await store
    .deleteFrom('batch_export_changes')
    .where('id', '=', await firstChange(service, renamed.id))
    .execute()
  others = {
    revertBatchExportChange: { batchExportChange: await firstChange(service, renamed.id) },
    stopRepairPlan: { repairPlan: plan },
    importSessionRecording: { project: String(service.secondProjectId) },
    deletePersonalApiKey: { apiKey: (body as { id: string }).id },
    retryRun: { run: failed.id },
    cancelRun: { run: running.id },
    cancelBackfill: { backfill: backfill.id },
    addOneToRecordingCollection: { recording: recording.session_id },
  }
  const [distinct] = await service.services.store
    .selectFrom('person_distinct_ids')
    .innerJoin('persons', 'persons.id', 'person_id')
    .where('uuid', '=', place.person)
    .select('distinct_id')
    .execute()
  personId = distinct?.distinct_id ?? ''
  const invites = `/api/organizations/${service.own.organization_id}/invites/`
  const invited = await service.request('POST', invites, { body: { role: 'analyst' } })
  invite = (invited.body as { url: string }).url.split('#invite=')[1] ?? ''
  const withAddress = await insertInvite(service, { email: 'ben@people.example' })
  others = { ...others, sendInvite: { invite: withAddress.id } }
  for (const purpose of ['new password', 'new email'] as const)
    links[purpose] = await insertToken(service, purpose)
  const { headers: own } = await insertSession(service)
  const owner = await firstOwner(store, service.own.organization_id)
  const { sealed, shown } = newSecret(service.services.secrets, { email: 'ada@people.example' })
  appSecret = shown.secret
  await store
    .updateTable('users')
    .set({ totp_new_secret: sealed })
    .where('id', '=', owner?.user_id ?? '')
    .execute()
  const passkey = await insertPasskey(service, owner?.user_id ?? '')
  others = { ...others, updatePasskey: { passkey }, deletePasskey: { passkey } }
  const withFactor = await insertMember(service, 'analyst')
  await store.updateTable('users').set({ totp_secret: sealed }).where('id', '=', withFactor).execute()
  const { headers: protectedHeaders } = await insertSession(service, { user_id: withFactor })
  const other = { ...service, own: service.other }
  const { headers: elsewhere } = await insertSession(other, { user_id: await insertMember(other, 'analyst') })
  const user_id = await insertMember(service, 'analyst')
  const { organization_id } = service.other
  await insertRow(store, 'members', { organization_id, user_id, role: 'analyst', created_at: new Date() })
  const { headers: ofBoth } = await insertSession(service, { user_id })
  sessions = {
    signOut: own,
    deleteSession: own,
    confirmSession: own,
    changeUser: own,
    switchOrganization: ofBoth,
    leaveOrganization: ofBoth,
    beginPasskeyConfirmation: own,
    beginSecondFactor: own,
    finishSecondFactor: own,
    replaceRecoveryCodes: protectedHeaders,
    deleteSecondFactor: protectedHeaders,
    beginPasskey: own,
    createPasskey: own,
    updatePasskey: own,
    deletePasskey: own,
    joinByInvite: elsewhere,
  }
  const password_hash = await hashPassword(password)
  await store.updateTable('users').set({ password_hash }).execute()
  await fillDisk(service)
})
afterAll(() => service.stop())

/** Makes every write fail with the error that PostgreSQL reports on a full disk. */
async function fillDisk({ services: { store } }: TestService): Promise<void> {
  await sql`CREATE FUNCTION fail_write() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file "base/1": No space left on device' USING ERRCODE = 'disk_full'; END $$`.execute(
    store,
  )
  await sql`DO $$ DECLARE name regclass; BEGIN
    FOR name IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace::regnamespace::text !~ '^(pg_catalog|information_schema|pg_toast)'
    LOOP EXECUTE format('CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON %s EXECUTE FUNCTION fail_write()', name);
    END LOOP; END $$`.execute(store)
}

const password = 'sixteen purple tea cups'
const change = { name: 'Changed' }
const create = { ...exportInput, name: 'Another' }
const period = { start_at: '2026-02-01T00:00:00Z', end_at: '2026-02-01T02:00:00Z' }

/** Bodies with which the requests write. */
const bodies = (): Partial<Record<EndpointName, object>> => ({
  createBatchExport: create,
  createOrganizationBatchExport: create,
  replaceBatchExport: create,
  replaceOrganizationBatchExport: create,
  updateBatchExport: change,
  updateOrganizationBatchExport: change,
  backfillBatchExport: period,
  backfillOrganizationBatchExport: period,
  applyBatchExports: { exports: [create] },
  createBulkAction: { action: 'delete_batch_exports', filter: {} },
  createPersonalApiKey: { label: 'A key', scopes: ['*'] },
  createAlertRule: { kind: 'late' },
  updateAlertRule: { enabled: false },
  createAlertChannel: { type: 'webhook', name: 'A hook', url: 'http://127.0.0.1:9/' },
  updateAlertChannel: change,
  createIntegration: {
    kind: 's3-compatible',
    config: { name: 'Lake', ...connectionConfigs['s3-compatible'] },
  },
  rotateIntegration: { config: connectionConfigs['s3-compatible'] },
  muteIncident: { until: '2026-03-05T00:00:00Z' },
  changeRepairPlan: { leave_out: [0] },
  updateLedger: { verify: 'nightly' },
  verifyLedger: { start: '2026-03-04T00:00:00Z', end: '2026-03-05T00:00:00Z' },
  updateProblems: { causes: [cause], assignee: null },
  updateErrorClusters: { clusters: [cluster], state: 'resolved' },
  bulkDeleteRecordings: { session_recording_ids: [place.recording] },
  updateSessionRecording: { viewed: true },
  createGroupSummary: { ids: [place.recording] },
  createRecordingNote: { session_recording_id: place.recording, at: 0, text: 'A note' },
  updateRecordingNote: { text: 'Changed' },
  bulkUpdateSharing: { ids: [place.recording], enabled: true },
  updateSharing: { enabled: true },
  createRecordingCollection: change,
  updateRecordingCollection: change,
  addToRecordingCollection: { ids: [place.recording] },
  createRecordingView: { name: 'Another', query: 'order=click_count' },
  updateRecordingView: { shared: true },
  updateRecordingSettings: { canvas: true },
  updateAuditSettings: { retention_days: 90 },
  signIn: { key: service.own.api_key },
  confirmSession: { password },
  changeUser: { first_name: 'Changed' },
  switchOrganization: { organization_id: service.other.organization_id },
  finishSecondFactor: { code: appCode(appSecret, service.clock.now()) },
  createPasskey: {
    name: 'A',
    token: 'a',
    credential: {
      id: 'a',
      rawId: 'a',
      type: 'public-key',
      response: { clientDataJSON: 'a', attestationObject: 'a' },
    },
  },
  updatePasskey: change,
  changeMember: { role: 'editor' },
  createInvite: { role: 'analyst' },
  requestPasswordReset: { email: 'ada@people.example' },
  resetPassword: { token: links['new password'], password: 'another seven tea cups' },
  confirmEmail: { token: links['new email'] },
  readMentions: { session_recording_id: place.recording },
  acceptInvite: { token: invite, email: 'new@people.example', password, first_name: 'New' },
  joinByInvite: { token: invite },
  createIdentityProvider: {
    id: 'another',
    name: 'Another',
    issuer: 'http://127.0.0.1:9/',
    client_id: 'spool',
    client_secret: 'secret',
  },
  updateIdentityProvider: change,
  erasePerson: { confirm: personId },
})

/** These write nothing to PostgreSQL, the last one not before a language model has answered. */
const readers: readonly string[] = [
  'testConnection',
  'runNewTestStep',
  'runTestStep',
  'previewBatchExport',
  'planTable',
  'inspectInvite',
  'testIdentityProvider',
  'rewordGroupSummary',
]

const writes = Object.entries<Endpoint>(endpoints).filter(
  ([name, { method }]) => method !== 'GET' && !readers.includes(name),
)

test.each(writes)('%s returns 503 and names the full disk', async (name, endpoint) => {
  const path = pathTo(endpoint, { ...place, ...others[name as EndpointName] })
  const file = { raw: recordingFile, headers: { 'content-type': 'application/zstd' } }
  const json = endpoint.body && { body: bodies()[name as EndpointName] ?? {} }
  const headers = sessions[name as EndpointName]
  const response = await service.request(endpoint.method, path, {
    ...(endpoint.consumes ? file : json),
    ...(headers && { headers, key: '' }),
  })
  expect([response.status, response.headers['retry-after']], response.text).toEqual([503, '10'])
  expect(problemOf(response)).toMatchObject({ type: 'server_error', code: 'disk_full', detail })
})

test('a captured recording is refused with the name of the full disk', async () => {
  const { api_token } = await service.services.store
    .selectFrom('projects')
    .select('api_token')
    .where('id', '=', service.own.project_id)
    .executeTakeFirstOrThrow()
  const batch = [
    snapshotItem(newId(service.clock.now()), { events: [recorded.page(0, 'https://shop.example/')] }),
  ]
  for (const path of ['/s/', '/batch/']) {
    const response = await service.request('POST', path, { body: { api_key: api_token, batch } })
    expect([response.status, response.text, response.headers['retry-after']], path).toEqual([
      503,
      detail,
      '10',
    ])
  }
})

test('on a full disk, a request that writes nothing succeeds', async () => {
  for (const path of ['batch_exports/', 'session_recordings/', 'batch_exports/overview/'])
    expect((await service.request('GET', `/api/projects/@current/${path}`)).status, path).toBe(200)
})
