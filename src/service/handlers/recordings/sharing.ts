import { formatInstant, parseInstant } from '../../../contract/instant.ts'
import type { SharingConfiguration } from '../../../contract/sharing.ts'
import { invalidInput, notFound } from '../../problems/api-error.ts'
import { hashPassword } from '../../recordings/sharing/sharing-password.ts'
import { hashSharingToken, sharingToken } from '../../recordings/sharing/sharing-token.ts'
import type { Services } from '../../services.ts'
import { updateSharingRow, findSharing, lockSharing, type SharingRow } from '../../store/recording-sharing.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import type { Handler } from '../handler.ts'

export const getSharing: Handler<'getSharing'> = async ({ services, recording }) => {
  const row = await findSharing(services.store, recording.id)
  return showSharing(services, row ?? firstSharing(services, recording, recording.created_at))
}

export const updateSharing: Handler<'updateSharing'> = async ({ services, recording, body }) => {
  const { enabled } = body
  // Clients send the password in a header, and HTTP strips white space around its value.
  const password = body.password?.trim()
  const expires_at = readExpiry(body.expires_at, services.clock.now())
  const password_hash = password ? await hashPassword(password) : null
  return writeSharing(services, recording, (row) => ({
    // A disabled link stays disabled: enabling sharing again uses a new link.
    ...(row.enabled && enabled === false && nextGeneration(services, row)),
    ...(enabled !== undefined && { enabled }),
    ...(expires_at !== undefined && { expires_at }),
    ...(body.password !== undefined && { password_hash }),
  }))
}

export const refreshSharing: Handler<'refreshSharing'> = ({ services, recording }) =>
  writeSharing(services, recording, (row) => nextGeneration(services, row))

async function writeSharing(
  services: Services,
  recording: RecordingRow,
  change: (row: SharingRow) => Partial<SharingRow>,
): Promise<SharingConfiguration> {
  const first = firstSharing(services, recording, new Date(services.clock.now()))
  const row = await services.store.transaction().execute(async (transaction) => {
    const locked = await lockSharing(transaction, first)
    if (!locked) throw notFound('Recording not found')
    return await updateSharingRow(transaction, recording.id, change(locked))
  })
  return showSharing(services, row)
}

function firstSharing({ secrets }: Services, recording: RecordingRow, createdAt: Date): SharingRow {
  return {
    recording_id: recording.id,
    generation: 1,
    token_hash: hashSharingToken(sharingToken(secrets, recording.id, 1)),
    enabled: false,
    expires_at: null,
    password_hash: null,
    created_at: createdAt,
    views: 0,
  }
}

/** Returns the columns of a new link, which has no views yet. */
function nextGeneration({ secrets }: Services, row: SharingRow) {
  const generation = row.generation + 1
  const token_hash = hashSharingToken(sharingToken(secrets, row.recording_id, generation))
  return { generation, token_hash, views: 0 }
}

function readExpiry(text: string | null | undefined, now: number): Date | null | undefined {
  const time = typeof text === 'string' ? parseInstant(text)?.time : undefined
  if (time === undefined) return text === null ? null : undefined
  if (time <= now) throw invalidInput('This must be in the future.', ['expires_at'])
  return new Date(time)
}

function showSharing({ secrets }: Services, row: SharingRow): SharingConfiguration {
  return {
    created_at: formatInstant(row.created_at),
    enabled: row.enabled,
    access_token: sharingToken(secrets, row.recording_id, row.generation),
    expires_at: row.expires_at && formatInstant(row.expires_at),
    password_required: row.password_hash !== null,
    views: row.views,
  }
}
