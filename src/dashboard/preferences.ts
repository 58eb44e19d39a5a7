import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'
export type Zone = 'local' | 'utc'
export type Preferences = { theme: Theme; zone: Zone }

const storageKey = 'spool.preferences'
const listeners = new Set<() => void>()
let current: Preferences = { theme: 'system', zone: 'local' }

/** Reads what this device remembers and applies it; called once, before anything is drawn. */
export function loadPreferences(): void {
  const stored = parse(localStorage.getItem(storageKey))
  current = {
    theme: stored['theme'] === 'light' || stored['theme'] === 'dark' ? stored['theme'] : 'system',
    zone: stored['zone'] === 'utc' ? 'utc' : 'local',
  }
  applyTheme()
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  localStorage.setItem(storageKey, JSON.stringify(current))
  applyTheme()
  for (const listener of listeners) listener()
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function applyTheme(): void {
  document.documentElement.dataset['theme'] = current.theme
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // Whoever edited the storage by hand gets the defaults.
    return {}
  }
}
