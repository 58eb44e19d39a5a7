const pattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Returns whether the text is a UUID in its canonical form, which PostgreSQL accepts. */
export function isUuid(text: string): boolean {
  return pattern.test(text)
}
