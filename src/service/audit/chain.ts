import { createHash } from 'node:crypto'
import { canonicalJson } from '../../contract/canonical-json.ts'
import type { SecretBox } from '../engines/secret-box.ts'
import type { AuditChain } from '../store/audit/audit-chain.ts'
import type { AuditRow } from '../store/audit/audit-entries.ts'

/** Returns the SHA-256 of a seal: of the hash before it, its number, and its entries as canonical JSON, one a line. */
export function sealHash(previous: Uint8Array, number: number, entries: readonly AuditRow[]): Buffer {
  const hash = createHash('sha256').update(previous).update(`\n${number}\n`)
  for (const { seal: _, ...entry } of entries) hash.update(`${canonicalJson(entry)}\n`)
  return hash.digest()
}

/** Returns the HMAC of both ends of a chain, which nobody can forge without SPOOL_SECRET_KEY. */
export function signatureOf(secrets: SecretBox, chain: Omit<AuditChain, 'signature'>): string {
  const { organization_id, last_number, last_hash, removed_number, removed_hash } = chain
  const ends = [last_number, last_hash.toString('hex'), removed_number, removed_hash.toString('hex')]
  return secrets.token(`audit chain ${organization_id} ${ends.join(' ')}`)
}

export function isSigned(secrets: SecretBox, chain: AuditChain): boolean {
  return signatureOf(secrets, chain) === chain.signature
}

/**
 * Returns the keyed hash by which entries name a recorded person, by the first distinct id, so that erasing the person changes
 * no entry.
 */
export function hashedPerson(secrets: SecretBox, projectId: number, distinctId: string): string {
  return secrets.token(`audit person ${projectId} ${distinctId}`)
}
