import { linksMax, type RecordingLink } from '../../../contract/recordings/sharing.ts'
import { pageOfList } from '../../http/page-links.ts'
import { conflict, notFound } from '../../problems/api-error.ts'
import {
  readRecordingSettings,
  revokedAt,
  showRecordingSettings,
} from '../../recordings/sharing/link-settings.ts'
import { newLink } from '../../recordings/sharing/sharing-token.ts'
import type { Services } from '../../services.ts'
import {
  deleteLink,
  insertLink,
  listLinks,
  updateLink,
  type SharingRow,
} from '../../store/recordings/recording-sharing.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'

export const listRecordingLinks: Handler<'listRecordingLinks'> = async (request) => {
  const { services, recording } = request
  const rows = await listLinks(services.store, { recording_id: recording.id })
  return pageOfList(rows, request, (row) => showLink(services, recording, row))
}

export const createRecordingLink: Handler<'createRecordingLink'> = async ({ services, recording, body }) => {
  const { label = '', highlights = null, enabled = true, shows = 'picture' } = body
  const row = await insertLink(
    services.store,
    { recording_id: recording.id },
    {
      ...newLink(services),
      ...(await readRecordingSettings(services, recording, { ...body, shows })),
      enabled,
      label,
      highlights,
    },
    linksMax,
  )
  if (row === undefined) throw notFound('Recording not found')
  if (row === null) throw conflict(`The recording has ${linksMax} links. Delete one first.`)
  return showLink(services, recording, row)
}

export const updateRecordingLink: Handler<'updateRecordingLink'> = async (request) => {
  const { services, recording, recordingLink, body } = request
  const { label, highlights, enabled } = body
  const row = await updateLink(services.store, recordingLink.id, {
    ...(await readRecordingSettings(services, recording, body, recordingLink)),
    ...(enabled !== undefined && { enabled, revoked_at: revokedAt(services, recordingLink, enabled) }),
    ...(label !== undefined && { label }),
    ...(highlights !== undefined && { highlights }),
  })
  if (!row) throw notFound()
  return showLink(services, recording, row)
}

export const deleteRecordingLink: Handler<'deleteRecordingLink'> = async ({ services, recordingLink }) => {
  await deleteLink(services.store, recordingLink.id)
  return null
}

function showLink(services: Services, recording: RecordingRow, link: SharingRow): RecordingLink {
  const { id, label, highlights } = link
  return { id, ...showRecordingSettings(services, recording, link), label, highlights }
}
