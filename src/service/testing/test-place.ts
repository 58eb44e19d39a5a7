import type { BatchExport } from '../../contract/exports/batch-export.ts'
import { endpoints, type Endpoint, type PathObject } from '../../contract/endpoints.ts'
import { createIntegration } from './test-integrations.ts'
import { createChannel, createRule, insertIncident } from './test-alerts.ts'
import { EventType } from '../../replay/recorded/rrweb.ts'
import { insertBlock, insertLink, insertRecording, insertRunningSummary } from './test-recordings.ts'
import { insertInvite, insertMember, insertSession } from './test-members.ts'
import {
  createExport,
  createObject,
  firstChange,
  insertErasure,
  insertBackfill,
  insertRun,
} from './test-rows.ts'
import { insertPerson } from './test-sessions.ts'
import { insertProvider } from './test-providers.ts'
import type { TestService } from './test-service.ts'

/** Ids of one object of each kind. */
export type Place = Record<Exclude<PathObject, 'link'>, string>

type NewObjects = Record<keyof Place, () => Promise<string>>

/** Returns functions that create an object of each kind in a project, besides the export `made`; each resolves to its id. */
export function newObjects(service: TestService, project: number, made: BatchExport): NewObjects {
  const create = createObject.bind(null, service, project)
  const recording = once(async () => {
    const inserted = await insertRecording(service, { project_id: project })
    await insertBlock(service, inserted, 0, [
      ['window', { timestamp: service.clock.now(), type: EventType.Meta }],
    ])
    return inserted
  })
  const collection = once(() => create('session_recording_playlists', { name: 'Test' }))
  return {
    project: async () => String(project),
    organization: async () => service.own.organization_id,
    batchExport: async () => made.id,
    batchExportChange: () => firstChange(service, made.id),
    run: async () => (await insertRun(service, made)).id,
    backfill: async () => (await insertBackfill(service, made)).id,
    recording: async () => (await recording()).session_id,
    recordingLink: async () => (await insertLink(service, { recording_id: (await recording()).id })).id,
    recordingCollection: collection,
    collectionLink: async () => (await insertLink(service, { collection_id: await collection() })).id,
    recordingNote: async () =>
      create('recording_notes', {
        session_recording_id: (await recording()).session_id,
        at: 1,
        text: 'A note',
      }),
    bulkAction: () => create('bulk_actions', { action: 'pause_batch_exports', ids: [made.id] }),
    repairPlan: () => create('repair_plans', {}),
    groupSummary: () => insertRunningSummary(service, project),
    async alertRule() {
      const rule = { kind: 'failed', level: 'export', batch_export: made.id }
      return (await createRule(service, project, rule)).id ?? ''
    },
    alertChannel: async () => (await createChannel(service, project)).id,
    integration: async () => String((await createIntegration(service, {}, project)).id),
    incident: async () => (await insertIncident(service, project, [made.id])).id,
    recordingView: () => create('saved_views', { name: 'A view', query: '' }),
    person: () => insertPerson(service, [crypto.randomUUID()], {}, project),
    identityProvider: async () => (await insertProvider(service)).id,
    // Keys have no passkeys.
    passkey: async () => made.id,
    session: async () => (await insertSession(service)).id,
    member: () => insertMember(service, 'analyst'),
    invite: async () => (await insertInvite(service)).id,
    personErasure: () => insertErasure(service, project),
    // No key has this id: the key in use must not be revoked.
    apiKey: async () => made.id,
  }
}

function once<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => (created ??= create())
}

/** Creates an object of each kind in a project, besides the export `made`. */
export async function placeOf(service: TestService, project: number, made: BatchExport): Promise<Place> {
  const ids: Partial<Place> = {}
  for (const [object, create] of Object.entries(newObjects(service, project, made)))
    ids[object as keyof Place] = await create()
  return ids as Place
}

/** Creates objects in the first project, in the second of its organization, and in one of another organization. */
export async function createPlaces(service: TestService) {
  const elsewhere: Pick<TestService, 'request'> = {
    request: (method, url, options) =>
      service.request(method, url, { key: service.other.api_key, ...options }),
  }
  const createIn = async (client: TestService, project: number) =>
    placeOf(client, project, await createExport(client, {}, `/api/projects/${project}/batch_exports/`))
  return {
    own: await createIn(service, service.own.project_id),
    second: await createIn(service, service.secondProjectId),
    other: await createIn({ ...service, ...elsewhere, own: service.other }, service.other.project_id),
  }
}

/** The endpoints that need a key. */
export const endpointsWithKey = Object.entries<Endpoint>(endpoints).filter(
  ([, { loads, open }]) => !loads?.link && !open,
)

/** Returns the path of an endpoint with the objects of a place. */
export function pathTo({ path, loads }: Endpoint, place: Place): string {
  return Object.entries(place).reduce((filled, [object, id]) => {
    const param = loads?.[object as keyof Place]
    return param === undefined ? filled : filled.replace(`:${param}/`, `${id}/`)
  }, path)
}
