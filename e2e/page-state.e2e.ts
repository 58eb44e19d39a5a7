import { chromium, expect, type Browser, type Page } from '@playwright/test'
import { installBrowser } from '../.ci/install-browser.ts'
import { serveSite } from './conformance/site.ts'
import { isRecording } from './is-recording.ts'
import { signIn, test, type Tenant } from './journey.ts'
import { recordedPage } from './recorded-shop.ts'
import type { RunningService } from './service.ts'

const gold = 'rgb(255, 215, 0)'
const black = 'rgb(0, 0, 0)'
const themed = `<style>:root { color-scheme: light dark } @media (prefers-color-scheme: dark) { h1 { color: gold } }</style>`

const contrasted = `<style>@media (prefers-contrast: more) { h1 { color: gold } } @media (prefers-contrast: no-preference) { h1 { color: black } }</style>`

/** A recorded visit, with the moments that its acts returned, in milliseconds since the start. */
type Visit = { session: string; moments: number[] }

type Visited = { head?: string; body: string; colorScheme?: 'dark'; contrast?: 'more' }

/** Records a visit of a page; `act` acts as the visitor, and calls \`mark\` between the steps. */
async function record(
  browser: Browser,
  service: RunningService,
  tenant: Tenant,
  { head = '', body, ...preferences }: Visited,
  act: (page: Page, mark: () => Promise<void>) => Promise<void>,
): Promise<Visit> {
  const recorded = { name: 'state', head, body }
  const site = await serveSite([recorded], service, tenant)
  const page = await browser.newPage({ colorScheme: 'light', ...preferences })
  await page.goto(site.url(recorded))
  await page.waitForFunction(isRecording)
  await page.mouse.click(600, 600)
  const times: number[] = []
  // The player's slider has steps of 100 ms.
  const mark = async () => {
    const time = await page.evaluate(() => Date.now())
    await page.waitForFunction((time) => Date.now() > time + 400, time)
    times.push(time + 200)
  }
  await act(page, mark)
  await page.evaluate(() => console.log('the end'))
  const session = await page.evaluate(() =>
    (window as unknown as { posthog: { get_session_id(): string } }).posthog.get_session_id(),
  )
  const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${session}/`
  const headers = { authorization: `Bearer ${tenant.api_key}` }
  const stored = async () => {
    const { sources = [] } = await (await fetch(`${url}snapshots/`, { headers })).json()
    const last = sources.at(-1)?.blob_key
    const query = `source=blob_v2&start_blob_key=0&end_blob_key=${last}`
    return last === undefined ? '' : await (await fetch(`${url}snapshots/?${query}`, { headers })).text()
  }
  await expect.poll(stored, { timeout: 60_000 }).toContain('the end')
  await page.close()
  site.stop()
  const { start_time: start } = await (await fetch(url, { headers })).json()
  return { session, moments: times.map((time) => time - Date.parse(start)) }
}

/** Opens the player, paused; a browser without an emulated color scheme lets frames have another one. */
async function open(
  browser: Browser,
  service: RunningService,
  { api_key }: Tenant,
  { session }: Visit,
): Promise<Page> {
  const page = await browser.newPage({ colorScheme: null, reducedMotion: 'reduce' })
  await signIn(page, service, api_key, `/recordings/${session}`)
  return page
}

async function seekTo(page: Page, moment: number | undefined): Promise<void> {
  const step = Math.floor((moment ?? 0) / 100) * 100
  await page.getByRole('slider', { name: 'Playback position' }).fill(String(step))
}

/** Turns the addition off, as in the settings. */
async function turnOff({ origin }: RunningService, { project_id, api_key }: Tenant): Promise<void> {
  await fetch(`${origin}/api/projects/${project_id}/recording_settings/`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ page_state: false }),
  })
}

test('a dark visit plays dark for a light viewer, and changes with the visitor’s color scheme', async ({
  browser,
  service,
  tenant,
}) => {
  const visit = await record(
    browser,
    service,
    tenant,
    { head: themed, body: '<h1>Lamps</h1>', colorScheme: 'dark' },
    async (page, mark) => {
      await mark()
      await page.emulateMedia({ colorScheme: 'light' })
      await mark()
    },
  )
  const page = await open(browser, service, tenant, visit)
  const [darkAt, lightAt] = visit.moments
  const heading = recordedPage(page).getByRole('heading', { name: 'Lamps' })
  for (const [moment, color] of [
    [darkAt, gold],
    [lightAt, black],
    [darkAt, gold],
  ] as const) {
    await seekTo(page, moment)
    await expect(heading).toHaveCSS('color', color)
  }
  await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible()
})

test('a visit with more contrast plays with more contrast, and changes with the visitor’s setting', async ({
  browser,
  service,
  tenant,
}) => {
  const visit = await record(
    browser,
    service,
    tenant,
    { head: contrasted, body: '<h1>Lamps</h1>', contrast: 'more' },
    async (page, mark) => {
      await mark()
      await page.emulateMedia({ contrast: 'no-preference' })
      await mark()
    },
  )
  const page = await open(browser, service, tenant, visit)
  const [moreAt, usualAt] = visit.moments
  const heading = recordedPage(page).getByRole('heading', { name: 'Lamps' })
  for (const [moment, color] of [
    [moreAt, gold],
    [usualAt, black],
    [moreAt, gold],
  ] as const) {
    await seekTo(page, moment)
    await expect(heading).toHaveCSS('color', color)
  }
  // Playing passes the change.
  await page.keyboard.press(' ')
  await expect(heading).toHaveCSS('color', black)
  await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible()
})

test('a light visit plays light for a dark viewer; without the addition, the badge says what is unknown', async ({
  browser,
  service,
  tenant,
}) => {
  await turnOff(service, tenant)
  const body = '<h1>Lamps</h1>'
  const head = themed + contrasted
  const visit = await record(browser, service, tenant, { head, body }, async () => undefined)
  // Unlike emulation, this option leaves frames the choice of another scheme.
  const args = ['--blink-settings=preferredColorScheme=0', '--no-sandbox', '--disable-gpu']
  const dark = await chromium.launch({ executablePath: installBrowser(), args })
  const page = await open(dark, service, tenant, visit)
  expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
  await expect(recordedPage(page).getByRole('heading', { name: 'Lamps' })).toHaveCSS('color', black)
  await page.getByRole('button', { name: '2 known gaps' }).click()
  await expect(page.getByText('The visitor’s color scheme is unknown')).toBeVisible()
  await expect(page.getByText('The visitor’s contrast setting is unknown')).toBeVisible()
  await dark.close()
})

const note = `<p>Behind</p><button popovertarget="note"><b>Open</b></button><div popover id="note">A note</div>
  <dialog><p>A question</p><div popover="manual" id="hint">A hint</div></dialog>`

test('plays popovers and dialogs as they were open, in their order, also after seeking back', async ({
  browser,
  service,
  tenant,
}) => {
  const visit = await record(browser, service, tenant, { body: note }, async (page, mark) => {
    await mark()
    await page.evaluate(() => document.querySelector<HTMLElement>('#note')?.showPopover())
    await mark()
    await page.evaluate(() => {
      document.querySelector('dialog')?.showModal()
      document.querySelector<HTMLElement>('#hint')?.showPopover()
    })
    await mark()
  })
  const page = await open(browser, service, tenant, visit)
  const [before, noted, asked] = visit.moments
  const recorded = recordedPage(page)
  const shows = async (moment: number | undefined, texts: string[]) => {
    await seekTo(page, moment)
    for (const text of ['A note', 'A question', 'A hint'])
      await expect(recorded.getByText(text)).toBeVisible({ visible: texts.includes(text) })
  }
  await shows(asked, ['A question', 'A hint'])
  await shows(noted, ['A note'])
  await shows(before, [])
  await shows(noted, ['A note'])
  await shows(asked, ['A question', 'A hint'])
  await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible()
})

test('without the addition, clicks show which popovers their buttons opened', async ({
  browser,
  service,
  tenant,
}) => {
  await turnOff(service, tenant)
  const visit = await record(browser, service, tenant, { body: note }, async (page, mark) => {
    await mark()
    await page.getByText('Open').click()
    await mark()
    await page.getByText('Behind').click()
    await mark()
  })
  const page = await open(browser, service, tenant, visit)
  const text = recordedPage(page).getByText('A note')
  const [before, opened, closed] = visit.moments
  for (const [moment, visible] of [
    [closed, false],
    [opened, true],
    [before, false],
    [opened, true],
  ] as const) {
    await seekTo(page, moment)
    await expect(text).toBeVisible({ visible })
  }
  // Playing passes the click that closes it.
  await page.keyboard.press(' ')
  await expect(text).toBeHidden()
  await page.getByRole('button', { name: '1 known gap' }).click()
  await expect(page.getByText('Popovers are shown only where')).toBeVisible()
})

test('plays animations of scripts as they went on, also after seeking back', async ({
  browser,
  service,
  tenant,
}) => {
  const visit = await record(browser, service, tenant, { body: '<p>A lamp</p>' }, async (page, mark) => {
    const lamp = page.getByText('A lamp')
    await mark()
    await lamp.evaluate((element) => {
      // One that the player's browser refuses does not stop the others.
      const { effect } = element.animate({ width: ['1px', '2px'] }, 4_000)
      Object.assign(effect ?? {}, { getTiming: () => ({ duration: -1 }) })
      element.animate({ opacity: [0, 1] }, 4_000)
    })
    await mark()
    await mark()
    await lamp.evaluate((element) =>
      element.getAnimations().forEach((animation) => {
        animation.pause()
        animation.currentTime = 3_600
      }),
    )
    await mark()
    await lamp.evaluate((element) => element.getAnimations().forEach((animation) => animation.cancel()))
    await mark()
  })
  const page = await open(browser, service, tenant, visit)
  const lamp = recordedPage(page).getByText('A lamp')
  const [before, early = 0, late = 0, paused, after] = visit.moments
  const opacity = () => lamp.evaluate((element) => Number(getComputedStyle(element).opacity))
  const since = (late - early) / 4_000
  for (const [moment, value] of [
    [paused, 0.9],
    [before, 1],
    [late, since + 0.05],
    [early, 0.05],
    [after, 1],
    [early, 0.05],
  ] as const) {
    await seekTo(page, moment)
    await expect.poll(opacity).toBeCloseTo(value, 1)
  }
  // Playing moves it by the clock of the replay.
  await page.keyboard.press(' ')
  await expect.poll(opacity, { intervals: [50] }).toBeCloseTo(since + 0.05, 1)
  await expect.poll(opacity, { intervals: [50] }).toBeCloseTo(0.9)
})

test('adds each font of a script once, however often it is shown', async ({ browser, service, tenant }) => {
  const visit = await record(browser, service, tenant, { body: '<p>A lamp</p>' }, async (page, mark) => {
    await mark()
    await page.evaluate(() => document.fonts.add(new FontFace('Lamp', 'local(Arial)')))
    await mark()
  })
  const page = await open(browser, service, tenant, visit)
  const fonts = () =>
    recordedPage(page)
      .locator('body')
      .evaluate(() => [...document.fonts].filter(({ family }) => family === 'Lamp').length)
  const [before, after] = visit.moments
  for (const moment of [after, before, after, before, after]) {
    await seekTo(page, moment)
    await expect.poll(fonts).toBe(1)
  }
})

test('marks the part that the address names', async ({ browser, service, tenant }) => {
  const head = '<style>h2:target { color: gold }</style>'
  const body = '<a href="#brass">To brass</a><h2 id="brass">Brass</h2>'
  const visit = await record(browser, service, tenant, { head, body }, async (page, mark) => {
    await mark()
    await page.getByText('To brass').click()
    await mark()
  })
  const page = await open(browser, service, tenant, visit)
  const heading = recordedPage(page).getByRole('heading', { name: 'Brass' })
  const [before, after] = visit.moments
  for (const [moment, color] of [
    [after, gold],
    [before, black],
    [after, gold],
  ] as const) {
    await seekTo(page, moment)
    await expect(heading).toHaveCSS('color', color)
  }
})
