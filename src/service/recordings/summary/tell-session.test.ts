import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IncrementalSource, MouseInteractions } from '../../../contract/rrweb.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import {
  button,
  captured,
  change,
  click,
  consoleError,
  element,
  eventAt,
  input,
  move,
  page,
  request,
  scroll,
  tell,
} from '../../testing/test-session.ts'
import { readSessionEvent, type SessionEvent } from './unpack-event.ts'

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

  test('completed by an event that says so, a page that says thanks, or a form that was sent', () => {
    const sent = [...checkout, click(20, 22), change(20.2)]
    const event = tell([...sent, move(24)], { captured: [captured(21, 'purchase_completed')] })
    expect(event.outcome.text).toBe('Completed: the site recorded “purchase_completed”.')
    const thanks = tell([...sent, ...page(22, `${url}/orders/1/confirmation`, 'Thank you')])
    expect(thanks.outcome.text).toBe('Completed: they got to “Thank you”.')
    const form = tell([...sent, ...page(22, `${url}/account`, 'Account')])
    expect(form.outcome.text).toBe('Completed: they sent “Card” with “Pay”.')
    expect([event, thanks, form].map(({ outcome }) => outcome.kind)).toEqual(
      Array.from({ length: 3 }, () => 'completed'),
    )
  })

  test('not completed by a form that nothing happened to, or that was refused', () => {
    const dead = tell([...checkout, click(20, 22), move(40)])
    const refused = tell([...checkout, click(20, 22), change(20.1), consoleError(21, 'bad card'), move(40)])
    expect([dead, refused].map(({ outcome }) => outcome.kind)).toEqual(['abandoned', 'abandoned'])
  })

  test('failed by what went wrong last, unless it was completed after all', () => {
    const failed = tell([...checkout, ...failing])
    expect(failed.outcome).toMatchObject({
      kind: 'failed',
      text: 'Failed: POST /api/pay was answered with 500 after clicking “Pay”, shortly before the end.',
    })
    const again = [...failing, click(30, 22), change(30.1), ...page(31, `${url}/thanks`, 'Thanks')]
    expect(tell([...checkout, ...again]).outcome.kind).toBe('completed')
  })

  test('abandoned by a form that was not sent, or a basket that was left', () => {
    expect(tell([...checkout, move(60)]).outcome.text).toBe('Abandoned: “Card” was filled in but never sent.')
    const basket = tell([...shop, ...page(10, `${url}/basket`, 'Your basket'), move(20)])
    expect(basket.outcome.text).toBe('Abandoned: they got as far as “Your basket” and went no further.')
  })

  test('looked around by nothing of this, also where a script fails that nobody notices', () => {
    const { outcome } = tell([...shop, consoleError(5, 'x'), ...page(10, `${url}/lamps`, 'Lamps'), move(20)])
    expect(outcome).toMatchObject({ kind: 'looked_around', text: 'Looked around, and ended on “Lamps”.' })
  })

  test('unfinished while the session goes on', () => {
    const { outcome } = tell([...checkout, ...failing], { ongoing: true })
    expect(outcome).toMatchObject({
      kind: 'unfinished',
      text: 'Unfinished: it is still going on, now on “Checkout”.',
    })
  })
})

