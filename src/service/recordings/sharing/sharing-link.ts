import { ApiError } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { findShared } from '../../store/recording-sharing.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import type { SharingAttempts } from './sharing-attempts.ts'
import { isPassword } from './sharing-password.ts'
import { hashSharingToken } from './sharing-token.ts'

type Given = { token: string; password: string | undefined }

/** Whether the link with this token opens anything, if perhaps with a password; any text may be asked about. */
export async function isLinkOpen({ store, clock }: Services, token: string): Promise<boolean> {
  return (await findShared(store, hashSharingToken(token), new Date(clock.now()))) !== undefined
}

/**
 * The recording that a link opens.
 * @throws ApiError 403 when the link is not open or the password is missing or wrong, 429 after too many wrong ones.
 */
export async function followLink(
  { store, clock }: Services,
  attempts: SharingAttempts,
  { token, password }: Given,
): Promise<RecordingRow> {
  const shared = await findShared(store, hashSharingToken(token), new Date(clock.now()))
  if (!shared) throw linkNotOpen()
  const { recording, passwordHash } = shared
  if (passwordHash === null) return recording
  if (!password) throw refused('password_required', 'This link wants a password.')
  attempts.begin(recording.id)
  if (!(await isPassword(password, passwordHash)))
    throw refused('password_incorrect', 'This is not the password of the link.')
  attempts.succeeded(recording.id)
  return recording
}

/** Also for a link that is open, but not for what was asked for: nobody learns which recordings there are. */
export function linkNotOpen(): ApiError {
  return refused(
    'permission_denied',
    'This link opens nothing: it has expired, was switched off, or never was.',
  )
}

function refused(code: string, detail: string): ApiError {
  return new ApiError({ status: 403, type: 'authentication_error', code, detail })
}
