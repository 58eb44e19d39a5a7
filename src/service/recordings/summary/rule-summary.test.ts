import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IncrementalSource, MouseInteractions } from '../../../replay/recorded/rrweb.ts'
import { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import {
  button,
  captured,
  change,
  click,
  consoleError,
  element,
  eventAt,
  factsFrom,
  input,
  move,
  page,
  request,
  scroll,
  summaryOf,
} from '../../testing/test-session.ts'
import { readSessionEvent, type SessionEvent } from '../../snapshots/unpack-event.ts'
import { summaryMarkdown } from './summary-markdown.ts'

const url = 'https://shop.example'
const pay = element(20, 'form', {}, element(21, 'input', { placeholder: 'Card' }), button(22, 'Pay'))
const shop = page(0, `${url}/`, 'Shop', [button(10, 'Help')])
const checkout = [...shop, ...page(10, `${url}/checkout`, 'Checkout', [pay]), input(15, 21, '4111')]

describe('the outcome is', () => {
  const failing = [
    click(20, 22),
    request(20.5, 'POST', `${url}/api/pay`, 500),
    change(20.6, 'Sorry'),
    move(25),
  ]

  test('completed after an event or page that says so, or a submitted form', () => {
    const sent = [...checkout, click(20, 22), change(20.2)]
    const event = summaryOf([...sent, move(24)], { captured: [captured(21, 'purchase_completed')] })
    expect(event.outcome.text).toBe('Completed: the site recorded “purchase_completed”.')
    const thanks = summaryOf([...sent, ...page(22, `${url}/orders/1/confirmation`, 'Thank you')])
    expect(thanks.outcome.text).toBe('Completed: they reached “Thank you”.')
    const form = summaryOf([...sent, ...page(22, `${url}/account`, 'Account')])
    expect(form.outcome.text).toBe('Completed: they submitted “Card” with “Pay”.')
    expect([event, thanks, form].map(({ outcome }) => outcome.kind)).toEqual(
      Array.from({ length: 3 }, () => 'completed'),
    )
  })

  test('not completed if a form had no effect or was rejected', () => {
    const dead = summaryOf([...checkout, click(20, 22), move(40)])
    const refused = summaryOf([
      ...checkout,
      click(20, 22),
      change(20.1),
      consoleError(21, 'bad card'),
      move(40),
    ])
    expect([dead, refused].map(({ outcome }) => outcome.kind)).toEqual(['abandoned', 'abandoned'])
  })

  test('failed if a problem came last, unless the session was completed after all', () => {
    const failed = summaryOf([...checkout, ...failing])
    expect(failed.outcome).toMatchObject({
      kind: 'failed',
      text: 'Failed: POST /api/pay returned 500 after clicking “Pay”, shortly before the end.',
    })
    const again = [...failing, click(30, 22), change(30.1), ...page(31, `${url}/thanks`, 'Thanks')]
    expect(summaryOf([...checkout, ...again]).outcome.kind).toBe('completed')
  })

  test('abandoned if a form was not submitted or a basket was left', () => {
    expect(summaryOf([...checkout, move(60)]).outcome.text).toBe(
      'Abandoned: “Card” was filled in but never submitted.',
    )
    const basket = summaryOf([...shop, ...page(10, `${url}/basket`, 'Your basket'), move(20)])
    expect(basket.outcome.text).toBe('Abandoned: they got as far as “Your basket” and went no further.')
  })

  test('looked around otherwise, even if a script failed unnoticed', () => {
    const { outcome } = summaryOf([
      ...shop,
      consoleError(5, 'x'),
      ...page(10, `${url}/lamps`, 'Lamps'),
      move(20),
    ])
    expect(outcome).toMatchObject({ kind: 'looked_around', text: 'Looked around and ended on “Lamps”.' })
  })

  test('unfinished while the session is in progress', () => {
    const { outcome } = summaryOf([...checkout, ...failing], { ongoing: true })
    expect(outcome).toMatchObject({
      kind: 'unfinished',
      text: 'Unfinished: still in progress, now on “Checkout”.',
    })
  })
})

describe('the summary', () => {
  test('rounds the length of the session down, as its recording does', () => {
    const { sentences } = summaryOf([...shop, ...page(9.7, `${url}/lamps`, 'Lamps')])
    expect(sentences[0]?.text).toContain('lasting 9 s')
  })

  test('describes pages without activity together', () => {
    const names = ['Brass', 'Opal', 'Paper', 'Linen']
    const summary = summaryOf([
      ...shop,
      click(4, 10),
      change(4.1),
      click(5, 10),
      change(5.1),
      ...names.flatMap((name, index) => page(10 + index * 9, `${url}/lamps/${name.toLowerCase()}`, name)),
    ])
    expect(summary.sentences.map(({ text }) => text)).toEqual([
      'A visit to shop.example lasting 37 s, starting on “Shop”: five pages and two clicks.',
      'On “Shop” they clicked “Help” twice.',
      'They compared four pages under /lamps: “Brass”, “Opal”, “Paper” and “Linen”.',
    ])
  })

  test('mentions long absences, waits and reading', () => {
    const summary = summaryOf([...shop, scroll(3, 1500), scroll(400, 1600), ...page(410, `${url}/x`, 'X')])
    expect(summary.sentences.map(({ text }) => text).slice(1)).toEqual([
      'They looked at “Shop” and “X”.',
      'They were away for 6 min 37 s.',
    ])
    expect(summary.segments[0]?.text).toBe('Scrolled down three screens.')
  })
})

describe('the summary of an unusual recording', () => {
  test('is as short for a day as for an hour, and links every sentence to a moment', () => {
    const day = Array.from({ length: 3000 }, (_, index) => {
      const at = 60 + index * 28
      const opened = page(at, `${url}/p/${index % 2 ? 'a' : `item-${index}`}`, `Page ${index}`, [
        button(10, `B${index}`),
      ])
      return [
        ...opened,
        click(at + 2, 10),
        consoleError(at + 3, `e${index}`),
        change(at + 4),
        click(at + 5, 10),
        change(at + 6),
      ]
    })
    const summary = summaryOf([...shop, ...day.flat(), ...page(85_000, `${url}/thanks`, 'Thank you')])
    expect(summary.outcome.kind).toBe('completed')
    expect(summary.sentences.length).toBeLessThanOrEqual(20)
    expect(summary.problems.length).toBeLessThanOrEqual(8)
    expect(summary.segments.length).toBeLessThanOrEqual(120)
    expect(JSON.stringify(summary).length).toBeLessThan(200_000)
    const { sentences, problems, outcome, moments, segments } = summary
    expect([...sentences, ...problems, outcome].every(({ moment }) => moments[moment]?.id === moment)).toBe(
      true,
    )
    expect(moments.every(({ segment }) => segments[segment] !== undefined)).toBe(true)
    expect(moments.map(({ at }) => at)).toEqual(moments.map(({ at }) => at).toSorted((a, b) => a - b))
    expect(summary.sentences[0]?.text).toContain('3,002 pages')
  })

  test('has only a start and an end if there are no events', () => {
    const summary = summaryOf([])
    expect(summary.moments.map(({ kind }) => kind)).toEqual(['start', 'page', 'end'])
    expect(summary.outcome.kind).toBe('looked_around')
  })

  test('survives arbitrary data from a page', () => {
    const odd = [
      null,
      'x',
      7,
      [],
      {},
      { source: IncrementalSource.Mutation, adds: [null, {}], removes: [3] },
      { source: IncrementalSource.MouseInteraction, type: MouseInteractions.Click },
      { source: IncrementalSource.Input },
    ]
    const events = odd.flatMap((data, index) => [2, 3, 4, 5, 6, 99].map((type) => eventAt(index, type, data)))
    expect(summaryOf(events).moments.at(-1)?.kind).toBe('end')
  })
})

const secret = fc.stringMatching(/^[a-z]{4}[0-9]{4}( [a-z]{4}[0-9]{4}){0,8}$/)
const path = fc.stringMatching(/^[a-z]{1,9}(\/[a-z]{1,9}){0,2}$/)
type Step = (at: number, typed: string) => SessionEvent[]
const steps = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.tuple(path, fc.constantFrom('w1', 'w2')).map(([path, window]) => (at, typed) => {
    const nodes = [pay, button(10, `Forget ${typed}`), button(11, 'Next')]
    return page(
      at,
      `${url}/${path}/${encodeURIComponent(typed)}?q=${typed}`,
      `Results for ${typed}`,
      nodes,
      window,
    )
  }),
  fc.constantFrom(6, 10, 11, 22).map((id) => (at) => [click(at, id)]),
  fc.constant<Step>((at, typed) => [input(at, 21, typed)]),
  fc.constant<Step>((at, typed) => [change(at, `You wrote ${typed}`)]),
  fc.constant<Step>((at, typed) => [consoleError(at, `bad value ${typed.toUpperCase()}`)]),
  fc.constant<Step>((at, typed) => [request(at, 'POST', `${url}/find/${typed}?q=${typed}`, 500)]),
  fc.constant<Step>((at) => [move(at)]),
)

