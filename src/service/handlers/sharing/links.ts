import { linksMax, type CollectionLink, type RecordingLink } from '../../../contract/recordings/sharing.ts'
import { pageOfList } from '../../http/page-links.ts'
import { conflict, notFound } from '../../problems/api-error.ts'
import {
  readRecordingSettings,
  readSettings,
  revokedAt,
  showRecordingSettings,
  showSettings,
} from '../../recordings/sharing/link-settings.ts'
import { newLink } from '../../recordings/sharing/sharing-token.ts'
import type { Services } from '../../services.ts'
import {
  insertLink,
  listLinks,
  type NewSharing,
  updateLink,
  type SharingRow,
} from '../../store/recordings/recording-sharing.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { deleteRows } from '../../store/schema/rows.ts'
import type { Handler } from '../handler.ts'

export const listRecordingLinks: Handler<'listRecordingLinks'> = async (request) => {
  const { services, recording } = request
  const rows = await listLinks(services.store, { recording_id: recording.id })
  return pageOfList(rows, request, (row) => showRecordingLink(services, recording, row))
}

export const createRecordingLink: Handler<'createRecordingLink'> = async ({ services, recording, body }) => {
  const { label = '', highlights = null, enabled = true, shows = 'picture' } = body
  const settings = await readRecordingSettings(services, recording, { ...body, shows })
  const values = { ...newLink(services), ...settings, enabled, label, highlights }
  const row = await insertLink(services.store, { recording_id: recording.id }, values, linksMax)
  if (row === undefined) throw notFound('Recording not found')
  if (row === null) throw conflict(`The recording has ${linksMax} links. Delete one first.`)
  return showRecordingLink(services, recording, row)
}

export const updateRecordingLink: Handler<'updateRecordingLink'> = async (request) => {
  const { services, recording, recordingLink, body } = request
  const { highlights } = body
  const row = await change(services, recordingLink, body, {
    ...(await readRecordingSettings(services, recording, body, recordingLink)),
    ...(highlights !== undefined && { highlights }),
  })
  return showRecordingLink(services, recording, row)
}

export const deleteRecordingLink: Handler<'deleteRecordingLink'> = async ({ services, recordingLink }) => {
  await deleteRows(services.store, 'session_recording_sharing', { id: recordingLink.id })
  return null
}

export const listCollectionLinks: Handler<'listCollectionLinks'> = async (request) => {
  const { services, recordingCollection } = request
  const rows = await listLinks(services.store, { collection_id: recordingCollection.id })
  return pageOfList(rows, request, (row) => showCollectionLink(services, row))
}

export const createCollectionLink: Handler<'createCollectionLink'> = async (request) => {
  const { services, recordingCollection, body } = request
  const { label = '', names = false, enabled = true, shows = 'picture' } = body
  const settings = await readSettings(services, { ...body, shows })
  const values = { ...newLink(services), ...settings, enabled, label, names }
  const row = await insertLink(services.store, { collection_id: recordingCollection.id }, values, linksMax)
  if (row === undefined) throw notFound()
  if (row === null) throw conflict(`The collection has ${linksMax} links. Delete one first.`)
  return showCollectionLink(services, row)
}

export const updateCollectionLink: Handler<'updateCollectionLink'> = async (request) => {
  const { services, collectionLink, body } = request
  const { names } = body
  const row = await change(services, collectionLink, body, {
    ...(await readSettings(services, body)),
    ...(names !== undefined && { names }),
  })
  return showCollectionLink(services, row)
}

export const deleteCollectionLink: Handler<'deleteCollectionLink'> = async ({ services, collectionLink }) => {
  await deleteRows(services.store, 'session_recording_sharing', { id: collectionLink.id })
  return null
}

async function change(
  services: Services,
  link: SharingRow,
  { label, enabled }: { label?: string | undefined; enabled?: boolean | undefined },
  others: Partial<NewSharing>,
): Promise<SharingRow> {
  const row = await updateLink(services.store, link.id, {
    ...others,
    ...(enabled !== undefined && { enabled, revoked_at: revokedAt(services, link, enabled) }),
    ...(label !== undefined && { label }),
  })
  if (!row) throw notFound()
  return row
}

function showRecordingLink(services: Services, recording: RecordingRow, link: SharingRow): RecordingLink {
  const { id, label, highlights } = link
  return { id, ...showRecordingSettings(services, recording, link), label, highlights }
}

function showCollectionLink(services: Services, link: SharingRow): CollectionLink {
  const { id, label, names } = link
  return { id, ...showSettings(services, link), label, names }
}
