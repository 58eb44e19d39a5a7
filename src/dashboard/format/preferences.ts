import { createAtom, useSelector } from '@tanstack/react-store'
import { readStored } from './stored.ts'

/** The themes a person can choose, with their labels. */
export const themes = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
] as const
export type Theme = (typeof themes)[number][0]
export type Zone = 'local' | 'utc'
export type Preferences = {
  theme: Theme
  zone: Zone
  /** Whether shortcuts work without ⌘ or Ctrl; off for people who dictate or press keys by accident. */
  singleKeys: 'on' | 'off'
}

const storageKey = 'spool.preferences'
const current = createAtom<Preferences>({ theme: 'system', zone: 'local', singleKeys: 'on' })

/** Loads and applies the preferences stored on this device; call once, before the first render. */
export function loadPreferences(): void {
  const { theme, zone, singleKeys } = readStored(storageKey)
  current.set({
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    zone: zone === 'utc' ? 'utc' : 'local',
    singleKeys: singleKeys === 'off' ? 'off' : 'on',
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
