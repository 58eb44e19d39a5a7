/** Returns the key of the object that stores a file, by the hash of its content. */
export function assetKey(projectId: number, hash: Buffer): string {
  return `${assetFolder(projectId)}${hash.toString('hex')}`
}

export function assetFolder(projectId: number): string {
  return `assets/${projectId}/`
}

/** Reads the hash at the end of a key; null if it is another key. */
export function hashOfKey(key: string): Buffer | null {
  const [, hash] = /\/([\da-f]{64})$/.exec(key) ?? []
  return hash === undefined ? null : Buffer.from(hash, 'hex')
}
