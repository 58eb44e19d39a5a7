import type { z } from 'zod'
import { formatInstant, parseInstant } from '../../../contract/instant.ts'
import type { SharingConfiguration, SharingUpdate } from '../../../contract/recordings/sharing.ts'
import { invalidInput } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { SharingRow } from '../../store/recordings/recording-sharing.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { checkSelector } from '../../masking/mask-selectors.ts'
import { hashPassword } from './sharing-password.ts'
import { sharingToken } from './sharing-token.ts'

type Settings = z.output<typeof SharingUpdate>

/**
 * Returns the columns that a request about a link to a recording changes; `link` is the link before, if there is one.
 * @throws ApiError 400 when a value is invalid for the recording.
 */
export async function readRecordingSettings(
  services: Services,
  recording: RecordingRow,
  body: Settings,
  link?: SharingRow,
) {
  return { ...readRange(recording, body, link), ...(await readSettings(services, body)) }
}

function readRange(recording: RecordingRow, body: Settings, link: SharingRow | undefined) {
  const start_at = timeInRecording(recording, 'start', body.start)
  const end_at = timeInRecording(recording, 'end', body.end)
  const from = start_at === undefined ? (link?.start_at ?? null) : start_at
  const to = end_at === undefined ? (link?.end_at ?? null) : end_at
  if (to !== null && to <= (from ?? recording.start_time))
    throw invalidInput('The end must be after the start.', ['end'])
  const selector = body.masks?.findIndex(({ kind }) => kind === 'selector') ?? -1
  const problem = 'Elements of an app have no selectors: mask its text, inputs or images.'
  if (recording.snapshot_source === 'mobile' && selector >= 0)
    throw invalidInput(problem, ['masks', selector, 'selector'])
  return { ...(start_at !== undefined && { start_at }), ...(end_at !== undefined && { end_at }) }
}

/** Returns the columns that a request about any link changes. @throws ApiError 400 when a value is invalid. */
export async function readSettings(
  { clock }: Services,
  body: Pick<Settings, 'expires_at' | 'password' | 'shows' | 'masks'>,
) {
  for (const [index, mask] of (body.masks ?? []).entries()) {
    const problem = mask.kind === 'selector' ? checkSelector(mask.selector) : null
    if (problem !== null) throw invalidInput(problem, ['masks', index, 'selector'])
  }
  const expires_at = readExpiry(body.expires_at, clock.now())
  // Clients send the password in a header, and HTTP strips white space around its value.
  const password = body.password?.trim()
  const password_hash = password ? await hashPassword(password) : null
  return {
    ...(expires_at !== undefined && { expires_at }),
    ...(body.shows !== undefined && { shows: body.shows }),
    ...(body.masks !== undefined && { masks: JSON.stringify(body.masks) }),
    ...(body.password !== undefined && { password_hash }),
  }
}

/** Returns when a link was revoked, after a request that enables or disables it; disabling it again changes nothing. */
export function revokedAt({ clock }: Services, link: SharingRow, enabled: boolean): Date | null {
  if (enabled) return null
  return link.enabled ? new Date(clock.now()) : link.revoked_at
}

/** Returns the time of a second of the recording. It stays when earlier data moves the recording's start. */
function timeInRecording(
  { start_time, end_time }: RecordingRow,
  name: 'start' | 'end',
  seconds: number | null | undefined,
): Date | null | undefined {
  if (seconds === undefined || seconds === null) return seconds
  const time = new Date(start_time.getTime() + Math.round(seconds * 1000))
  if (name === 'start' && time >= end_time && time > start_time)
    throw invalidInput('The start must be before the end of the recording.', ['start'])
  return time
}

function readExpiry(text: string | null | undefined, now: number): Date | null | undefined {
  const time = typeof text === 'string' ? parseInstant(text)?.time : undefined
  if (time === undefined) return text === null ? null : undefined
  if (time <= now) throw invalidInput('This must be in the future.', ['expires_at'])
  return new Date(time)
}

/** Returns the settings of a link to a recording as the API shows them. */
export function showRecordingSettings(
  services: Services,
  { start_time }: Pick<RecordingRow, 'start_time'>,
  link: SharingRow,
): SharingConfiguration {
  const second = (time: Date | null) => time && Math.max(0, (time.getTime() - start_time.getTime()) / 1000)
  return { ...showSettings(services, link), start: second(link.start_at), end: second(link.end_at) }
}

/** Returns the settings of any link as the API shows them. */
export function showSettings({ secrets }: Services, link: SharingRow) {
  return {
    created_at: formatInstant(link.created_at),
    enabled: link.enabled,
    access_token: sharingToken(secrets, link),
    expires_at: link.expires_at && formatInstant(link.expires_at),
    password_required: link.password_hash !== null,
    views: link.views,
    last_viewed_at: link.last_viewed_at && formatInstant(link.last_viewed_at),
    shows: link.shows,
    masks: link.masks,
  }
}
