import { expect, type BrowserContext } from '@playwright/test'
import { receiveAlerts } from './alert-receiver.ts'
import {
  backfillHours,
  createExport,
  expectAccessible,
  hoursAgo,
  importEvents,
  rowWith,
  send,
  signIn,
  test,
  type Tenant,
} from './journey.ts'
import { startObjectStore } from './object-store.ts'
import type { RunningService } from './service.ts'

const exportCount = 20

test('a webhook is added, tested and shown with its request and the response', async ({
  page,
  service,
  tenant,
}) => {
  await using receiver = await receiveAlerts()
  // As without a mail server.
  await page.route(/\/alert_channels\//, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), email: false } })
  })
  await signIn(page, service, tenant.api_key, '/settings/alerts?view=channels')
  await expect(page.getByRole('button', { name: 'Add E-mail' })).toHaveAttribute('aria-disabled', 'true')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Add Webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('On call')
  await dialog.getByLabel('URL').fill('ftp://127.0.0.1/hook')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await expect(dialog.getByText('The URL must start with https:// or http://.')).toBeVisible()
  await dialog.getByLabel('URL').fill(`${receiver.origin}/secret-path`)
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await expect(dialog.getByText('it is shown only once')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Send a test to On call' }).click()
  await expect(dialog.getByText('Delivered, 1 attempt')).toBeVisible()
  await expect(dialog.getByLabel('Request')).toContainText('Test of an alert channel')
  await expect(dialog.getByLabel('Response')).toContainText('Thank you.')
  await expect(dialog).not.toContainText('secret-path')
  expect(receiver.transitions()).toEqual(['test'])
  await expectAccessible(page)

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More actions for On call' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const signingSecret = dialog.getByLabel('Signing secret')
  await expect(signingSecret).toHaveAccessibleDescription('Leave empty to keep the current secret.')
  await dialog.getByLabel('URL').fill(`${receiver.origin}/another-path`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(signingSecret).toBeFocused()
  await expect(signingSecret).toHaveAccessibleDescription(/is required because the address changes/)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Rules' }).click()
  await page
    .getByRole('button', { name: /^Change .*[Ll]ate/ })
    .first()
    .click()
  await dialog.getByLabel('All channels').uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Channels' }).click()
  await page.getByRole('button', { name: 'More actions for On call' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(
    page.getByText('1 rule notifies only this channel, and will then notify nobody.'),
  ).toBeVisible()
})

test(
  'a destination of twenty exports fails: one incident, one message; it is acknowledged, and its recovery is shown',
  { tag: '@slow' },
  async ({ page, context, service, tenant }) => {
    test.slow()
    await using receiver = await receiveAlerts()
    await send(service, tenant, 'alert_channels/', {
      type: 'webhook',
      name: 'On call',
      url: receiver.origin,
    })
    const notifications = await recordNotifications(context)
    await signIn(page, service, tenant.api_key, '/settings/alerts?view=channels')
    await page.getByRole('button', { name: 'Turn on this browser' }).click()
    await expect(page.getByRole('button', { name: 'Turn off this browser' })).toBeVisible()
    const other = await context.newPage()
    await signIn(other, service, tenant.api_key)

    await using store = await startStore()
    const { ids, fix } = await failTogether(service, tenant, store.endpoint)
    await page.getByRole('link', { name: 'Incidents' }).click()
    const title = /^Show 20 exports fail/
    await expect(page.getByRole('button', { name: title })).toBeVisible({ timeout: 120_000 })
    await expect(rowWith(page, 'exports fail')).toHaveCount(1)
    await expect(page.getByRole('link', { name: 'Alerts 1 open' })).toBeVisible()
    await expectAccessible(page)

    // By keyboard.
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await expect(page.getByText('no more reminders')).toBeVisible()
    await expect(rowWith(page, 'exports fail')).toContainText('Acknowledged by')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(rowWith(page, 'exports fail')).not.toContainText('Acknowledged by')
    // By mouse.
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await expect(rowWith(page, 'exports fail')).toContainText('Acknowledged by')
    await page.keyboard.press('m')
    await page.getByRole('dialog').getByRole('button', { name: '8 hours' }).click()
    await expect(page.getByText(/^Muted .* for 8 hours/)).toBeVisible()

    await other.goto(`${service.origin}/exports/${ids[0]}`)
    await other.getByRole('link', { name: /^Incident: 20 exports fail/ }).click()
    const sheet = other.getByRole('dialog')
    await expect(sheet.getByText('Delivered, 1 attempt')).toBeVisible()
    await expectAccessible(other)
    // Escape in a date field closes only the inner dialog.
    await sheet.getByRole('button', { name: /^Mute/ }).first().click()
    await other.getByLabel('Until').focus()
    await other.keyboard.press('Escape')
    await expect(other.getByRole('dialog')).toHaveCount(1)
    await expect(sheet.getByText('Delivered, 1 attempt')).toBeVisible()

    await fix()
    await send(service, tenant, 'bulk_actions/', { action: 'export_windows', ids, windows: 'failed' })
    await expect(page.getByText(/^Recovered: 20 exports fail/)).toBeVisible({ timeout: 120_000 })
    await expect(rowWith(page, 'exports fail')).toContainText('Recovered')
    await expect(page.getByRole('link', { name: 'Alerts', exact: true })).toBeVisible()
    await expect.poll(() => receiver.transitions()).toEqual(['opened', 'recovered'])
    await expect
      .poll(() => notifications.map((text) => text.replace(/:.*/s, '')))
      .toEqual(['Opened', 'Recovered'])
  },
)

/** Makes a run of many exports to a bucket fail with a wrong access key; returns the exports and a function that corrects the key. */
async function failTogether(service: RunningService, tenant: Tenant, endpoint: string) {
  const destination = (number: number, key: string) => ({
    type: 'S3',
    config: {
      bucket_name: 'lake',
      region: 'us-east-1',
      endpoint_url: endpoint,
      prefix: `${number}`,
      aws_access_key_id: key,
      aws_secret_access_key: 'S3RVER',
    },
  })
  await importEvents(service, tenant, { hours: 1, perHour: 2 })
  const ids: string[] = []
  for (let number = 1; number <= exportCount; number += 1) {
    const { id } = await createExport(service, tenant, {
      name: `Export ${number}`,
      end_at: hoursAgo(0),
      destination: destination(number, 'S3RVRE'),
    })
    await backfillHours(service, tenant, id, { from: 1, to: 0 })
    ids.push(id)
  }
  const fix = async () => {
    for (const [index, id] of ids.entries())
      await send(
        service,
        tenant,
        `batch_exports/${id}/`,
        { destination: destination(index + 1, 'S3RVER') },
        'PATCH',
      )
  }
  return { ids, fix }
}

async function startStore() {
  const store = await startObjectStore('lake')
  return { endpoint: store.endpoint, [Symbol.asyncDispose]: () => store.stop() }
}

/** Allows notifications and returns the titles of those that any tab shows. */
async function recordNotifications(context: BrowserContext): Promise<string[]> {
  const titles: string[] = []
  await context.exposeFunction('recordNotification', (title: string) => titles.push(title))
  await context.addInitScript(() => {
    class Recorded extends EventTarget {
      static readonly permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(title: string) {
        super()
        void Reflect.get(globalThis, 'recordNotification')(title)
      }
    }
    Object.assign(globalThis, { Notification: Recorded })
  })
  return titles
}
