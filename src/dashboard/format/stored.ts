/** Returns the JSON object or list that this browser stores under a key; empty if there is none, or if it is not valid. */
export function readStored(key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof value === 'object' ? { ...value } : {}
  } catch {
    // A value that was edited by hand and is not JSON counts as absent.
    return {}
  }
}
