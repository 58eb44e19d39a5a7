import { expect, type Browser } from '@playwright/test'
import { readConfig } from '../src/service/config.ts'
import { withAdminStore } from '../src/service/store/accounts/admin-store.ts'
import type { ConformancePage } from './conformance/conformance-page.ts'
import { pages } from './conformance/pages.ts'
import { compare, percentMax, settledPicture } from './conformance/picture.ts'
import { openInSpool, pictureInSpool } from './conformance/replays.ts'
import { openSiteAssets } from './conformance/site-assets.ts'
import { recordCanvases, serveSite, type Site } from './conformance/site.ts'
import { visit } from './conformance/visit.ts'
import { test, type Tenant } from './journey.ts'
import { openPicture, savePicture } from './saved-picture.ts'
import { startService, type RunningService } from './service.ts'

/** Pages whose pictures differ from the player. */
const differing: Record<string, string> = {
  'external SVG sprite': 'the picture leaves out symbols of other files',
  'filters and blend modes': 'a filter of the backdrop stops at other elements',
  selection: 'the picture leaves out the selection',
  audio: 'the picture leaves out the controls of media',
  'fonts of scripts, light viewer': 'the picture leaves out fonts that scripts add',
  'fonts of scripts, dark viewer': 'the picture leaves out fonts that scripts add',
  'video file, light viewer': 'the picture leaves out the controls of media',
  'video file, dark viewer': 'the picture leaves out the controls of media',
}
const quick = new Set(['form', 'canvas 2D'])

type Setting = { browser: Browser; service: RunningService; tenant: Tenant; site: Site }

/** Visits a page and compares its picture as a file with the player's; `prepare` is called before it is replayed. */
async function pictureOf(
  page: ConformancePage,
  { browser, service, tenant, site }: Setting,
  prepare = async () => {},
) {
  const visited = await visit(browser, site, page, service, tenant)
  await prepare()
  const player = await openInSpool(browser, service, tenant, visited, page)
  await settledPicture(player)
  const svg = await savePicture(player)
  const shown = await pictureInSpool(player)
  const { screenshot, requested } = await openPicture(browser, svg, visited.size)
  await player.context().close()
  return { page: page.name, percent: compare(shown, screenshot).percent, requested }
}

test(
  'a picture of a moment shows the page like the player, and requests no other file',
  { tag: '@slow' },
  async ({ browser, service, tenant }) => {
    await recordCanvases(service, tenant)
    const site = await serveSite(pages, service, tenant)
    const chosen = pages.filter(({ name }) => quick.has(name))
    const pictures = await Promise.all(
      chosen.map((page) => pictureOf(page, { browser, service, tenant, site })),
    )
    expect(pictures).toHaveLength(quick.size)
    expect(pictures.filter(({ percent, requested }) => percent > percentMax || requested.length > 0)).toEqual(
      [],
    )
    site.stop()
  },
)

test(
  'pictures show all pages of the conformance set, with their images and fonts',
  { tag: '@slow' },
  async ({ browser }) => {
    test.setTimeout(900_000)
    // The vault in this process fetches the pages' files, because the service's vault never connects to loopback.
    const service = await startService({ env: { SPOOL_ROLES: 'serve' } })
    const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Pictures')
    await recordCanvases(service, tenant)
    const site = await serveSite(pages, service, tenant)
    const wrong: unknown[] = []
    await withAdminStore(readConfig({ SPOOL_DATA_DIR: service.dataDirectory }), async (store) => {
      const assets = await openSiteAssets(service, store, site)
      const rest = pages.filter(({ name }) => !(name in differing)).values()
      const compareRest = async () => {
        for (const page of rest) {
          const setting = { browser, service, tenant, site }
          const picture = await pictureOf(page, setting, assets.fetchAll)
          if (picture.percent > percentMax || picture.requested.length > 0) wrong.push(picture)
        }
      }
      await Promise.all([compareRest(), compareRest()])
      await assets.stop()
    })
    expect(wrong).toEqual([])
    site.stop()
    await service.stop()
  },
)
