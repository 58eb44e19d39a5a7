import { addFilter } from './add-filter.ts'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { isRecording } from './is-recording.ts'
import { expectAccessible, signIn, test, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

const secret = 'tr0ub4dor'

/** Serves a page whose sign-in fails, recorded with headers and bodies. The page's own mask removes nothing. */
async function serveSignIn(apiHost: string, token: string): Promise<{ url: string; stop(): void }> {
  const html = `<!doctype html><title>Sign in</title><h1>Sign in</h1>
    <button onclick="signIn()">Sign in</button>
    <script>
      async function signIn() {
        console.log('%cShop%c opened', 'color: rgb(0, 90, 0); position: fixed', '', { cart: { items: ['Brass lamp'] } })
        await fetch('/api/lamps')
        await fetch('/api/login?access_token=${secret}', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-pin': '${secret}' },
          body: JSON.stringify({ user: 'ada', password: '${secret}' }),
        })
        console.error(new TypeError('The visitor is unknown'))
      }
      window.posthog = []; posthog._i = []; posthog.__SV = 1
      posthog.init = (token, options, name) => posthog._i.push([token, options, name])
      posthog.init('${token}', { api_host: '${apiHost}', opt_out_useragent_filter: true,
        session_recording: { maskCapturedNetworkRequestFn: (request) => request } })
    </script>
    <script src="${apiHost}/static/array.js"></script>
    <script>posthog.sessionRecording._forceAllowLocalhostNetworkCapture = true</script>`
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
      return
    }
    response.setHeader('content-type', 'application/json')
    if (request.url?.startsWith('/api/login')) {
      response.statusCode = 401
      response.end(JSON.stringify({ error: 'denied', session: { refresh_token: secret } }))
    } else response.end('[]')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
}

function apiOf(service: RunningService, tenant: Tenant) {
  const url = `${service.origin}/api/projects/${tenant.project_id}/`
  const headers = { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' }
  return (path: string, init?: RequestInit) => fetch(url + path, { headers, ...init })
}

/** Visits the page until its failed request is stored; returns the session. */
async function visit(page: Page, url: string, api: ReturnType<typeof apiOf>): Promise<string> {
  await page.goto(url)
  await page.waitForFunction(isRecording)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const session = await page.evaluate(() =>
    (window as unknown as { posthog: { get_session_id(): string } }).posthog.get_session_id(),
  )
  const counts = async () => {
    const recording: Record<string, unknown> = await (await api(`session_recordings/${session}/`)).json()
    return [recording['failed_request_count'], recording['console_error_count']]
  }
  await expect.poll(counts, { timeout: 15_000 }).toEqual([1, 1])
  return session
}

test('a failed request is found in the list, and shown without its secrets, which are not stored', async ({
  page,
  browser,
  service,
  tenant,
}) => {
  const api = apiOf(service, tenant)
  const body = JSON.stringify({ network_headers: true, network_bodies: true })
  expect((await api('recording_settings/', { method: 'PATCH', body })).status).toBe(200)
  const shop = await serveSignIn(service.origin, tenant.project_token)
  const visitor = await browser.newPage()
  const session = await visit(visitor, shop.url, api)
  await visitor.close()
  shop.stop()
  const path = `session_recordings/${session}/snapshots/?source=blob_v2`
  const stored = await (await api(`${path}&start_blob_key=0&end_blob_key=0`)).text()
  expect(stored).toContain('/api/login?access_token=[redacted]')
  expect(stored).not.toContain(secret)

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, service, tenant.api_key, '/recordings')
  await addFilter(page, 'Failed request’s host', '127.0.0.1')
  await addFilter(page, 'Failed request’s status', '404')
  await expect(page.getByText('No recordings match the filters')).toBeVisible()
  await addFilter(page, 'Failed request’s status', '401')
  await page.getByRole('table').getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(session))

  await expectRequests(page)
  await expectConsole(page)
  await expectErrorKeys(page)
})

/** Expects the failed request in the network tab without its secrets, also in what is copied and downloaded. */
async function expectRequests(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Network' }).click()
  const requests = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
  await expect(requests.first()).toHaveText(/401Failed: POST \/api\/login\?access_token=\[redacted\]/)
  await requests.first().getByRole('button').press('Enter')
  const details = page.getByRole('region', { name: 'Request' })
  await details.getByText('Request body').click()
  await expect(details.getByText('"password": "[redacted]"')).toBeVisible()
  await details.getByText('Response body').click()
  await expect(details.getByText('"error": "denied"')).toBeVisible()
  await details.getByText(/Request headers/).click()
  await expect(details.getByText('x-pin')).toBeVisible()
  await expectAccessible(page)
  await details.getByRole('button', { name: 'Copy as curl' }).click()
  await expect(page.getByText('Copied as curl.')).toBeVisible()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toContain('-X POST --url')
  expect(command).not.toContain(secret)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download HAR' }).click()
  const archive = await readFile(await (await downloading).path(), 'utf8')
  expect(archive).toContain('/api/login?access_token=[redacted]')
  expect(archive).not.toContain(secret)
  await page.getByLabel('Search URL, method or status').fill('get /api/lamps')
  await expect(page.getByText('No matches')).toBeVisible()
  await page.getByLabel('Search URL, method or status').fill('/api/lamps')
  await expect(requests).toHaveText(/200GET \/api\/lamps/)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Expects what the shop logged, with its styles and objects, and the stack of its error. */
async function expectConsole(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Console' }).click()
  const lines = page.getByRole('list', { name: 'Console' }).getByRole('listitem')
  await lines.filter({ hasText: 'Shop opened' }).getByRole('button').click()
  const line = page.getByRole('region', { name: /^Shop opened/ })
  await expect(line.getByText('Shop', { exact: true })).toHaveCSS('color', 'rgb(0, 90, 0)')
  await expect(line.getByText('Shop', { exact: true })).toHaveCSS('position', 'static')
  await line.getByText('{"cart":').click()
  await line.getByText('cart: ').click()
  await line.getByText('items: ').click()
  await expect(line.getByText('0: "Brass lamp"')).toBeVisible()
  await page.getByRole('button', { name: 'errors', exact: true }).click()
  await expect(lines).toHaveText(/error: TypeError: The visitor is unknown/)
  await lines.getByRole('button').click()
  await page.getByText(/^Stack trace/).click()
  await expect(page.getByText(/^at signIn/).first()).toBeVisible()
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page)
}

/** Expects that keys and buttons move between the recording's errors. */
async function expectErrorKeys(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const position = page.getByRole('slider', { name: 'Playback position' })
  await page.keyboard.press('0')
  await expect(position).toHaveValue('0')
  await page.keyboard.press('e')
  await expect(position).not.toHaveValue('0')
  await page.keyboard.press('Shift+E')
  await expect(page.getByText('No error or failed request before this moment.')).toBeVisible()
  const failedAt = Number(await position.inputValue())
  await page.getByRole('button', { name: 'Next error' }).click()
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThanOrEqual(failedAt)
  await page.getByRole('button', { name: 'Previous error' }).click()
  await expect(position).toHaveValue(String(failedAt))
}
