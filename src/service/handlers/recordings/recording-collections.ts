import { sql, type RawBuilder } from 'kysely'
import {
  collectedMax,
  collectionsMax,
  RecordingCollection,
} from '../../../contract/recordings/recording-collection.ts'
import { pageOfList } from '../../http/page-links.ts'
import { conflict, invalidInput, notFound } from '../../problems/api-error.ts'
import { conditionsOf } from '../../recordings/filter/filter-page.ts'
import { withPatterns } from '../../recordings/filter/filter-patterns.ts'
import type { Services } from '../../services.ts'
import { newId } from '../../store/schema/identifier.ts'
import {
  addToCollection,
  findCollection,
  FullCollection,
  listCollections,
  removeFromCollection,
  type RecordingCollectionRow,
} from '../../store/recordings/recording-collections.ts'
import { collectionsWithLinks } from '../../store/recordings/recording-sharing.ts'
import { deleteRows, insertUpTo, updateRows } from '../../store/schema/rows.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

export const listRecordingCollections: Handler<'listRecordingCollections'> = async (request) => {
  const { services, project } = request
  const rows = await listCollections(services.store, project.id)
  const shared = await sharedOf(services, rows)
  return pageOfList(rows, request, (row) => show(row, shared))
}

export const createRecordingCollection: Handler<'createRecordingCollection'> = async (request) => {
  const { services, caller, project, body } = request
  const now = services.clock.now()
  const row = {
    id: newId(now),
    project_id: project.id,
    ...body,
    actor: caller.name,
    created_at: new Date(now),
    updated_at: new Date(now),
  }
  if (!(await insertUpTo(services.store, 'recording_collections', row, collectionsMax)))
    throw conflict(`A project has at most ${collectionsMax} collections: delete one first.`)
  return show({ ...row, recording_count: 0 }, new Set())
}

export const getRecordingCollection: Handler<'getRecordingCollection'> = async (request) => {
  const { services, recordingCollection: row } = request
  return show(row, await sharedOf(services, [row]))
}

export const updateRecordingCollection: Handler<'updateRecordingCollection'> = async (request) => {
  const { services, recordingCollection, body } = request
  if (body.query !== undefined && recordingCollection.query === null)
    throw conflict('This collection is made by hand: create another one with a rule.')
  const change = { ...body, updated_at: new Date(services.clock.now()) }
  await updateRows(services.store, 'recording_collections', { id: recordingCollection.id }, change)
  return await showNow(services, recordingCollection)
}

export const deleteRecordingCollection: Handler<'deleteRecordingCollection'> = async (request) => {
  const { id } = request.recordingCollection
  await deleteRows(request.services.store, 'recording_collections', { id })
  return null
}

export const addToRecordingCollection: Handler<'addToRecordingCollection'> = async (request) => {
  const { services, recordingCollection, body } = request
  const { ids, filter } = body
  if ((ids === undefined) === (filter === undefined))
    throw invalidInput('Send either ids or a filter.', ['ids'])
  await add(services, recordingCollection, async () =>
    ids
      ? [sql<boolean>`recording.session_id = ANY (${ids}::text[])`]
      : await conditionsOf(services, recordingCollection.project_id, filter ?? {}, collectedMax),
  )
  return await showNow(services, recordingCollection)
}

export const addOneToRecordingCollection: Handler<'addOneToRecordingCollection'> = async (request) => {
  const { services, recordingCollection, recording } = request
  await add(services, recordingCollection, () => [sql<boolean>`recording.id = ${recording.id}`])
  return { success: true }
}

export const removeFromRecordingCollection: Handler<'removeFromRecordingCollection'> = async (request) => {
  const { services, recordingCollection, recording } = request
  assertByHand(recordingCollection)
  const now = new Date(services.clock.now())
  await removeFromCollection(services.store, recordingCollection.id, recording.id, now)
  return null
}

async function add(
  { store, clock }: Services,
  collection: RecordingCollectionRow,
  conditions: () => Promise<RawBuilder<boolean>[]> | RawBuilder<boolean>[],
): Promise<void> {
  assertByHand(collection)
  const now = new Date(clock.now())
  try {
    await withPatterns(async () =>
      addToCollection(store, collection, await conditions(), { max: collectedMax, now }),
    )
  } catch (error) {
    if (!(error instanceof FullCollection)) throw error
    const most = collectedMax.toLocaleString('en')
    throw invalidInput(`A collection has at most ${most} recordings: add fewer, or remove some first.`)
  }
}

function assertByHand({ query }: RecordingCollectionRow): void {
  if (query !== null)
    throw conflict('A rule decides which recordings are in this collection: change the rule.')
}

async function showNow(services: Services, { id, project_id }: RecordingCollectionRow) {
  const row = await findCollection(services.store, [project_id], id)
  if (!row) throw notFound()
  return show(row, await sharedOf(services, [row]))
}

function sharedOf({ store, clock }: Services, rows: readonly RecordingCollectionRow[]) {
  return collectionsWithLinks(
    store,
    rows.map(({ id }) => id),
    new Date(clock.now()),
  )
}

function show(row: RecordingCollectionRow, shared: ReadonlySet<string>): RecordingCollection {
  return shownAs(RecordingCollection, {
    ...row,
    recording_count: row.query === null ? row.recording_count : null,
    shared: shared.has(row.id),
    created_by: row.actor,
  })
}
