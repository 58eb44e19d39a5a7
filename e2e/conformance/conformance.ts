import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { installBrowser } from '../../.ci/install-browser.ts'
import { readConfig } from '../../src/service/config.ts'
import { withAdminStore } from '../../src/service/store/accounts/admin-store.ts'
import type { Store } from '../../src/service/store/schema/database.ts'
import { compareVersions } from './conformance-versions.ts'
import type { ConformancePage } from './conformance-page.ts'
import { buildLibraries } from './library-assets.ts'
import { libraryPages } from './library-pages.ts'
import { pages as ownPages } from './pages.ts'
import { compare, percentMax } from './picture.ts'
import { isInBadge, openInSpool, pictureInSpool, replayInStock } from './replays.ts'
import { openSiteAssets, type SiteAssets } from './site-assets.ts'
import { recordCanvases, serveSite, type Site } from './site.ts'
import { recordFilm } from './record-film.ts'
import { visit, type Visit } from './visit.ts'
import type { Tenant } from '../journey.ts'
import { startService } from '../service.ts'
import { cleanUpAtEnd } from '../../.ci/clean-up-at-end.ts'

/*
 * Records small pages with posthog-js, each with one feature, and compares their replay in Spool and in the stock
 * rrweb-player with the original. Arguments select the pages whose name contains one of them: `library:` those of UI
 * libraries. Without arguments, or with `versions`, also captures a visit with each version of posthog-js.
 */

/** `limit`: what the recorder cannot record; the row may then differ. */
type Row = { name: string; spool: number; stock: number; problem: string; limit?: string | undefined }
type Setting = { site: Site; assets: SiteAssets; tenant: Tenant }

/** Differences (percent) that nobody sees; the players may round a pixel differently. */
const tolerance = 0.02
const atOnce = 3
const folder = resolve(import.meta.dirname, '../../test-results/conformance')

cleanUpAtEnd()
const words = process.argv.slice(2)
const pages = [...ownPages, ...libraryPages]
const chosen = pages.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
// The vault in this process fetches the pages' files, because the service's vault never connects to loopback.
const service = await startService({ env: { SPOOL_ROLES: 'serve' } })
const args = ['--no-sandbox', '--enable-unsafe-swiftshader', '--autoplay-policy=no-user-gesture-required']
const browser = await chromium.launch({ executablePath: installBrowser(), args })
try {
  const rows = await withAdminStore(readConfig({ SPOOL_DATA_DIR: service.dataDirectory }), measureAll)
  const table = tableOf(rows)
  console.log(table)
  await writeFile(join(folder, 'table.txt'), table)
  await writeFile(join(folder, 'index.html'), pictureList(rows))
  const compared =
    words.length === 0 || words.includes('versions') ? await compareVersions(browser, service, folder) : []
  for (const { version, missing } of compared)
    console.log(`posthog-js ${version}: ${missing || 'captures everything'}`)
  const isWrong = rows.some(({ problem }) => problem !== '') || compared.some(({ missing }) => missing !== '')
  process.exitCode = isWrong ? 1 : 0
} finally {
  await browser.close()
  await service.stop()
}

async function measureAll(store: Store): Promise<Row[]> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Conformance')
  await recordCanvases(service, tenant)
  const film = { '/film.webm': { type: 'video/webm', body: await recordFilm(browser) } }
  const libraries = chosen.some((page) => libraryPages.includes(page)) ? await buildLibraries() : {}
  const site = await serveSite(pages, service, tenant, { ...film, ...libraries })
  const assets = await openSiteAssets(service, store, site)
  const rows: Row[] = []
  const rest = chosen.values()
  const measureRest = async () => {
    for (const page of rest) rows.push(await measure(page, { site, assets, tenant }))
  }
  await Promise.all(Array.from({ length: atOnce }, measureRest))
  await assets.stop()
  site.stop()
  return rows.toSorted((one, other) => indexOf(one) - indexOf(other))
}

function indexOf({ name }: Row): number {
  return pages.findIndex((page) => page.name === name)
}

async function measure(page: ConformancePage, { site, assets, tenant }: Setting): Promise<Row> {
  const { name } = page
  try {
    const visited = await visit(browser, site, page, service, tenant)
    await assets.fetchAll()
    const player = await openInSpool(browser, service, tenant, visited, page)
    const limit = (await isProven(page, visited, player)) ? page.limit : undefined
    const ours = await pictureInSpool(player)
    await player.context().close()
    const stocks = await replayInStock(browser, site, visited, page)
    const [spool, stock] = [compare(visited.picture, ours), compare(visited.picture, stocks)]
    const pictures = { original: visited.picture, spool: ours, stock: stocks, difference: spool.picture }
    for (const [kind, picture] of Object.entries(pictures))
      await writeFile(join(folder, file(name, kind)), picture)
    const isWorse = spool.percent > stock.percent + tolerance
    const note = spool.percent > percentMax ? `more than ${percentMax} %` : isWorse ? 'more than stock' : ''
    return {
      name,
      spool: spool.percent,
      stock: stock.percent,
      problem: limit === undefined ? note : '',
      limit,
    }
  } catch (error) {
    console.error(name, error)
    return { name, spool: 100, stock: 100, problem: 'could not be measured' }
  }
}

/** Whether what a page says to prove its limit holds. */
async function isProven({ proof }: ConformancePage, { events }: Visit, player: Page): Promise<boolean> {
  if (proof?.absent.test(JSON.stringify(events))) return false
  return proof?.badge === undefined || (await isInBadge(player, proof.badge))
}

function tableOf(rows: readonly Row[]): string {
  const line = (name: string, spool: string, stock: string, note: string) =>
    `${name.padEnd(40)} ${spool.padStart(9)} ${stock.padStart(9)}  ${note}`.trimEnd()
  return [
    line('Page', 'Spool', 'stock', ''),
    ...rows.map(({ name, spool, stock, problem, limit = problem }) =>
      line(name, percent(spool), percent(stock), limit),
    ),
    '',
  ].join('\n')
}

function percent(value: number): string {
  return `${value.toFixed(2)} %`
}

function file(name: string, kind: string): string {
  return `${name.replaceAll(/[^\w]+/g, '-').toLowerCase()}-${kind}.png`
}

/** Builds a page with the pictures of all rows. */
function pictureList(rows: readonly Row[]): string {
  const kinds = ['original', 'spool', 'stock', 'difference']
  const sections = rows.map(({ name, spool, stock, problem }) => {
    const pictures = kinds.map(
      (kind) =>
        `<figure><img alt="" width="320" src="${file(name, kind)}"><figcaption>${kind}</figcaption></figure>`,
    )
    return `<h2>${name}</h2><p>Spool ${percent(spool)}, stock ${percent(stock)} ${problem}</p><div>${pictures.join('')}</div>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Conformance</title><style>div { display: flex } figure { margin: 4px } img { border: 1px solid #888 }</style>${sections.join('\n')}`
}
