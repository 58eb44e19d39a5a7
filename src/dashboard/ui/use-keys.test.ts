import { expect, test } from 'vitest'
import { keyName } from './use-keys.ts'

const none = { code: '', ctrlKey: false, metaKey: false, shiftKey: false }

test.for([
  [{ key: 'j', code: 'KeyJ' }, 'j'],
  [{ key: 'J', code: 'KeyJ' }, 'j', 'Caps Lock is not Shift'],
  [{ key: 'J', code: 'KeyJ', shiftKey: true }, 'J'],
  [{ key: '?', code: 'Slash', shiftKey: true }, '?'],
  [{ key: 'ArrowDown', shiftKey: true }, 'shift+ArrowDown'],
  [{ key: 'k', code: 'KeyK', metaKey: true }, 'mod+k'],
  [{ key: 'k', code: 'KeyK', ctrlKey: true }, 'mod+k'],
  [{ key: 'о', code: 'KeyJ' }, 'j', 'the position counts if the layout has no Latin letters'],
] as const)('names a key by its label: %j is %s', ([event, name]) => {
  expect(keyName({ ...none, ...event })).toBe(name)
})
