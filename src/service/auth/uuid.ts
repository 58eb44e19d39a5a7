const pattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Whether PostgreSQL takes the text as a UUID in its usual form. */
export function isUuid(text: string): boolean {
  return pattern.test(text)
}
