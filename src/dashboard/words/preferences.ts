import { createAtom, useSelector } from '@tanstack/react-store'

export type Theme = 'system' | 'light' | 'dark'
export type Zone = 'local' | 'utc'
export type Preferences = {
  theme: Theme
  zone: Zone
  /** Whether letters without ⌘ or Ctrl do something; off for who dictates, or presses keys by accident. */
  singleKeys: 'on' | 'off'
}

const storageKey = 'spool.preferences'
const current = createAtom<Preferences>({ theme: 'system', zone: 'local', singleKeys: 'on' })

/** Reads what this device remembers and applies it; called once, before anything is drawn. */
export function loadPreferences(): void {
  const stored = parse(localStorage.getItem(storageKey))
  current.set({
    theme: stored['theme'] === 'light' || stored['theme'] === 'dark' ? stored['theme'] : 'system',
    zone: stored['zone'] === 'utc' ? 'utc' : 'local',
    singleKeys: stored['singleKeys'] === 'off' ? 'off' : 'on',
  })
  applyTheme()
}

export function setPreferences(change: Partial<Preferences>): void {
  current.set((before) => ({ ...before, ...change }))
  localStorage.setItem(storageKey, JSON.stringify(current.get()))
  applyTheme()
}

export function preferences(): Preferences {
  return current.get()
}

export function usePreferences(): Preferences {
  return useSelector(current)
}

function applyTheme(): void {
  document.documentElement.dataset['theme'] = preferences().theme
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
