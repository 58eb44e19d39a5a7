import { timingSafeEqual } from 'node:crypto'
import { assetPathStart } from '../../../contract/recordings/recorded-asset.ts'
import type { SecretBox } from '../../engines/secret-box.ts'

const stepMs = 300_000

/** A stored file as a recording names it. */
export type SignedAsset = { id: number; project_id: number; hash: Buffer }

/**
 * Returns when paths signed now expire, in milliseconds: 5 to 10 minutes ahead. Paths change only every 5 minutes, so
 * that browsers can cache the files.
 */
export function assetExpiry(now: number): number {
  return (Math.floor(now / stepMs) + 2) * stepMs
}

/** Returns the path that serves a file without a key until it expires. */
export function assetPath(secrets: SecretBox, asset: SignedAsset, expiry: number): string {
  return `${assetPathStart}${asset.id}.${expiry}.${signature(secrets, asset, expiry)}`
}

/** Reads the last part of a path; null if it cannot be one. `isSigned` checks the signature in constant time. */
export function readAssetPath(text: string) {
  const [, id, expiry, given = ''] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(text) ?? []
  if (id === undefined || expiry === undefined) return null
  return {
    id: Number(id),
    expiry: Number(expiry),
    isSigned(secrets: SecretBox, asset: SignedAsset): boolean {
      const expected = signature(secrets, asset, Number(expiry))
      return timingSafeEqual(Buffer.from(given), Buffer.from(expected))
    },
  }
}

function signature(secrets: SecretBox, { id, project_id, hash }: SignedAsset, expiry: number): string {
  return secrets.token(`asset ${project_id} ${id} ${hash.toString('hex')} ${expiry}`)
}
