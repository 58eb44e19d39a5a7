import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import type { Size } from '../src/replay/recorded/rrweb.ts'
import { settledPicture } from './conformance/picture.ts'

/** Saves the picture of the moment that a player shows, and returns the text of the file. */
export async function savePicture(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Picture of this moment (SVG)' }).click()
  return await readFile(await (await download).path(), 'utf8')
}

/** Opens an SVG alone, and returns a screenshot of it and the URLs that it requested. */
export async function openPicture(browser: Browser, svg: string, viewport: Size) {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  const address = 'http://picture.invalid/'
  const requested: string[] = []
  await context.route(/^/, (route) => {
    const url = route.request().url()
    if (url === address) return route.fulfill({ contentType: 'image/svg+xml', body: svg })
    if (!url.startsWith('data:')) requested.push(url)
    return route.abort()
  })
  await page.goto(address)
  const screenshot = await settledPicture(page)
  const hasScripts = await page.evaluate(
    () => document.querySelectorAll('script, iframe, object, embed').length,
  )
  await context.close()
  return { screenshot, requested, hasScripts: hasScripts > 0 }
}
