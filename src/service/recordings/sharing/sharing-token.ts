import { createHash } from 'node:crypto'
import type { SecretBox } from '../../engines/secret-box.ts'

/** The token of a recording's link. It is derived and not stored, so that the store alone opens nothing. */
export function sharingToken(secrets: SecretBox, recordingId: number, generation: number): string {
  return secrets.token(`sharing ${recordingId} ${generation}`)
}

/** How a token is looked up. Tokens are as good as random, so a plain hash cannot be searched backwards. */
export function hashSharingToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
