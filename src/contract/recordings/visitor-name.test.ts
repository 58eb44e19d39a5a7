import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codesNamed, isCalled, visitHue, visitName, visitWords } from './visit-name.ts'

const anonymous = '019b8e07-4600-7f3a-9c1d-2b7e5a4f8d60'

test('a visit has the name or e-mail of its person', () => {
  expect(visitName('ada@shop.example', anonymous)).toBe('ada@shop.example')
  expect(visitName(null, 'eve@shop.example')).toBe('eve@shop.example')
})

test('a visit of an unnamed person has two words that never change', () => {
  expect(visitName(null, anonymous)).toBe('Opal Egret')
  expect(visitName(anonymous, anonymous)).toBe(visitName(null, anonymous))
  expect(visitName('', anonymous)).toBe(visitName(null, anonymous))
})

test('ids that follow each other have unlike names, spread evenly over all words and hues', () => {
  const ids = Array.from({ length: 4096 }, (_, index) => `customer-${index}`)
  const names = ids.map((id) => visitName(null, id))
  const words = new Map<string, number>()
  for (const word of names.flatMap((name) => name.split(' '))) words.set(word, (words.get(word) ?? 0) + 1)
  expect(words.size).toBe(128)
  expect(Math.max(...words.values())).toBeLessThan(128)
  expect(Math.min(...words.values())).toBeGreaterThan(24)
  expect(new Set(names).size).toBeGreaterThan(2400)
  expect(new Set(ids.map(visitHue)).size).toBeGreaterThan(350)
  const alike = names.filter((name, index) =>
    name.split(' ').some((word) => names[index + 1]?.includes(word)),
  )
  expect(alike.length).toBeLessThan(200)
})

test('a text gives a name by both words, by one of them, or by the first and a part of the second', () => {
  expect(codesNamed('opal EGRET')).toHaveLength(1)
  expect(codesNamed('opal egret')).toEqual(codesNamed(' Opal  Egr '))
  expect([codesNamed('Opal').length, codesNamed('egret').length]).toEqual([64, 64])
  for (const text of ['', 'opa', 'egret opal', 'opal egrets', 'opal egret x', 'ada@shop.example'])
    expect(codesNamed(text)).toEqual([])
})

test('only a visit without a name is called by its two words', () => {
  expect(isCalled('opal', null, anonymous)).toBe(true)
  expect(isCalled('opal egret', anonymous, anonymous)).toBe(true)
  expect(isCalled('opal', 'ada@shop.example', anonymous)).toBe(false)
  expect(isCalled('amber', null, anonymous)).toBe(false)
})

test('the stored code is that of the shown words, and an e-mail address has none', () => {
  const ids = fc.oneof(fc.uuid(), fc.emailAddress(), fc.string({ unit: 'binary', maxLength: 300 }))
  const property = fc.property(ids, (id) => {
    expect(codesNamed(visitName(null, id))).toEqual([visitWords(id) ?? []].flat())
    expect(visitWords(id) === null).toBe(visitName(null, id) === id)
  })
  fc.assert(property, { numRuns: 200 })
  expect(visitWords('eve@shop.example')).toBeNull()
})
