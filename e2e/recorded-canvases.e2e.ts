import { expect, type Page } from '@playwright/test'
import { frameOf } from '../src/dashboard/recordings/reader/canvas-pictures.ts'
import type { RecordedEvent } from '../src/replay/recorded/rrweb.ts'
import type { ConformancePage } from './conformance/conformance-page.ts'
import { compare } from './conformance/picture.ts'
import { openInSpool, pictureInSpool } from './conformance/replays.ts'
import { recordCanvases, serveSite } from './conformance/site.ts'
import { visit } from './conformance/visit.ts'
import { test } from './journey.ts'

/** A page that fills a canvas with one colour, before the recorder starts. */
function filled(name: string, context: object, repeat: string): ConformancePage {
  return {
    name,
    body: `<canvas width="400" height="200"></canvas><script>
      const context = document.querySelector('canvas').getContext('webgl', ${JSON.stringify(context)})
      function draw() {
        context.clearColor(0.2, 0.5, 0.4, 1)
        context.clear(context.COLOR_BUFFER_BIT)
        ${repeat}
      }
      draw()
    </script>`,
  }
}

const blankPages = [
  filled('is transparent', {}, ''),
  // Without transparency, a blank picture is black.
  filled('is opaque', { alpha: false }, ''),
]
const recordedPages = [
  filled('keeps its buffer', { preserveDrawingBuffer: true }, ''),
  filled('draws every frame', {}, 'requestAnimationFrame(draw)'),
]

for (const [index, page] of [...blankPages, ...recordedPages].entries()) {
  const name = `the player says whether a WebGL canvas was recorded that is older than the recorder and ${page.name}`
  // `npm test` runs every second: one of each kind.
  test(name, { tag: index % 2 === 0 ? [] : '@slow' }, async ({ browser, service, tenant }) => {
    await recordCanvases(service, tenant)
    const site = await serveSite([page], service, tenant)
    const visited = await visit(browser, site, page, service, tenant)
    const isRecorded = recordedPages.includes(page)
    const player = await openInSpool(browser, service, tenant, visited, page)
    expect(await someGreen(player, visited.events)).toBe(isRecorded)
    const badge = player.getByRole('button', { name: isRecorded ? 'Complete' : '1 known gap' })
    await badge.click()
    await expect(player.getByText('1 canvas was not recorded.')).toBeVisible({ visible: !isRecorded })
    await player.keyboard.press('Escape')
    const { percent } = compare(visited.picture, await pictureInSpool(player))
    expect(percent > 0).toBe(!isRecorded)
    site.stop()
  })
}

/** Returns whether any recorded picture of a canvas has a green pixel. */
async function someGreen(page: Page, events: readonly RecordedEvent[]): Promise<boolean> {
  const pictures = events.flatMap((event) => {
    const [, snapshot] = /"rr_dataURL":"([^"]+)"/.exec(JSON.stringify(event.data)) ?? []
    return [snapshot ?? [], frameOf({ ...event, data: { ...(event.data as object) } }) ?? []].flat()
  })
  return await page.evaluate(async (urls) => {
    for (const src of urls) {
      const image = Object.assign(new Image(), { src })
      await image.decode()
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
      context?.drawImage(image, 0, 0)
      const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? []
      if (pixels.some((value, index) => index % 4 === 1 && value > 60)) return true
    }
    return false
  }, pictures)
}
