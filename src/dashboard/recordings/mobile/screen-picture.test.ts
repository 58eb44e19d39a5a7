import { expect, test } from 'vitest'
import { applyEvent, copyPage, openPage } from '../../../replay/page.ts'
import { eventsBetween } from '../../../replay/page-changes.ts'
import { treeOf, type Page } from '../../../replay/page-tree.ts'
import { EventType, mutation, type ReplayEvent } from '../../../replay/recorded/rrweb.ts'
import { createMobileScreen } from './mobile-screen.ts'
import { fixedIds } from './screen-document.ts'
import { pictured, picturedEvents } from './screen-picture.ts'

const place = { x: 10, y: 20, width: 100, height: 40 }
const meta = { type: EventType.Meta, timestamp: 0, data: { href: 'Home', width: 390, height: 844 } }

function view(id: number) {
  return { ...place, id, type: 'text', text: `${id}` }
}

/** A view that contains more views than a document can show at once. */
function large(id: number) {
  return { ...view(id), childWireframes: Array.from({ length: 2_000 }, (_, index) => view(id + 1 + index)) }
}

function snapshot(...wireframes: object[]): ReplayEvent {
  return { type: EventType.FullSnapshot, timestamp: 1, data: { wireframes } }
}

function change(timestamp: number, data: object): ReplayEvent {
  return { ...mutation(timestamp, {}), data: { source: 0, ...data } }
}

const keyboard = {
  type: EventType.Custom,
  timestamp: 600,
  data: { tag: 'keyboard', payload: { open: true, height: 260 } },
}

/** Returns the page of the first snapshot, and the events after it. */
function drawn(...events: ReplayEvent[]): { page: Page; next: ReplayEvent[] } {
  const draw = createMobileScreen()
  const [first, ...next] = [meta, ...events].flatMap((event) => draw({ window: 'w', event })).slice(1)
  if (!first) throw new Error('there is no snapshot')
  return { page: openPage(meta, first), next }
}

/** Paints the texts of a page's views as the address of a picture. */
async function paint(page: Page) {
  const texts = [...page.nodes.values()].map(({ own }) => own['textContent'])
  const words = texts.filter((text) => Number(text) > 0).join(' ')
  return { src: `data:image/png,${words}`, words }
}

const goOn = () => false

function bodyOf(page: Page): unknown {
  return treeOf(page, fixedIds.body)
}

test('a large screen is shown as a picture whose alternative is its words', async () => {
  const recorded = drawn(snapshot(large(1))).page
  const page = await pictured(recorded, paint)
  expect(page.nodes.size).toBeLessThan(20)
  const { attributes } = page.nodes.get(fixedIds.picture)?.own ?? {}
  const { src, words } = await paint(recorded)
  expect(attributes).toMatchObject({ src, alt: words })
})

test('a small screen, and one that cannot be painted, is shown as it is recorded', async () => {
  const [small, other] = [drawn(snapshot(view(1))).page, drawn(snapshot(large(1))).page]
  expect(await pictured(small, paint)).toBe(small)
  expect(await pictured(other, () => Promise.reject(new Error('no canvas')))).toBe(other)
})

test('changes of a screen that becomes large, changes and becomes small again show what a seek shows', async () => {
  const { page, next } = drawn(
    snapshot(view(9_000)),
    change(200, { adds: [{ wireframe: large(1) }] }),
    change(400, { updates: [{ wireframe: view(9_000) }], removes: [{ id: 5, parentId: 1 }] }),
    keyboard,
    change(1000, { adds: [{ wireframe: view(9_001) }] }),
    change(1300, { removes: [{ id: 1 }] }),
  )
  const shown = { page: await pictured(page, paint), sent: [] }
  const events = await picturedEvents(copyPage(page), shown, next, goOn, paint)
  expect(events?.map(({ timestamp }) => timestamp)).toEqual([200, 400, 600, 1000, 1300])
  expect(events?.every(({ data }) => JSON.stringify(data).length < 20_000)).toBe(true)
  const frame = copyPage(shown.page)
  for (const [index, event] of (events ?? []).entries()) {
    applyEvent(page, next[index] ?? event)
    applyEvent(frame, event)
    expect(bodyOf(frame)).toEqual(bodyOf(await pictured(page, paint)))
  }
})

test('changes that follow others which were sent before build on these', async () => {
  const { page, next } = drawn(snapshot(large(1)), change(2, { removes: [{ id: 5, parentId: 1 }] }))
  const shown = await pictured(page, paint)
  const sent = (await picturedEvents(copyPage(page), { page: shown, sent: [] }, next, goOn, paint)) ?? []
  for (const event of next) applyEvent(page, event)
  expect(await picturedEvents(copyPage(page), { page: shown, sent }, [], goOn, paint)).toEqual([])
  for (const event of sent) applyEvent(shown, event)
  expect(eventsBetween(shown, await pictured(page, paint), 3)?.[0]?.data).toMatchObject({ attributes: [] })
})

test('a large screen that changes often is painted once in 250 ms, with its last change', async () => {
  const removals = Array.from({ length: 40 }, (_, index) =>
    change(250 + index * 10, { removes: [{ id: 5 + index, parentId: 1 }] }),
  )
  const { page, next } = drawn(snapshot(large(1)), ...removals)
  const shown = { page: await pictured(page, paint), sent: [] }
  const events = await picturedEvents(copyPage(page), shown, next, goOn, paint)
  expect(events?.map(({ timestamp }) => timestamp)).toEqual([490, 640])
  const frame = copyPage(shown.page)
  for (const event of events ?? []) applyEvent(frame, event)
  for (const event of next) applyEvent(page, event)
  expect(bodyOf(frame)).toEqual(bodyOf(await pictured(page, paint)))
})

test('painting stops between two pictures', async () => {
  const removals = [250, 500, 750].map((time) => change(time, { removes: [{ id: time, parentId: 1 }] }))
  const { page, next } = drawn(snapshot(large(1)), ...removals)
  const shown = { page: await pictured(page, paint), sent: [] }
  let painted = 0
  const count = (of: Page) => {
    painted += 1
    return paint(of)
  }
  expect(await picturedEvents(copyPage(page), shown, next, () => painted === 1, count)).toBeNull()
  expect(painted).toBe(1)
})

test('the snapshot of a large screen does not show its views again', async () => {
  const recorded = drawn(snapshot(large(1))).page
  const shown = { page: await pictured(recorded, paint), sent: [] }
  expect(await picturedEvents(recorded, shown, [snapshot(large(1))], goOn, paint)).toEqual([])
})
