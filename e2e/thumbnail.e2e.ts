import { expect, type Frame, type Page } from '@playwright/test'
import { signIn, test } from './journey.ts'
import { describedRecordings, element, pageShown, sendSession } from './recorded-session.ts'

const count = 12
/** Most pictures that may exist at a time. */
const picturesMax = 10

declare global {
  /** Animation frames that a document has asked for. */
  var framesAsked: number | undefined
}

test(
  'roomy rows show a picture while they are in view, which takes no processor time once it is shown',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await page.addInitScript(() => {
      const ask = requestAnimationFrame
      globalThis.requestAnimationFrame = (callback) => {
        globalThis.framesAsked = (globalThis.framesAsked ?? 0) + 1
        return ask(callback)
      }
    })
    const start = Date.now() - 3_600_000
    await Promise.all(
      Array.from({ length: count }, (_, number) => {
        const body = [element('h1', {}, `Page ${number}`)]
        return sendSession(service, tenant, pageShown(start + number * 60_000, { body }))
      }),
    )
    await expect.poll(() => describedRecordings(service, tenant), { timeout: 30_000 }).toBe(count)
    await signIn(page, service, tenant.api_key, '/recordings')
    await page.getByRole('button', { name: 'Comfortable rows' }).click()
    const rows = page.locator('tbody tr')
    const newest = rows.filter({ hasText: 'The page at' }).first()
    await expect(headingIn(newest)).toHaveText(`Page ${count - 1}`)
    await expect(headingIn(rows.nth(3))).toHaveText(`Page ${count - 4}`)

    await expect.poll(() => framesAskedWhile(page, 10)).toBe(0)

    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 10_000)
    await expect(headingIn(rows.last())).toHaveText('Page 0')
    await expect(page.frameLocator('iframe').getByText(`Page ${count - 1}`)).toHaveCount(0)
    expect(await page.getByTitle('The recorded page').count()).toBeLessThanOrEqual(picturesMax)
  },
)

function headingIn(row: ReturnType<Page['locator']>) {
  return row.frameLocator('iframe').frameLocator('iframe').getByRole('heading')
}

/** Counts the animation frames that the pictures ask for while the dashboard paints this number of frames. */
async function framesAskedWhile(page: Page, painted: number): Promise<number> {
  const players = page.frames().filter((frame) => frame.url().includes('/player.html'))
  const asked = async () => {
    const counts = await Promise.all(
      players.map((frame: Frame) => frame.evaluate(() => globalThis.framesAsked ?? 0)),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
  const before = await asked()
  await page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame)
  }, painted)
  return (await asked()) - before
}
