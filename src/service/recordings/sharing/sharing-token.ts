import { createHash, randomUUID } from 'node:crypto'
import type { SecretBox } from '../../engines/secret-box.ts'
import type { Services } from '../../services.ts'
import type { SharingRow } from '../../store/recordings/recording-sharing.ts'

type TokenSource = Pick<SharingRow, 'generation' | 'is_default' | 'id'> & { recording_id?: number | null }

/** Derives a link's token. Tokens are not stored, so access to the store alone opens no link. */
export function sharingToken(secrets: SecretBox, link: TokenSource): string {
  return secrets.token(
    link.is_default
      ? `sharing ${link.recording_id} ${link.generation}`
      : `link ${link.id} ${link.generation}`,
  )
}

/**
 * Hashes a token for lookup. Tokens are effectively random, so a plain hash cannot be reversed by guessing, and the time that
 * a lookup takes says nothing about a token.
 */
export function hashSharingToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Returns the first columns of a link other than a default one. */
export function newLink({ secrets, clock }: Pick<Services, 'secrets' | 'clock'>) {
  const source = { id: randomUUID(), generation: 1, is_default: false }
  const token_hash = hashSharingToken(sharingToken(secrets, source))
  return { ...source, token_hash, created_at: new Date(clock.now()) }
}
