import { expect, test } from 'vitest'
import { type RecordingFacts, secondsBefore } from '../../../contract/recordings/recording-facts.ts'
import { pathInWords, shortened } from './facts-words.ts'

function factsOf(labels: readonly string[], outcome: Omit<RecordingFacts['outcome'], 'at'>): RecordingFacts {
  return {
    pages: labels.map((label) => ({ label, url: 'shop.example/', at: 0 })),
    page_count: labels.length,
    outcome: { ...outcome, at: 0 },
    problems: [],
    strip: [],
    moment: 0,
    browser: null,
    os: null,
    device: null,
    country: null,
    summary: null,
  }
}

test('a path names each page once in a row, and ends with the outcome', () => {
  const start_url = 'https://shop.example/'
  const pathOf = (labels: readonly string[], kind: RecordingFacts['outcome']['kind'], label: string) =>
    pathInWords({ start_url, facts: factsOf(labels, { kind, label }) })
  expect(pathOf(['Home', 'Lamp', 'Lamp', 'Cart', 'Coupon'], 'left', 'Coupon')).toBe(
    'Home → Lamp → Cart → left at Coupon',
  )
  expect(pathOf(['Home'], 'left', 'Home')).toBe('Home → left at Home')
  expect(pathOf(['Home', 'Cart'], 'completed', 'Order placed')).toBe('Home → Cart → Order placed')
  expect(pathInWords({ facts: null, start_url: 'https://shop.example/lamps?id=1' })).toBe('/lamps')
  const facts = factsOf(['Home', 'Cart'], { kind: 'left', label: 'Cart' })
  expect(pathInWords({ start_url, facts, ongoing: true })).toBe('Home → Cart')
})

test('a path names as many of its first pages as fit, and its last', () => {
  const within = (width: number) =>
    shortened(['Home', 'Lamps', 'Arc', 'Catalogue', 'Cart'], (path) => path.length <= width)
  expect(within(38)).toBe('Home → Lamps → Arc → Catalogue → Cart')
  expect(within(35)).toBe('Home → Lamps → Arc → 1 more → Cart')
  expect(within(30)).toBe('Home → Lamps → 2 more → Cart')
  expect(within(20)).toBe('Home → 3 more → Cart')
  expect(within(5)).toBe('4 more → Cart')
  expect(shortened(['A long title', 'Cart'], () => false)).toBe('1 more → Cart')
  expect(shortened(['A long title'], () => false)).toBe('A long title')
})

test('a moment opens three seconds before it', () => {
  expect([secondsBefore(10_400), secondsBefore(1_000)]).toEqual([7, 0])
})