test('summarizes any session briefly, with links to moments and without typed text', () => {
  const timed = fc.array(fc.tuple(fc.constantFrom(0.2, 1, 3, 5, 45, 300), steps), { maxLength: 60 })
  fc.assert(
    fc.property(timed, secret, fc.boolean(), (timed, typed, ongoing) => {
      let at = 1
      const events = timed.flatMap(([pause, step]) => step((at += pause), typed))
      const summary = summaryOf([...shop, input(1, 21, typed), ...events], { ongoing })
      const content = summaryMarkdown(summary)
      const facts = factsFrom([...shop, input(1, 21, typed), ...events], { ongoing })
      expect(RecordingFacts.safeParse(facts).error).toBeUndefined()
      expect(`${JSON.stringify([summary, facts])} ${content}`.toLowerCase()).not.toContain(typed.slice(0, 8))
      const { sentences, problems, outcome, moments, segments } = summary
      expect(sentences.length + problems.length).toBeLessThanOrEqual(22)
      expect([...sentences, ...problems, outcome].every(({ moment }) => moments[moment]?.id === moment)).toBe(
        true,
      )
      expect(moments.every(({ segment }) => segments[segment] !== undefined)).toBe(true)
      expect(moments.map(({ at }) => at)).toEqual(moments.map(({ at }) => at).toSorted((a, b) => a - b))
      expect(segments.every(({ start, end }) => start <= end)).toBe(true)
    }),
  )
})

