import { gzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { RecordingLink } from '../src/contract/recordings/sharing.ts'
import { createExport, hoursAgo, rowWith, signIn, test } from './journey.ts'
import { element, pageShown, sendSession } from './recorded-session.ts'

/** Bytes of JavaScript in the first load, gzipped: of the list of exports; of a recording and of a shared one, with the player. */
const scriptBytesMax = 150_000
const recordingScriptBytesMax = 315_000
const sharedScriptBytesMax = 180_000
const requestsMax = 12
const minutes = 5

test('the first load of the exports needs at most 150 kB of JavaScript and 12 requests', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  const scriptBytes = countScripts(page)
  await signIn(page, service, tenant.api_key)
  await expect(rowWith(page, 'Orders')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const bytes = await scriptBytes()
  console.log(`/exports: ${bytes} bytes of JavaScript, ${requests.length} requests`)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(scriptBytesMax)
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(requestsMax)
})

test('a recording opened by its address is shown with at most 315 kB of JavaScript, before any schemas load', async ({
  page,
  service,
  tenant,
}) => {
  const heading = element('h1', {}, 'The recorded page')
  const session = await sendSession(service, tenant, pageShown(Date.now() - 600_000, { body: [heading] }))
  const scriptBytes = countScripts(page)
  await page.goto(`${service.origin}/recordings/${session}#key=${tenant.api_key}`)
  const recorded = page.frameLocator('iframe').frameLocator('iframe')
  await expect(recorded.getByText('The recorded page')).toBeVisible()
  const bytes = await scriptBytes()
  console.log(`/recordings/:id: ${bytes} bytes of JavaScript`)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(recordingScriptBytesMax)
})

test('a shared recording needs at most 180 kB of JavaScript, its player included', async ({
  page,
  service,
  tenant,
}) => {
  const start = Date.now() - 600_000
  const heading = element('h1', {}, 'The shared page')
  const session = await sendSession(service, tenant, pageShown(start, { body: [heading] }))
  const created = await fetch(
    `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${session}/links/`,
    { method: 'POST', headers: { authorization: `Bearer ${tenant.api_key}` } },
  )
  const { access_token: token } = RecordingLink.parse(await created.json())
  const scriptBytes = countScripts(page)
  await page.goto(`${service.origin}/shared/${token}`)
  const recorded = page.frameLocator('iframe').frameLocator('iframe')
  await expect(recorded.getByText('The shared page')).toBeVisible()
  const bytes = await scriptBytes()
  console.log(`/shared: ${bytes} bytes of JavaScript`)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(sharedScriptBytesMax)
})

/** Returns a function that adds up the sizes of the scripts that the page has loaded since, gzipped. */
function countScripts(page: Page): () => Promise<number> {
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return
    scripts.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  return async () => (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
}

test('two idle tabs together poll the service at most four times a minute, and show the same data', async ({
  context,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  let polls = 0
  context.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) polls++
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
  polls = 0
  for (let passed = 0; passed < minutes * 60_000; passed += 3_000) await context.clock.runFor(3_000)
  expect(polls).toBeGreaterThan(2 * minutes)
  // One poll may have started before the first minute.
  expect(polls).toBeLessThanOrEqual(4 * minutes + 1)
  for (const tab of tabs) await expect(rowWith(tab, 'Returns')).toBeVisible()
})

test('a hidden tab does not poll, and a throttled tab waits as long as the service asks', async ({
  page,
  service,
  tenant,
}) => {
  await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
  await page.clock.install()
  await signIn(page, service, tenant.api_key)
  await expect(rowWith(page, 'Orders')).toBeVisible()
  await page.waitForLoadState('networkidle')
  let polls = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) polls++
  })
  await becomeVisible(page, 'hidden')
  await page.clock.runFor(120_000)
  expect(polls).toBe(0)
  await becomeVisible(page, 'visible')
  await expect.poll(() => polls).toBeGreaterThan(0)
  await page.waitForLoadState('networkidle')

  const detail = 'Too many requests.'
  const json = { type: 'throttled_error', code: 'throttled', detail, attr: null, request_id: 'request-4711' }
  await page.route('**/overview/', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '180' }, json }),
  )
  const refusal = page.waitForResponse((response) => response.status() === 429)
  await page.clock.runFor(20_000)
  await refusal
  await expect(page.getByText(detail)).toBeVisible()
  await page.unroute('**/overview/')
  polls = 0
  await page.clock.runFor(150_000)
  expect(polls).toBe(0)
  await page.clock.runFor(60_000)
  await expect.poll(() => polls).toBeGreaterThan(0)
  await expect(page.getByText(detail)).toHaveCount(0)
})

/** Makes the page believe that its tab is now hidden or visible. */
async function becomeVisible(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
