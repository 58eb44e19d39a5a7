import { randomUUID } from 'node:crypto'
import { linksMax, type RecordingLink } from '../../../contract/sharing.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { conflict, notFound } from '../../problems/api-error.ts'
import { readSettings, showSettings } from '../../recordings/sharing/link-settings.ts'
import { hashSharingToken, sharingToken } from '../../recordings/sharing/sharing-token.ts'
import type { Clock } from '../../clock.ts'
import type { Services } from '../../services.ts'
import {
  deleteLink,
  insertLink,
  listLinks,
  updateLink,
  type SharingRow,
} from '../../store/recording-sharing.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import type { Handler } from '../handler.ts'

export const listRecordingLinks: Handler<'listRecordingLinks'> = async (request) => {
  const { services, recording, query, link } = request
  const rows = await listLinks(services.store, recording.id)
  return {
    count: rows.length,
    ...offsetLinks(link, query, rows.length),
    results: rows
      .slice(query.offset, query.offset + query.limit)
      .map((row) => showLink(services, recording, row)),
  }
}

export const createRecordingLink: Handler<'createRecordingLink'> = async ({ services, recording, body }) => {
  const { label = '', reel = null, enabled = true, shows = 'picture' } = body
  const source = { id: randomUUID(), recording_id: recording.id, generation: 1, is_default: false }
  const row = await insertLink(
    services.store,
    {
      ...source,
      token_hash: hashSharingToken(sharingToken(services.secrets, source)),
      created_at: new Date(services.clock.now()),
      ...(await readSettings(services, recording, { ...body, shows })),
      enabled,
      label,
      reel,
    },
    linksMax,
  )
  if (row === undefined) throw notFound('Recording not found')
  if (row === null) throw conflict(`The recording has ${linksMax} links. Delete one first.`)
  return showLink(services, recording, row)
}

export const updateRecordingLink: Handler<'updateRecordingLink'> = async (request) => {
  const { services, recording, recordingLink, body } = request
  const { label, reel, enabled } = body
  const row = await updateLink(services.store, recordingLink.id, {
    ...(await readSettings(services, recording, body, recordingLink)),
    ...(enabled !== undefined && { enabled, revoked_at: revokedAt(recordingLink, enabled, services.clock) }),
    ...(label !== undefined && { label }),
    ...(reel !== undefined && { reel }),
  })
  if (!row) throw notFound()
  return showLink(services, recording, row)
}

export const deleteRecordingLink: Handler<'deleteRecordingLink'> = async ({ services, recordingLink }) => {
  await deleteLink(services.store, recordingLink.id)
  return null
}

/** Returns when a link was revoked; disabling it again changes nothing. */
function revokedAt(link: SharingRow, enabled: boolean, clock: Clock): Date | null {
  if (enabled) return null
  return link.enabled ? new Date(clock.now()) : link.revoked_at
}

function showLink(services: Services, recording: RecordingRow, link: SharingRow): RecordingLink {
  const { id, label, reel } = link
  return { id, ...showSettings(services, recording, link), label, reel }
}
