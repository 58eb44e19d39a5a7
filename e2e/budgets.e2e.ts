import { gzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
import { createExport, hoursAgo, rowWith, signIn, test } from './journey.ts'

const mostBytes = 165_000
const mostRequests = 15
const minutes = 5

test('the first load of the exports takes 165 kB of JavaScript and 15 requests at most', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  const requests: string[] = []
  const scripts: Promise<number>[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    scripts.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  await signIn(page, service, tenant.api_key)
  await expect(rowWith(page, 'Orders')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
  console.log(`/exports: ${bytes} bytes of JavaScript, ${requests.length} requests`)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(mostBytes)
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(mostRequests)
})

test('two tabs that rest look at the service four times a minute together, and show the same', async ({
  context,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  let looks = 0
  context.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) looks++
  })
  const tabs = [await context.newPage(), await context.newPage()]
  const start = Date.now()
  await context.clock.install({ time: start })
  for (const tab of tabs) {
    await signIn(tab, service, tenant.api_key)
    await expect(rowWith(tab, 'Orders')).toBeVisible()
  }
  await context.clock.pauseAt(start + 60_000)
  await createExport(service, tenant, { name: 'Returns', end_at: hoursAgo(0) })
  looks = 0
  for (let passed = 0; passed < minutes * 60_000; passed += 3_000) await context.clock.runFor(3_000)
  expect(looks).toBeGreaterThan(2 * minutes)
  // One may have begun before the first minute.
  expect(looks).toBeLessThanOrEqual(4 * minutes + 1)
  for (const tab of tabs) await expect(rowWith(tab, 'Returns')).toBeVisible()
})
