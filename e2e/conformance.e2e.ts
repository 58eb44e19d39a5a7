import { expect } from '@playwright/test'
import { pages } from './conformance/pages.ts'
import { compare, percentMax } from './conformance/picture.ts'
import { replayInSpool } from './conformance/replays.ts'
import { recordCanvases, serveSite } from './conformance/site.ts'
import { visit } from './conformance/visit.ts'
import { test } from './journey.ts'

test('recorded pages look in the player as they did to their visitors', async ({
  browser,
  service,
  tenant,
}) => {
  await recordCanvases(service, tenant)
  const site = await serveSite(pages, service, tenant)
  const difference = async (page: (typeof pages)[number]) => {
    const visited = await visit(browser, site, page, service, tenant)
    const replayed = await replayInSpool(browser, service, tenant, visited, page)
    return { page: page.name, percent: compare(visited.picture, replayed).percent }
  }
  const differences = await Promise.all(pages.filter(({ isFast }) => isFast).map(difference))
  expect(differences.length).toBeGreaterThanOrEqual(8)
  expect(differences.filter(({ percent }) => percent > percentMax)).toEqual([])
  site.stop()
})
