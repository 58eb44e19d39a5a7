const storageKey = 'spool.palette'
const longest = 20

/** Ids of the entries that were chosen last, the newest first. */
export function recentEntries(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    // Whoever edited the storage by hand begins anew.
    return []
  }
}

export function rememberEntry(id: string): void {
  const ids = [id, ...recentEntries().filter((other) => other !== id)].slice(0, longest)
  localStorage.setItem(storageKey, JSON.stringify(ids))
}
