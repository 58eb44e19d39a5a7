/** Returns the JSON object or list that this browser stores under a key; an empty one if nothing valid is stored. */
export function readStored(key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof value === 'object' ? { ...value } : {}
  } catch {
    // A value that was edited by hand and is not JSON counts as absent.
    return {}
  }
}
