import { expect, type Page, type Route } from '@playwright/test'
import { allPages, exportViews, type PagePath } from '../src/dashboard/shell/pages.ts'
import { captureVisits } from './captured-visits.ts'
import {
  backfillHours,
  createExport,
  expectAccessible,
  keyField,
  hoursAgo,
  rowWith,
  signIn,
  test,
  type Tenant,
} from './journey.ts'
import { violationsIn } from './expect-accessible.ts'
import { pagePath } from './page-path.ts'
import type { RunningService } from './service.ts'

test('finds text of too little contrast although the same text passes on another background', async ({
  page,
}) => {
  const violations = async (...texts: string[]) => {
    await page.setContent(
      `<html lang="en"><title>Page</title><main><h1>Page</h1>${texts.join('')}</main></html>`,
    )
    return await violationsIn(page, { onlyColors: false })
  }
  const found = [expect.stringMatching(/^color-contrast: /)]
  const dark = '<p style="color: #444">Text</p>'
  const hidden = '<p style="color: #bbb; position: absolute; left: -999px">Text</p>'
  expect(await violations(dark)).toEqual([])
  expect(await violations(dark, `<div style="background: #333">${dark}</div>`)).toEqual(found)
  expect(await violations(dark, hidden)).toEqual([])
  expect(await violations(hidden, '<p style="color: #bbb">Text</p>')).toEqual(found)
})

/* States that the other tests pass through too quickly. None may have an accessibility violation in either theme. */

const problem = {
  type: 'server_error',
  code: 'error',
  detail: 'A server error occurred.',
  attr: null,
  request_id: 'request-4711',
}

test(
  'pages that wait for the service, or report its failure, are accessible',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    test.slow()
    const { id } = await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
    await backfillHours(service, tenant, id, { from: 1, to: 0 })
    await signIn(page, service, tenant.api_key, `/exports/${id}`)
    await expect(rowWith(page, 'Completed')).toBeVisible({ timeout: 30_000 })
    await rowWith(page, 'Completed').getByRole('button').first().click()
    await page.getByRole('link', { name: 'Open full page' }).click()
    await expect(page).toHaveURL(/\/runs\//)
    const run = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const recorded = await createRecordingPages(service, tenant)
    const ids = { 'healthy export': id, 'export with gaps': id, 'failed run': run, ...recorded }
    // These pages fetch nothing, or not with the path alone.
    const others: readonly PagePath[] = ['/login', '/join', '/password', '/confirm-email', '/welcome']
    const pages = allPages().filter(
      (page) => !others.includes(page.to) && (!('sample' in page) || page.sample in ids),
    )
    const states: (readonly [string, RegExp])[] = [
      ...pages.map((page) => [pagePath(page, ids), isView(page.to) ? ofExport : ofAnyPage] as const),
      [`/exports/${id}`, ofAnyPage],
      [`/exports/${id}?run=${run}`, /\/runs\/[^/?]+\/$/],
      ['/join#invite=token', /\/api\/invites\/inspect\/$/],
    ]
    for (const [path, requests] of states) {
      const { fail } = await hold(page, requests)
      await page.goto(service.origin + path)
      await expect(
        page
          .getByLabel(/^Loading/)
          .or(page.getByText('Loading…'))
          .or(page.getByText('Reading the logs…'))
          .or(page.getByText('Loading the run…'))
          .first(),
      ).toBeVisible()
      await expectAccessible(page)
      await fail()
      await expect(page.getByText('request-4711').first()).toBeVisible()
      await expectAccessible(page)
      await page.unroute(requests)
    }
  },
)

test(
  'a list that shows old rows while it fetches newer ones is accessible',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const { id } = await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
    await backfillHours(service, tenant, id, { from: 1, to: 0 })
    await signIn(page, service, tenant.api_key, `/exports/${id}`)
    await expect(rowWith(page, 'Completed')).toBeVisible({ timeout: 30_000 })
    // The page has loaded the windows: none precede those shown.
    await expect(page.getByRole('button', { name: 'Earlier' })).toBeDisabled()
    await hold(page, /\/(coverage|runs)\//)
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByLabel('Status').selectOption('failed or timed out')
    await expect(page.locator('[aria-busy=true]')).toHaveCount(2)
    await expectAccessible(page)
  },
)

