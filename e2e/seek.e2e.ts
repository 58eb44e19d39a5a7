import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { SnapshotSources } from '../src/contract/recordings/snapshot.ts'
import { mutation, type ReplayEvent } from '../src/replay/recorded/rrweb.ts'
import { PageMaker } from '../src/service/recordings/descriptions/page-maker.ts'
import { createNeutralizer } from '../src/dashboard/recordings/reader/neutralize.ts'
import { createPlaceholders } from '../src/dashboard/recordings/reader/placeholders.ts'
import { clockId, hourRecording } from './bench/hour-recording.ts'
import { signIn, test } from './journey.ts'
import { recordedPage } from './recorded-shop.ts'
import { randomFrom } from './bench/random-from.ts'
import { clicked, element, pageShown, sendSession, textChanged } from './recorded-session.ts'

const minute = 60_000

function slider(page: Page) {
  return page.getByRole('slider', { name: 'Playback position' })
}

test('the frame of a recording loads once, while the session is checked', async ({
  page,
  service,
  tenant,
}) => {
  const session = await sendSession(
    service,
    tenant,
    pageShown(Date.now() - minute, { body: [element('h1', {}, 'The shop')] }),
  )
  const framed = Promise.withResolvers<void>()
  let frames = 0
  await page.route('**/player.html', (route) => {
    frames += 1
    framed.resolve()
    return route.continue()
  })
  await page.route('**/api/users/@me/', async (route) => {
    await framed.promise
    await route.continue()
  })
  await signIn(page, service, tenant.api_key, `/recordings/${session}`)
  await expect(recordedPage(page).getByText('The shop')).toBeVisible()
  expect(frames).toBe(1)
})

test('a link to a moment loads the blocks around the moment first, while its frame loads, and others once the page is shown; a seek beyond them shows that the page is loading', async ({
  page,
  service,
  tenant,
}) => {
  const start = Date.now() - 20 * minute
  let session: string | undefined
  // Five blocks of one minute; the first, third and fifth start with a full snapshot.
  for (let number = 0; number < 5; number += 1) {
    const at = start + number * minute
    const heading = element('h1', {}, `Minute ${number}`)
    const [text] = heading['childNodes'] as { id: number }[]
    const events =
      number % 2 === 0
        ? [
            ...pageShown(at, { body: [heading] }),
            textChanged(at + 30_000, text?.id ?? 0, `Half past ${number}`),
          ]
        : [clicked(at, heading.id)]
    const ids = session === undefined ? {} : { session }
    session = await sendSession(service, tenant, [...events, clicked(at + 50_000, heading.id)], ids)
  }
  const requested: (string | null)[] = []
  const first = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  await page.route('**/player.html', async (route) => {
    await first.promise
    await route.continue()
  })
  await page.route(/source=blob_v2/, async (route) => {
    first.resolve()
    const query = new URL(route.request().url()).searchParams
    requested.push(`${query.get('start_blob_key')}–${query.get('end_blob_key')}`)
    if (requested.length > 1) await rest.promise
    await route.continue()
  })
  await page.addInitScript(() =>
    addEventListener('message', ({ data }: MessageEvent<{ state?: { hasShown?: boolean } }>) => {
      if (data.state?.hasShown) performance.mark('shown')
    }),
  )
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, service, tenant.api_key, `/recordings/${session}?t=160`)
  await expect(recordedPage(page).getByText('Half past 2')).toBeVisible()
  expect(requested[0]).toBe('2–2')
  await page.keyboard.press('0')
  await expect(page.getByText('Loading…')).toBeVisible()
  // The request before it is still waiting for its response.
  await expect.poll(() => requested.at(-1)).toMatch(/^0–/)
  await expect(
    page.frameLocator('iframe[title="The recorded page"]').locator('.replayer-wrapper'),
  ).toBeHidden()
  rest.resolve()
  await expect(recordedPage(page).getByText('Minute 0')).toBeVisible()
  await expect(page.getByText('Loading…')).toBeHidden()
  await page.keyboard.press('9')
  await expect(recordedPage(page).getByText('Minute 4')).toBeVisible()
  expect(requested.toSorted().join()).toMatch(/^0–|,0–/)
  const [shownAt, secondAt] = await page.evaluate(() => {
    const requests = performance.getEntriesByType('resource').filter(({ name }) => name.includes('=blob_v2'))
    return [performance.getEntriesByName('shown')[0]?.startTime, requests[1]?.startTime]
  })
  expect(secondAt).toBeGreaterThanOrEqual(shownAt ?? Infinity)
})

