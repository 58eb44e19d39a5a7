import { expect, test } from 'vitest'
import { keyName } from './use-keys.ts'

const none = { code: '', ctrlKey: false, metaKey: false, shiftKey: false }

test.for([
  [{ key: 'j', code: 'KeyJ' }, 'j'],
  [{ key: 'J', code: 'KeyJ' }, 'j', 'caps lock is not shift'],
  [{ key: 'J', code: 'KeyJ', shiftKey: true }, 'J'],
  [{ key: '?', code: 'Slash', shiftKey: true }, '?'],
  [{ key: 'ArrowDown', shiftKey: true }, 'shift+ArrowDown'],
  [{ key: 'k', code: 'KeyK', metaKey: true }, 'mod+k'],
  [{ key: 'k', code: 'KeyK', ctrlKey: true }, 'mod+k'],
  [{ key: 'о', code: 'KeyJ' }, 'j', 'the place counts where the layout has no Latin letters'],
] as const)('a key is named by what is printed on it: %j is %s', ([event, name]) => {
  expect(keyName({ ...none, ...event })).toBe(name)
})
