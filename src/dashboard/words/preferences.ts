import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'
export type Zone = 'local' | 'utc'
export type Preferences = {
  theme: Theme
  zone: Zone
  /** Whether letters without ⌘ or Ctrl do something; off for who dictates, or presses keys by accident. */
  singleKeys: 'on' | 'off'
}

const storageKey = 'spool.preferences'
const listeners = new Set<() => void>()
let current: Preferences = { theme: 'system', zone: 'local', singleKeys: 'on' }

/** Reads what this device remembers and applies it; called once, before anything is drawn. */
export function loadPreferences(): void {
  const stored = parse(localStorage.getItem(storageKey))
  current = {
    theme: stored['theme'] === 'light' || stored['theme'] === 'dark' ? stored['theme'] : 'system',
    zone: stored['zone'] === 'utc' ? 'utc' : 'local',
    singleKeys: stored['singleKeys'] === 'off' ? 'off' : 'on',
  }
  applyTheme()
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  localStorage.setItem(storageKey, JSON.stringify(current))
  applyTheme()
  for (const listener of listeners) listener()
}

export function preferences(): Preferences {
  return current
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, preferences)
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
