import { expect } from '@playwright/test'
import { pages } from './conformance/pages.ts'
import { compare, percentMax } from './conformance/picture.ts'
import { replayInSpool } from './conformance/replays.ts'
import { recordCanvases, serveSite } from './conformance/site.ts'
import { visit } from './conformance/visit.ts'
import { test } from './journey.ts'

for (const page of pages.filter(({ isFast }) => isFast))
  test(`a recorded page looks in the player as it did to its visitor: ${page.name}`, async ({
    browser,
    service,
    tenant,
  }) => {
    await recordCanvases(service, tenant)
    const site = await serveSite([page], service, tenant)
    const visited = await visit(browser, site, page, service, tenant)
    const replayed = await replayInSpool(browser, service, tenant, visited, page)
    expect(compare(visited.picture, replayed).percent).toBeLessThanOrEqual(percentMax)
    site.stop()
  })