test(
  'an export without runs, and one whose filter hides all runs, are accessible',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const { id } = await createExport(service, tenant, { name: 'Orders', end_at: hoursAgo(0) })
    await signIn(page, service, tenant.api_key, `/exports/${id}`)
    await expect(page.getByText('No runs yet')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Status').selectOption('failed or timed out')
    await expect(page.getByText('No runs match')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show all runs' }).click()
    await expect(page.getByText('No runs yet')).toBeVisible()
  },
)

test('the key page and the sign-in page are accessible at every step', async ({ page, service, tenant }) => {
  await page.goto(`${service.origin}/login`)
  await expect(await keyField(page)).toBeVisible()
  await expectAccessible(page)
  await signIn(page, service, tenant.api_key, '/settings/keys')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('For a while')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog.getByRole('button', { name: /show/i })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await rowWith(page, 'For a while').getByRole('button', { name: 'Revoke' }).click()
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
})

test(
  'a backfill of several exports, and the report of a partial failure, are accessible',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    for (const name of ['Orders', 'Returns']) await createExport(service, tenant, { name })
    await signIn(page, service, tenant.api_key)
    await expect(rowWith(page, 'Returns')).toBeVisible()
    await page.getByLabel('Select all shown').click()
    await page.keyboard.press('b')
    await expect(page.getByRole('dialog')).toContainText('of 2 exports')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await addUnknown(page)
    await page.keyboard.press('p')
    const result = page.getByRole('region', { name: 'Bulk actions' })
    await expect(result).toContainText('Paused 2 of 3 exports.')
    await expectAccessible(page)
    await result.getByRole('button', { name: '1 failed' }).click()
    await expect(page.getByRole('dialog')).toContainText('Not found: it was deleted')
    await expectAccessible(page)
  },
)

/** Captures a recording; creates a summary of recordings and a collection. */
async function createRecordingPages(service: RunningService, tenant: Tenant) {
  await captureVisits(service, tenant, [{ visitor: 'ada', minutesAgo: 60 }])
  await fetch(`${service.origin}/e/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: tenant.project_token, event: 'left', distinct_id: 'to-erase' }),
  })
  const create = async (path: string, body: unknown) => {
    const response = await fetch(`${service.origin}/api/projects/${tenant.project_id}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { id }: { id: string } = await response.json()
    return id
  }
  return {
    'group summary': await create('session_recordings/summaries/', { filter: {} }),
    collection: await create('session_recording_playlists/', { name: 'Broken checkouts' }),
    erasure: await create('persons/to-erase/erase/', { confirm: 'to-erase' }),
  }
}

function isView(to: PagePath): boolean {
  return exportViews.some((view) => view.to === to)
}

/** All requests of a page except those for the account, which every page needs. */
const ofAnyPage = /\/api\/(?!users\/@me\/|personal_api_keys\/@current\/)/
/** Requests below an export, except for the export itself. */
const ofExport = /batch_exports\/[^/]+\/./

/** Holds requests until `fail` is called; then they and all later ones fail. */
async function hold(page: Page, requests: RegExp): Promise<{ fail: () => Promise<void> }> {
  const held: Route[] = []
  let failing = false
  const refuse = (route: Route) => route.fulfill({ status: 500, json: problem })
  await page.route(requests, (route) => (failing ? refuse(route) : void held.push(route)))
  return {
    async fail() {
      failing = true
      await Promise.all(held.map(refuse))
    },
  }
}

/** Adds an unknown export to the next bulk action. */
async function addUnknown(page: Page): Promise<void> {
  await page.route('**/bulk_actions/', async (route) => {
    const body = route.request().postDataJSON() as { ids: string[] } | null
    if (!body) return await route.continue()
    return await route.continue({ postData: { ...body, ids: [...body.ids, 'gone'] } })
  })
}
