import { expect, test } from 'vitest'
import { optionsFor } from './assignee-picker.tsx'

const [ada, grace, mary] = ['Ada Lovelace', 'Grace Hopper', 'Mary'].map((name) => ({ uuid: name, name }))
const people = [ada, grace, mary].flatMap((person) => person ?? [])
const labels = (...given: Parameters<typeof optionsFor>) =>
  optionsFor(...given).map(({ label, hint }) => `${label} ${hint}`.trim())

test('offers the user, no assignee and the others, and says who it is now', () => {
  expect(labels(people, 'Mary', ada, '')).toEqual([
    'Mary me',
    'Unassigned',
    'Ada Lovelace now',
    'Grace Hopper',
  ])
  expect(labels(people, 'Mary', null, '')).toContain('Unassigned now')
  expect(labels(people, 'Mary', undefined, '').join()).not.toContain('now')
  expect(labels(people, 'of a key that cannot be assigned', undefined, '')[0]).toBe('Unassigned')
})

test('finds members by a part of the name, best first, and the user by “me”', () => {
  expect(labels(people, 'Mary', ada, 'hop')).toEqual(['Grace Hopper'])
  expect(labels(people, 'Mary', mary, 'me')).toEqual(['Mary me, now'])
  expect(labels(people, 'Mary', ada, 'zzz')).toEqual([])
})
