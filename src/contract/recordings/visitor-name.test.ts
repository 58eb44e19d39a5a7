import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codesNamed, isCalled, visitorHue, visitorName, visitorWords } from './visitor-name.ts'

const anonymous = '019b8e07-4600-7f3a-9c1d-2b7e5a4f8d60'

test('a visitor has the name or e-mail of the person', () => {
  expect(visitorName('ada@shop.example', anonymous)).toBe('ada@shop.example')
  expect(visitorName(null, 'eve@shop.example')).toBe('eve@shop.example')
})

test('a visitor without a name has two words that never change', () => {
  expect(visitorName(null, anonymous)).toBe('Opal Egret')
  expect(visitorName(anonymous, anonymous)).toBe(visitorName(null, anonymous))
  expect(visitorName('', anonymous)).toBe(visitorName(null, anonymous))
})

test('ids that follow each other have unlike names, spread evenly over all words and hues', () => {
  const ids = Array.from({ length: 4096 }, (_, index) => `customer-${index}`)
  const names = ids.map((id) => visitorName(null, id))
  const words = new Map<string, number>()
  for (const word of names.flatMap((name) => name.split(' '))) words.set(word, (words.get(word) ?? 0) + 1)
  expect(words.size).toBe(128)
  expect(Math.max(...words.values())).toBeLessThan(128)
  expect(Math.min(...words.values())).toBeGreaterThan(24)
  expect(new Set(names).size).toBeGreaterThan(2400)
  expect(new Set(ids.map(visitorHue)).size).toBeGreaterThan(350)
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

test('only a visitor without a name is called by its two words', () => {
  expect(isCalled('opal', null, anonymous)).toBe(true)
  expect(isCalled('opal egret', anonymous, anonymous)).toBe(true)
  expect(isCalled('opal', 'ada@shop.example', anonymous)).toBe(false)
  expect(isCalled('amber', null, anonymous)).toBe(false)
})

test('the stored code is that of the shown words, and an e-mail address has none', () => {
  const ids = fc.oneof(fc.uuid(), fc.emailAddress(), fc.string({ unit: 'binary', maxLength: 300 }))
  const property = fc.property(ids, (id) => {
    expect(codesNamed(visitorName(null, id))).toEqual([visitorWords(id) ?? []].flat())
    expect(visitorWords(id) === null).toBe(visitorName(null, id) === id)
  })
  fc.assert(property, { numRuns: 200 })
  expect(visitorWords('eve@shop.example')).toBeNull()
})
