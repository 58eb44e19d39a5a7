import { expect, type Page } from '@playwright/test'
import { expectAccessible, signIn, test, type Tenant, openSettings } from './journey.ts'
import type { RunningService } from './service.ts'

/** Returns the configuration that posthog-js on the project's sites receives. */
async function remoteConfig({ origin }: RunningService, { project_token }: Tenant): Promise<unknown> {
  return await (await fetch(`${origin}/array/${project_token}/config`)).json()
}

function toast(page: Page, text: string) {
  return page.getByRole('status').filter({ hasText: text })
}

test('turns on a setting, undoes the change, lists hosts, and posthog-js receives the settings', async ({
  page,
  service,
  tenant,
}) => {
  await signIn(page, service, tenant.api_key, '/recordings')
  await openSettings(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Recording settings' }).click()
  const bodies = page.getByRole('switch', { name: 'Bodies of requests and responses' })
  await expect(bodies).not.toBeChecked()
  await expect(page.getByText('Bodies can contain whatever visitors enter or see')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('switch', { name: 'Canvas elements' }).click()
  await expect(toast(page, 'Canvas elements: recorded.')).toBeVisible()
  await bodies.click()
  await expect(toast(page, 'Bodies of requests and responses: recorded.')).toBeVisible()
  expect(await remoteConfig(service, tenant)).toMatchObject({
    sessionRecording: {
      recordCanvas: true,
      networkPayloadCapture: { recordBody: true, recordHeaders: false },
    },
  })
  await page.keyboard.press('ControlOrMeta+z')
  await expect(bodies).not.toBeChecked()
  await expect(page.getByRole('switch', { name: 'Canvas elements' })).toBeChecked()
  await page.getByLabel('Fetch').selectOption('Only from listed hosts')
  const hosts = page.getByLabel('Hosts')
  await hosts.fill('https://cdn.example/logo.png\n*.example')
  await expect(page.getByText('*.example: Enter only a host name')).toBeVisible()
  await hosts.fill('https://cdn.example/logo.png\nIMG.example')
  await page.setViewportSize({ width: 375, height: 700 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save hosts' }).click()
  await expect(toast(page, '2 hosts listed.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Canvas elements' })).toBeChecked()
  await expect(hosts).toHaveValue('cdn.example\nimg.example')
})

test('a key that may not change recordings sees the settings and the missing scope', async ({
  page,
  service,
  tenant,
}) => {
  const scopes = ['--scopes', 'session_recording:read']
  const of = ['--organization', tenant.organization_id, '--label', 'Reader', ...scopes]
  const { api_key } = await service.admin<{ api_key: string }>('key', 'create', ...of)
  await signIn(page, service, api_key, '/settings/recordings')
  await expect(
    page.getByText("API key missing required scope 'session_recording:write'").first(),
  ).toBeVisible()
  const canvas = page.getByRole('switch', { name: 'Canvas elements' })
  await expect(canvas).toHaveAttribute('aria-disabled', 'true')
  await canvas.click({ force: true })
  await expect(canvas).not.toBeChecked()
  await expect(page.getByLabel('Fetch')).toBeDisabled()
  await expectAccessible(page)
})
