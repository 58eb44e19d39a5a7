import { createHash } from 'node:crypto'
import type { SecretBox } from '../../engines/secret-box.ts'

/** Derives the token of a recording's link. Tokens are not stored, so access to the store alone opens no link. */
export function sharingToken(secrets: SecretBox, recordingId: number, generation: number): string {
  return secrets.token(`sharing ${recordingId} ${generation}`)
}

/** Hashes a token for lookup. Tokens are effectively random, so a plain hash cannot be reversed by guessing. */
export function hashSharingToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