test('a link to a moment first loads the stored page before it and the blocks since; every later seek shows its moment', async ({
  page,
  service,
  tenant,
}) => {
  const start = Date.now() - 20 * minute
  const heading = element('h1', {}, 'Minute 0')
  const [text] = heading['childNodes'] as { id: number }[]
  const maker = new PageMaker()
  let session: string | undefined
  // Five blocks of one minute, of which only the first has a full snapshot; the others change the heading and the list.
  for (let number = 0; number < 5; number += 1) {
    const at = start + number * minute
    const item = element('p', { title: `Item ${number}` })
    const added = mutation(at + 20_000, { adds: [{ parentId: heading.id, nextId: null, node: item }] })
    const events = [
      ...(number === 0
        ? pageShown(at, { body: [heading] })
        : [textChanged(at, text?.id ?? 0, `Minute ${number}`)]),
      added,
      clicked(at + 50_000, heading.id),
    ]
    const recorded = events.map((event) => ({ window: 'window-1', ...structuredClone(event) }))
    // As if the blocks were large enough for a page.
    maker.addBlock({ number, start: at, bytes: 600_000 }, recorded)
    session = await sendSession(service, tenant, events, session === undefined ? {} : { session })
  }
  const [stored] = maker.pages
  expect(stored?.number).toBe(3)
  await page.route(/snapshots\/$/, async (route) => {
    const response = await route.fetch()
    const list = SnapshotSources.parse(await response.json())
    const pageOf = (key: string) =>
      key === '3' && { page: { window_id: 'window-1', bytes: stored?.bytes ?? 0 } }
    const sources = list.sources.map((source) => ({ ...source, ...pageOf(source.blob_key) }))
    await route.fulfill({ response, json: { sources } })
  })
  const requested: string[] = []
  const rest = Promise.withResolvers<void>()
  await page.route(/source=/, async (route) => {
    const query = new URL(route.request().url()).searchParams
    const isPage = query.get('source') === 'page'
    requested.push(`${isPage ? 'page ' : ''}${query.get('start_blob_key')}–${query.get('end_blob_key')}`)
    if (isPage) return route.fulfill({ body: zstdDecompressSync(stored?.lines ?? '') })
    if (requested.length > 2) await rest.promise
    return route.continue()
  })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, service, tenant.api_key, `/recordings/${session}?t=210`)
  const shows = async (minute: number, isItemAdded: boolean) => {
    await expect(recordedPage(page).getByText(`Minute ${minute}`)).toBeVisible()
    const items = Array.from({ length: minute + (isItemAdded ? 1 : 0) }, (_, index) => `Item ${index}`)
    const titles = recordedPage(page)
      .locator('h1 > p')
      .evaluateAll((all) => all.map((item) => item.getAttribute('title')))
    expect(await titles).toEqual(items)
  }
  await shows(3, true)
  expect(requested.slice(0, 2)).toEqual(['page 3–3', '3–3'])
  rest.resolve()
  await slider(page).fill(String(minute + 10_000))
  await shows(1, false)
  await slider(page).fill(String(4 * minute + 30_000))
  await shows(4, true)
  await slider(page).fill(String(3 * minute + 10_000))
  await shows(3, false)
  await expect.poll(() => requested.filter((range) => range.startsWith('page'))).toEqual(['page 3–3'])
})

test(
  'a seek shows the page that rrweb shows after all events before it',
  { tag: '@slow' },
  async ({ page, browser, service, tenant }) => {
    const events = await hourRecording(Date.now() - 60 * minute, { seconds: 320, copies: 4 })
    let session: string | undefined
    for (let first = 0; first < events.length; first += 2_000) {
      const ids = session === undefined ? {} : { session }
      session = await sendSession(service, tenant, events.slice(first, first + 2_000), ids)
    }
    const stock = await browser.newPage()
    const neutralize = createNeutralizer(createPlaceholders())
    const safe = structuredClone(events).filter((event) => neutralize({ window: '', event }))
    await openStock(stock, safe)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await signIn(page, service, tenant.api_key, `/recordings/${session}`)
    const random = randomFrom(3)
    for (let seek = 0; seek < 15; seek += 1) {
      const second = Math.floor(random() * 319)
      await slider(page).fill(String(second * 1000 + 500))
      await expect(recordedPage(page).locator(`#${clockId}`)).toHaveText(String(second))
      await stock.evaluate(
        (at) => {
          const { showFresh } = window as never as { showFresh: (at: number) => void }
          showFresh(at)
        },
        second * 1000 + 501,
      )
      const shown = await recordedPage(page).locator(':root').evaluate(elementsIn)
      expect(shown).toEqual(await stock.frameLocator('iframe').locator(':root').evaluate(elementsIn))
      expect(shown.length).toBeGreaterThan(500)
    }
    await stock.close()
  },
)

type Replayer = { pause: (at: number) => void; destroy: () => void }

/** Gives a page a function that shows a time in a new replayer of rrweb's own. */
async function openStock(page: Page, events: readonly ReplayEvent[]): Promise<void> {
  await page.setContent('<!doctype html><body>')
  const dist = join(import.meta.dirname, '../node_modules/@rrweb/replay/dist')
  await page.addScriptTag({ path: join(dist, 'replay.umd.min.cjs') })
  await page.evaluate((text) => {
    const { rrwebReplay } = window as never as {
      rrwebReplay: { Replayer: new (events: unknown, config: object) => Replayer }
    }
    const recorded: unknown[] = JSON.parse(text)
    let replayer: Replayer | undefined
    Object.assign(window, {
      // A replayer that has been at another time sometimes keeps nodes that were removed.
      showFresh(at: number) {
        replayer?.destroy()
        replayer = new rrwebReplay.Replayer(recorded, { showWarning: false })
        replayer.pause(at)
      },
    })
  }, JSON.stringify(events))
}

/** Returns the elements of a document, with what a viewer sees of each. Runs in the browser. */
function elementsIn({ ownerDocument }: Element): string[] {
  return Array.from(ownerDocument.querySelectorAll<HTMLInputElement>('*'), (element) => {
    const texts = Array.from(element.childNodes, (node) => (node.nodeType === 3 ? node.textContent : '<>'))
    // rrweb marks what the pointer was over, and the player what had the focus.
    const attributes = Array.from(element.attributes, ({ name, value }): [string, string] => [
      name,
      name === 'class' ? value.replace(/\s*:hover/, '').trim() : value,
    ]).filter(([name, value]) => !name.startsWith('data-replayed-') && (name !== 'class' || value !== ''))
    const { tagName, value, checked, scrollTop } = element
    return JSON.stringify([tagName, attributes.toSorted(), value, checked, scrollTop, texts])
  })
}
