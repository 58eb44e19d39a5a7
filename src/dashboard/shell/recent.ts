const storageKey = 'spool.palette'
const storedMax = 20

/** Returns the ids of the entries chosen last, newest first. */
export function recentEntries(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    // Storage that was edited by hand and is not JSON counts as empty.
    return []
  }
}

export function rememberEntry(id: string): void {
  const ids = [id, ...recentEntries().filter((other) => other !== id)].slice(0, storedMax)
  localStorage.setItem(storageKey, JSON.stringify(ids))
}
