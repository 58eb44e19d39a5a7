import { setTimeout } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** Largest share of pixels (percent) that may differ if the recorder can record the whole page. */
export const percentMax = 0.5
const stillMsMin = 250
const picturesMax = 30

/** Returns a screenshot of the window or an element once two in a row are equal. */
export async function settledPicture(page: Page | Locator): Promise<Buffer> {
  let last = await page.screenshot()
  for (let taken = 1; taken < picturesMax; taken += 1) {
    await setTimeout(stillMsMin)
    const next = await page.screenshot()
    if (next.equals(last)) return next
    last = next
  }
  return last
}

/** Returns the share of pixels that differ, in percent, and a picture of them. Pictures of different sizes differ entirely. */
export function compare(one: Buffer, other: Buffer): { percent: number; picture: Buffer } {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)]
  const { width, height } = a
  if (b.width !== width || b.height !== height) return { percent: 100, picture: other }
  const difference = new PNG({ width, height })
  const count = pixelmatch(a.data, b.data, difference.data, width, height, { threshold: 0.1 })
  return { percent: (100 * count) / (width * height), picture: PNG.sync.write(difference) }
}
