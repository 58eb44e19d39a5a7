import { expect, test } from 'vitest'
import { createSession, keyInFragment } from './session.ts'

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

function setUp() {
  const tab = new MemoryStorage()
  const device = new MemoryStorage()
  return { tab, device, session: createSession({ tab: () => tab, device: () => device }) }
}

test('stores a key for the tab only, unless it should be remembered', () => {
  const { session, device } = setUp()
  expect(session.key()).toBeNull()
  session.signIn('phx_one', false)
  expect(session.key()).toBe('phx_one')
  expect(device.size).toBe(0)
})

test('finds a remembered key in a new tab, and removes it everywhere on sign-out', () => {
  const { session, tab, device } = setUp()
  session.signIn('phx_one', true)
  tab.clear()
  expect(session.key()).toBe('phx_one')
  session.signOut()
  expect(session.key()).toBeNull()
  expect(device.size).toBe(0)
})

test('forgets a remembered key when signing in without remembering', () => {
  const { session, device } = setUp()
  session.signIn('phx_one', true)
  session.signIn('phx_two', false)
  expect(session.key()).toBe('phx_two')
  expect(device.size).toBe(0)
})

test('a tab keeps its key while another tab signs in with a different one, and signing out keeps the other', () => {
  const device = new MemoryStorage()
  const [first, second] = [new MemoryStorage(), new MemoryStorage()].map((tab) =>
    createSession({ tab: () => tab, device: () => device }),
  )
  first?.signIn('phx_one', true)
  expect(second?.key()).toBe('phx_one')
  second?.signIn('phx_two', true)
  expect([first?.key(), first?.isRemembered()]).toEqual(['phx_one', false])
  first?.signOut()
  expect([second?.key(), second?.isRemembered()]).toEqual(['phx_two', true])
})

test('reads the key from the fragment of a sign-in URL', () => {
  expect(keyInFragment('#key=phx_abc')).toBe('phx_abc')
  expect(keyInFragment('#section')).toBeNull()
  expect(keyInFragment('')).toBeNull()
})