describe('the story', () => {
  test('tells pages that were only looked at together', () => {
    const names = ['Brass', 'Opal', 'Paper', 'Linen']
    const story = tell([
      ...shop,
      click(4, 10),
      change(4.1),
      click(5, 10),
      change(5.1),
      ...names.flatMap((name, index) => page(10 + index * 9, `${url}/lamps/${name.toLowerCase()}`, name)),
    ])
    expect(story.sentences.map(({ text }) => text)).toEqual([
      'A visit to shop.example of 37 s that began on “Shop”: five pages and two clicks.',
      'On “Shop” they clicked “Help” twice.',
      'They compared four pages under /lamps: “Brass”, “Opal”, “Paper” and “Linen”.',
    ])
  })

  test('of a day is as short as that of an hour, and every sentence points at a moment', () => {
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
    const story = tell([...shop, ...day.flat(), ...page(85_000, `${url}/thanks`, 'Thank you')])
    expect(story.outcome.kind).toBe('completed')
    expect(story.sentences.length).toBeLessThanOrEqual(20)
    expect(story.problems.length).toBeLessThanOrEqual(8)
    expect(story.segments.length).toBeLessThanOrEqual(120)
    expect(JSON.stringify(story).length).toBeLessThan(200_000)
    const { sentences, problems, outcome, moments, segments } = story
    expect([...sentences, ...problems, outcome].every(({ moment }) => moments[moment]?.id === moment)).toBe(
      true,
    )
    expect(moments.every(({ segment }) => segments[segment] !== undefined)).toBe(true)
    expect(moments.map(({ at }) => at)).toEqual(moments.map(({ at }) => at).toSorted((a, b) => a - b))
    expect(story.sentences[0]?.text).toContain('3,002 pages')
  })

  test('mentions long absences, waiting and reading', () => {
    const story = tell([...shop, scroll(3, 1500), scroll(400, 1600), ...page(410, `${url}/x`, 'X')])
    expect(story.sentences.map(({ text }) => text).slice(1)).toEqual([
      'They looked at “Shop” and “X”.',
      'They were away for 6 min 37 s.',
    ])
    expect(story.segments[0]?.text).toBe('Scrolled down three screens.')
  })

  test('of a recording without a single event is that it began and ended', () => {
    const story = tell([])
    expect(story.moments.map(({ kind }) => kind)).toEqual(['start', 'page', 'end'])
    expect(story.outcome.kind).toBe('looked_around')
  })

  test('survives whatever a page sends', () => {
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
    expect(tell(events).moments.at(-1)?.kind).toBe('end')
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

test('of any session the summary is short, points at its moments, and holds nothing that was typed', () => {
  const timed = fc.array(fc.tuple(fc.constantFrom(0.2, 1, 3, 5, 45, 300), steps), { maxLength: 60 })
  fc.assert(
    fc.property(timed, secret, fc.boolean(), (timed, typed, ongoing) => {
      let at = 1
      const events = timed.flatMap(([pause, step]) => step((at += pause), typed))
      const story = tell([...shop, input(1, 21, typed), ...events], { ongoing })
      const content = summaryMarkdown(story)
      expect(`${JSON.stringify(story)} ${content}`.toLowerCase()).not.toContain(typed.slice(0, 8))
      const { sentences, problems, outcome, moments, segments } = story
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

test('a session that posthog-js recorded in a browser is told as it was', async () => {
  const file = await readFile(new URL('recorded-session.jsonl.gz', import.meta.url))
  const lines = gunzipSync(file).toString('utf8').split('\n')
  const events = lines
    .flatMap((line) => readSessionEvent(line) ?? [])
    .toSorted((a, b) => a.timestamp - b.timestamp)
  const story = tell(events)
  const content = summaryMarkdown(story)
  expect(content).toBe(`**Completed: they got to “Thank you”.** (0:16)

A visit to shop.example of 16 s that began on “Welcome”: five pages, nine clicks and three fields filled in. (0:00)
They opened “Welcome”. (0:00)
On “Brass lamp” they clicked “Show more pictures” without effect and clicked “See linen”. (0:04)
On “Linen” they clicked “Add to basket” and “Go to checkout”. (0:09)
On “Checkout” they sent “Email”, “Street” and “Card number” with “Pay now” and clicked “Pay now” three times in 1 s. (0:13)
They opened “Thank you”. (0:16)

### What went wrong

- Nothing happened after clicking “Show more pictures”. (0:04)
- Clicked “Pay now” three times in 1 s. (0:13)
- The console showed an error three times: payment failed {"code":500}. (0:13)

### Pages visited

- Welcome (0:00–0:02), shop.example/
- Brass lamp (0:02–0:08), shop.example/products/brass-lamp
- Linen (0:08–0:11), shop.example/products/linen
- Checkout (0:11–0:16), shop.example/checkout
- Thank you (0:16–0:16), shop.example/thanks`)
})
