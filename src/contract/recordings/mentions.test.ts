import { expect, test } from 'vitest'
import { isTicket, mentionsIn } from './mentions.ts'

const ticket = `Hi, since 12:30 on 2026-03-04 I get "error 500" (see https://shop.example/cart?step=2).
My account is ada.b@shop.example, order cus_9s8df7, session 0198b2c4-7f00-7000-8000-00000000abcd!
https://shop.example/cart?step=2`

test('finds the e-mail addresses, ids and URLs of a ticket, each once and without punctuation', () => {
  expect(mentionsIn(ticket)).toEqual({
    emails: ['ada.b@shop.example'],
    ids: ['cus_9s8df7', '0198b2c4-7f00-7000-8000-00000000abcd'],
    urls: ['https://shop.example/cart?step=2'],
  })
})

test('finds nothing in plain words', () => {
  expect(mentionsIn('The checkout failed at 10:45 with 3 items for 120 EUR')).toEqual({
    emails: [],
    ids: [],
    urls: [],
  })
})

test('finds at most 50', () => {
  const { emails, ids } = mentionsIn(
    Array.from({ length: 80 }, (_, index) => `visitor-${index} v${index}@mail.example`).join(' '),
  )
  expect(emails.length + ids.length).toBe(50)
})

test.each([
  ['ada@shop.example', false],
  ['visitor-17', false],
  ['0198b2c4-7f00-7000-8000-00000000abcd', true],
  ['please see ada@shop.example', true],
  ['Ada Lovelace', false],
])('“%s” is ticket text: %s', (text, expected) => {
  expect(isTicket(text)).toBe(expected)
})
