import { chromium, type Browser, type Page } from '@playwright/test'
import { installBrowser } from '../../.ci/install-browser.ts'
import type { Tenant } from '../journey.ts'
import type { RunningService } from '../service.ts'
import type { ConformancePage } from './conformance-page.ts'
import { settledPicture } from './picture.ts'
import type { Site } from './site.ts'
import type { Visit } from './visit.ts'

const badgeMsMax = 10_000

type Viewer = Pick<ConformancePage, 'viewer'>

/** Shows a visit in Spool's player, as large as it was recorded, and returns its picture. */
export async function replayInSpool(
  browser: Browser,
  service: RunningService,
  tenant: Tenant,
  visited: Visit,
  viewer: Viewer,
): Promise<Buffer> {
  const page = await openInSpool(browser, service, tenant, visited, viewer)
  const picture = await pictureInSpool(page)
  await page.context().close()
  return picture
}

/** Opens a visit in Spool's player, paused. */
export async function openInSpool(
  browser: Browser,
  { origin }: RunningService,
  { project_id, api_key }: Tenant,
  { session, at, size }: Visit,
  { viewer = 'light' }: Viewer,
): Promise<Page> {
  const url = `${origin}/api/projects/${project_id}/session_recordings/${session}/`
  const response = await fetch(url, { headers: { authorization: `Bearer ${api_key}` } })
  const { start_time: start } = (await response.json()) as { start_time: string }
  const page = await openPage(browser, size, viewer)
  await page.goto(`${origin}/recordings/${session}?t=${(at - Date.parse(start)) / 1000}#key=${api_key}`)
  await page.getByTitle('The recorded page').contentFrame().locator('iframe:visible').waitFor()
  return page
}

/** Whether the badge of an open player, which says what the recording lacks, contains a text within a time limit. */
export async function isInBadge(page: Page, text: string): Promise<boolean> {
  await page.getByRole('button', { name: /^(Complete|\d+ known gaps?)$/ }).click()
  const losses = page.locator('[popover]:popover-open', { hasText: text })
  const isFound = await losses.waitFor({ timeout: badgeMsMax }).then(
    () => true,
    () => false,
  )
  await page.keyboard.press('Escape')
  return isFound
}

/** Makes the picture of an open player as large as the window, and returns a screenshot of it. */
export async function pictureInSpool(page: Page): Promise<Buffer> {
  const frame = page.getByTitle('The recorded page')
  await frame.evaluate((element) => {
    element.style.cssText = 'position: fixed; inset: 0; width: 100vw; height: 100vh; z-index: 1000'
  })
  await frame
    .contentFrame()
    .locator('body')
    .evaluate(() =>
      document.styleSheets[0]?.insertRule('.replayer-mouse, .replayer-mouse-tail { visibility: hidden }'),
    )
  return await settledPicture(page)
}

/** Shows a visit in the stock player, and returns its picture. */
export async function replayInStock(
  browser: Browser,
  { origin }: Site,
  { events, at, size }: Visit,
  { viewer = 'light' }: Viewer,
): Promise<Buffer> {
  const page = await openPage(browser, size, viewer)
  await page.goto(`${origin}/stock`)
  await page.evaluate(
    ({ events, offset, size }) => {
      type Player = { goto(offset: number, isPlaying: boolean): void }
      const { rrwebPlayer } = window as unknown as {
        rrwebPlayer: { Player: new (options: object) => Player }
      }
      const props = { events, ...size, autoPlay: false, showController: false, UNSAFE_replayCanvas: true }
      new rrwebPlayer.Player({ target: document.body, props }).goto(offset, false)
    },
    // rrweb applies only events before the offset.
    { events, offset: at - (events[0]?.timestamp ?? 0) + 1, size },
  )
  const picture = await settledPicture(page)
  await page.context().close()
  return picture
}

async function openPage(
  browser: Browser,
  viewport: Visit['size'],
  colorScheme: 'light' | 'dark',
): Promise<Page> {
  // Unlike emulation, this option leaves frames the choice of another scheme.
  const args = ['--blink-settings=preferredColorScheme=0', '--no-sandbox', '--disable-gpu']
  const dark = colorScheme === 'dark' && (await chromium.launch({ executablePath: installBrowser(), args }))
  // With reduced motion, Spool's player does not start by itself.
  const options = { viewport, colorScheme: null, reducedMotion: 'reduce' } as const
  const context = await (dark || browser).newContext(options)
  if (dark) context.on('close', () => void dark.close())
  return context.newPage()
}
