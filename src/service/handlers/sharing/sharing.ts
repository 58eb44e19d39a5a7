import type { z } from 'zod'
import type { BulkShared, SharingConfiguration, SharingUpdate } from '../../../contract/recordings/sharing.ts'
import { notFound } from '../../problems/api-error.ts'
import { readRecordingSettings, showRecordingSettings } from '../../recordings/sharing/link-settings.ts'
import { hashSharingToken, sharingToken } from '../../recordings/sharing/sharing-token.ts'
import type { Services } from '../../services.ts'
import {
  findSharing,
  lockSharing,
  updateLink,
  type NewSharing,
  type SharingRow,
} from '../../store/recordings/recording-sharing.ts'
import { findRecordings, type RecordingRow } from '../../store/recordings/session-recordings.ts'
import { inTransaction } from '../../store/schema/database.ts'
import type { Handler } from '../handler.ts'

export const getSharing: Handler<'getSharing'> = async ({ services, recording }) => {
  const row = await findSharing(services.store, recording.id)
  return showRecordingSettings(
    services,
    recording,
    row ?? firstSharing(services, recording, recording.created_at),
  )
}

export const updateSharing: Handler<'updateSharing'> = async ({ services, recording, body }) => {
  const known = await findSharing(services.store, recording.id)
  const settings = await readRecordingSettings(services, recording, body, known)
  return writeSharing(services, recording, (row) => ({ ...enabledBy(services, row, body), ...settings }))
}

/** Changes the links one after the other, in one transaction; those that are in the requested state stay unchanged. */
export const bulkUpdateSharing: Handler<'bulkUpdateSharing'> = async ({ services, project, body }) => {
  const { enabled, keep_token: keepsToken = false } = body
  const results = await inTransaction(services.store, async (transaction) => {
    const within = { ...services, store: transaction }
    const found = await findRecordings(transaction, project.id, body.ids)
    const recordings = new Map(found.map((recording) => [recording.session_id, recording]))
    const shared: z.output<typeof BulkShared>['results'] = []
    for (const id of [...new Set(body.ids)].toSorted()) {
      const recording = recordings.get(id)
      if (!recording) continue
      const known = await findSharing(transaction, recording.id)
      const isShared = known?.enabled ?? false
      if (!isShared && !enabled) continue
      const shows = enabled && !isShared && !keepsToken ? ({ shows: 'picture' } as const) : {}
      const sharing =
        known && isShared === enabled
          ? showRecordingSettings(services, recording, known)
          : await writeSharing(within, recording, (row) => ({ ...enabledBy(services, row, body), ...shows }))
      shared.push({ id, ...sharing })
    }
    return shared
  })
  const places = new Map(body.ids.map((id, place) => [id, place]))
  return {
    results: results.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0)),
  }
}

/** Returns the columns of a link that is enabled or disabled, or stays as it is. */
function enabledBy(
  services: Services,
  row: SharingRow,
  { enabled, keep_token: keepsToken = false }: Pick<z.output<typeof SharingUpdate>, 'enabled' | 'keep_token'>,
): Partial<NewSharing> {
  return {
    ...(row.enabled && enabled === false && { revoked_at: new Date(services.clock.now()) }),
    // A revoked link stays revoked: enabling sharing again uses a new link, unless the request asks for the same.
    ...(enabled && row.revoked_at && (keepsToken ? { revoked_at: null } : nextGeneration(services, row))),
    ...(enabled !== undefined && { enabled }),
  }
}

export const refreshSharing: Handler<'refreshSharing'> = ({ services, recording }) =>
  writeSharing(services, recording, (row) => nextGeneration(services, row))

async function writeSharing(
  services: Services,
  recording: RecordingRow,
  change: (row: SharingRow) => Partial<NewSharing>,
): Promise<SharingConfiguration> {
  const { id: _, masks: _masks, ...first } = firstSharing(services, recording, new Date(services.clock.now()))
  const row = await inTransaction(services.store, async (transaction) => {
    const locked = await lockSharing(transaction, first)
    return locked && (await updateLink(transaction, locked.id, change(locked)))
  })
  if (!row) throw notFound('Recording not found')
  return showRecordingSettings(services, recording, row)
}

/** Returns the default link of a recording before its first change. */
function firstSharing(
  { secrets }: Services,
  recording: RecordingRow,
  createdAt: Date,
): SharingRow & { recording_id: number } {
  const source = { id: '', recording_id: recording.id, generation: 1, is_default: true }
  return {
    ...source,
    collection_id: null,
    names: false,
    token_hash: hashSharingToken(sharingToken(secrets, source)),
    enabled: false,
    expires_at: null,
    revoked_at: null,
    password_hash: null,
    created_at: createdAt,
    views: 0,
    last_viewed_at: null,
    start_at: null,
    end_at: null,
    shows: 'all',
    masks: [],
    label: '',
    highlights: null,
  }
}

/** Returns the columns of a new link, which has no views yet. */
function nextGeneration({ secrets }: Services, row: SharingRow) {
  const next = { ...row, generation: row.generation + 1 }
  const token_hash = hashSharingToken(sharingToken(secrets, next))
  return { generation: next.generation, token_hash, revoked_at: null, views: 0, last_viewed_at: null }
}
