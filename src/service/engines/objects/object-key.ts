/** Throws unless every part of the key is a plain file name, so that no key can leave its folder or prefix. */
export function assertObjectKey(key: string): void {
  const isPlain = key.length <= 1000 && key.split('/').every((part) => /^[\w=+-][\w.=+-]{0,199}$/.test(part))
  if (!isPlain) throw new Error(`"${key}" cannot be the key of an object`)
}

/** Throws unless a key can start with this text. */
export function assertObjectPrefix(prefix: string): void {
  assertObjectKey(`${prefix}x`)
}
