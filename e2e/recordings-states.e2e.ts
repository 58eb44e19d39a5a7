import { expect } from '@playwright/test'
import { captureVisits } from './captured-visits.ts'
import { expectAccessible, rowWith, signIn, test, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

test('a list of hundreds of recordings renders few rows, and loads new recordings only on request', async ({
  page,
  service,
  tenant,
}) => {
  const visits = Array.from({ length: 320 }, (_, index) => ({
    visitor: `visitor-${String(index).padStart(3, '0')}`,
    minutesAgo: 10 + index,
  }))
  await captureVisits(service, tenant, visits)
  await page.clock.install()
  await signIn(page, service, tenant.api_key, '/recordings')
  await expect(page.getByText('320 recordings')).toBeVisible()
  const rows = page.getByRole('row')
  let rowsMax = 0
  await expect(async () => {
    await page.mouse.wheel(0, 3_000)
    rowsMax = Math.max(rowsMax, await rows.count())
    await expect(rowWith(page, 'visitor-319')).toBeVisible({ timeout: 200 })
  }).toPass()
  expect(rowsMax).toBeLessThanOrEqual(60)

  await captureVisits(service, tenant, [{ visitor: 'newcomer', minutesAgo: 1 }])
  const showNew = page.getByRole('button', { name: 'Show 1 new recording' })
  await expect(async () => {
    await page.clock.runFor(3_000)
    await expect(showNew).toBeAttached({ timeout: 200 })
  }).toPass()
  await expect(rowWith(page, 'visitor-319')).toBeVisible()
  await showNew.click()
  await expect(rowWith(page, 'newcomer')).toBeVisible()
  await expect(page.getByText('321 recordings')).toBeVisible()
})

test('the list says how to get recordings, which scope a key lacks, and what failed', async ({
  page,
  service,
  tenant,
}) => {
  await signIn(page, service, tenant.api_key)
  await page.getByRole('link', { name: 'Recordings' }).click()
  await expect(page.getByText('No recordings yet')).toBeVisible()
  await expect(page.getByText(`posthog.init('${tenant.project_token}'`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Errors' }).click()
  await expect(page.getByText('No errors')).toBeVisible()

  let fails = true
  await page.route('**/session_recordings/?**', (route) =>
    fails ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await page.getByRole('link', { name: 'Recordings' }).click()
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('500')
  await expectAccessible(page)
  fails = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('No recordings yet')).toBeVisible()

  await captureVisits(service, tenant, [{ visitor: 'ada', minutesAgo: 60 }])
  const reader = await createKey(service, tenant, ['session_recording:read'])
  await page.context().clearCookies()
  await signIn(page, service, reader, '/recordings')
  await page.getByRole('button', { name: 'Actions for the recording of ada@shop.example' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAccessibleDescription(
    /session_recording:write/,
  )
  await page.keyboard.press('Escape')
  const exporter = await createKey(service, tenant, ['batch_export:read'])
  await page.context().clearCookies()
  await signIn(page, service, exporter, '/recordings')
  await expect(page.getByText('This key has no access to this page')).toBeVisible()
  await expect(page.getByText('session_recording:read')).toBeVisible()
})

async function createKey(service: RunningService, tenant: Tenant, scopes: string[]): Promise<string> {
  const response = await fetch(`${service.origin}/api/personal_api_keys/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'For a while', scopes }),
  })
  const { value }: { value: string } = await response.json()
  return value
}
