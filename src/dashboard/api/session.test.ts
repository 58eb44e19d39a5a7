import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyInFragment, session } from './session.ts'

/** In-memory storage for a tab or a device. */
class MemoryStorage extends Map<string, string> implements Storage {
  get length() {
    return this.size
  }
  getItem(name: string) {
    return this.get(name) ?? null
  }
  setItem(name: string, value: string) {
    this.set(name, value)
  }
  removeItem(name: string) {
    this.delete(name)
  }
  key() {
    return null
  }
}

function openTab(tab = new MemoryStorage()): MemoryStorage {
  vi.stubGlobal('sessionStorage', tab)
  return tab
}

let device: MemoryStorage

beforeEach(() => {
  device = new MemoryStorage()
  vi.stubGlobal('localStorage', device)
  openTab()
})
afterEach(() => void vi.unstubAllGlobals())

test('stores a key for the tab only, unless it should be remembered', () => {
  expect(session.key()).toBeNull()
  session.signIn('phx_one', false)
  expect(session.key()).toBe('phx_one')
  expect(device.size).toBe(0)
})

test('finds a remembered key in a new tab, and removes it everywhere on sign-out', () => {
  session.signIn('phx_one', true)
  openTab()
  expect(session.key()).toBe('phx_one')
  session.signOut()
  expect(session.key()).toBeNull()
  expect(device.size).toBe(0)
})

test('forgets a remembered key when signing in without remembering', () => {
  session.signIn('phx_one', true)
  session.signIn('phx_two', false)
  expect(session.key()).toBe('phx_two')
  expect(device.size).toBe(0)
})

test('a tab keeps its key while another tab signs in with a different one, and signing out keeps the other', () => {
  const first = openTab()
  session.signIn('phx_one', true)
  const second = openTab()
  expect(session.key()).toBe('phx_one')
  session.signIn('phx_two', true)
  openTab(first)
  expect([session.key(), session.isRemembered()]).toEqual(['phx_one', false])
  session.signOut()
  openTab(second)
  expect([session.key(), session.isRemembered()]).toEqual(['phx_two', true])
})

test('reads the key from the fragment of a sign-in URL', () => {
  expect(keyInFragment('#key=phx_abc')).toBe('phx_abc')
  expect(keyInFragment('#section')).toBeNull()
  expect(keyInFragment('')).toBeNull()
})
