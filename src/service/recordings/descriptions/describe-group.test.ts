import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupSummaryMarkdown } from '../../../contract/recordings/group-summary.ts'
import {
  button,
  change,
  click,
  consoleError,
  element,
  factsFrom,
  input,
  move,
  page,
  request,
} from '../../testing/test-session.ts'
import { describeGroup, type GroupMember } from './describe-group.ts'

const url = 'https://shop.example'
const form = element(20, 'form', {}, element(21, 'input', { placeholder: 'Coupon' }), button(22, 'Apply'))
const cart = [...page(0, `${url}/`, 'Shop'), ...page(10, `${url}/cart`, 'Cart', [form]), move(13), move(16)]
const paid = [...cart, ...page(20, `${url}/thanks`, 'Thank you')]
const coupon = [...cart, input(18, 21, 'SPRING'), move(40)]
const failed = [...cart, click(18, 22), request(18.5, 'POST', `${url}/coupons`, 500), change(18.6), move(22)]
const noisy = [...cart, consoleError(15, 'lamp 7 is off'), move(30)]

const members: GroupMember[] = [
  paid,
  paid,
  coupon,
  failed,
  noisy,
  [...noisy, consoleError(31, 'lamp 8 is off')],
].map((events, index) => ({
  recording: `r${index}`,
  name: `Visitor ${index}`,
  distinct_id: `d${index}`,
  facts: factsFrom(events),
}))

test('counts outcomes, problems and time, each with an example', () => {
  const result = describeGroup(members, { matched: 6, unread: 0 })
  expect(result.overview).toBe(
    '6 recordings: 2 completed (33 %), 3 left (50 %) and 1 ended with an error (17 %).',
  )
  expect(groupSummaryMarkdown(result, 'https://spool.example')).toBe(
    `**${result.overview}**

### What visitors completed

- Completed: “Thank you” in 2 recordings. Example: [Visitor 0](https://spool.example/recordings/r0?t=17)

### Where the others left

- Left at “Cart” in 2 recordings. Example: [Visitor 4](https://spool.example/recordings/r4?t=27)
- Left at “Coupon” in 1 recording. Example: [Visitor 2](https://spool.example/recordings/r2?t=15)

### What went wrong

- Error “lamp 8 is off” in 2 recordings. Example: [Visitor 5](https://spool.example/recordings/r5?t=28)
- A form left half filled in (Coupon) in 1 recording. Example: [Visitor 2](https://spool.example/recordings/r2?t=15)
- Failed request “POST /coupons returned 500” in 1 recording. Example: [Visitor 3](https://spool.example/recordings/r3?t=15)

### Where the time went

- 53 s on “Cart” in 6 recordings (100 %). Example: [Visitor 3](https://spool.example/recordings/r3?t=7)`,
  )
})

test('states a sample and unread recordings, and counts rare lines together', () => {
  const labels = Array.from({ length: 12 }, (_, index) => `Page ${String.fromCodePoint(65 + index)}`)
  const many = labels.map((label, index) => {
    const facts = factsFrom(cart)
    const outcome = { ...facts.outcome, label }
    return { recording: `r${index}`, name: 'Ada', distinct_id: 'ada', facts: { ...facts, outcome } }
  })
  const { overview, sections } = describeGroup(many, { matched: 3000, unread: 1 })
  expect(overview).toBe(
    'A sample of 12 of 3,000 recordings: 0 completed (0 %), 12 left (100 %) and 0 ended with an error (0 %). 1 more could not be read.',
  )
  const left = sections.find(({ name }) => name === 'left')?.lines.map(({ text }) => text)
  expect([left?.length, left?.at(-1)]).toEqual([8, 'Five rarer ones in 5 recordings.'])
  expect(describeGroup([], { matched: 2, unread: 2 }).overview).toBe('No recording could be read.')
})

test('the text does not depend on the order of the recordings', () => {
  const expected = describeGroup(members, { matched: 6, unread: 0 })
  fc.assert(
    fc.property(fc.shuffledSubarray(members, { minLength: members.length }), (shuffled) => {
      expect(describeGroup(shuffled, { matched: 6, unread: 0 })).toEqual(expected)
    }),
  )
})