test('summarizes a session recorded from posthog-js in a browser', async () => {
  const file = await readFile(new URL('../facts/recorded-session.jsonl.gz', import.meta.url))
  const lines = gunzipSync(file).toString('utf8').split('\n')
  const events = lines
    .flatMap((line) => readSessionEvent(line) ?? [])
    .toSorted((a, b) => a.timestamp - b.timestamp)
  const summary = summaryOf(events)
  const content = summaryMarkdown(summary)
  expect(content).toBe(`**Completed: they reached “Thank you”.** (0:16)

A visit to shop.example lasting 16 s, starting on “Welcome”: five pages, nine clicks and three fields filled in. (0:00)
They opened “Welcome”. (0:00)
On “Brass lamp” they clicked “Show more pictures” without effect and clicked “See linen”. (0:04)
On “Linen” they clicked “Add to basket” and “Go to checkout”. (0:09)
On “Checkout” they submitted “Email”, “Street” and “Card number” with “Pay now” and clicked “Pay now” three times in 1 s. (0:13)
They opened “Thank you”. (0:16)

### What went wrong

- Nothing happened after clicking “Show more pictures”. (0:04)
- Clicked “Pay now” three times in 1 s. (0:13)
- The console logged an error three times: payment failed {"code":500}. (0:13)

### Where the time went

- Active for 5 s on “Checkout”. (0:11)
- Active for 5 s on “Brass lamp”. (0:02)
- Active for 3 s on “Welcome”. (0:00)
- Active for 3 s on “Linen”. (0:08)

### Pages visited

- Welcome (0:00–0:02), shop.example/
- Brass lamp (0:02–0:08), shop.example/products/brass-lamp
- Linen (0:08–0:11), shop.example/products/linen
- Checkout (0:11–0:16), shop.example/checkout
- Thank you (0:16–0:16), shop.example/thanks`)
})
