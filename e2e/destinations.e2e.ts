import { expect } from '@playwright/test'
import {
  expectAccessible,
  hoursAgo,
  importEvents,
  passUndo,
  rowWith,
  signIn,
  tabAndType,
  tabTo,
  test,
} from './journey.ts'
import { startObjectStore } from './object-store.ts'

test(
  'by keyboard alone: creates an S3 export, corrects its wrong key, and sees its runs complete',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const store = await startObjectStore('lake')
    await importEvents(service, tenant, { hours: 3, perHour: 4 })
    await page.clock.install()
    await signIn(page, service, tenant.api_key)
    await expect(page.getByText('No batch exports yet')).toBeVisible()
    await page.keyboard.press('n')
    await tabAndType(page, 'Name', 'Lake')
    await tabAndType(page, 'Bucket', 'lake')
    await tabAndType(page, 'Region', 'us-east-1')
    await tabAndType(page, 'Access key id', 'S3RVRE')
    await tabAndType(page, 'Secret access key', 'S3RVER')
    await tabAndType(page, 'Endpoint', store.endpoint)
    const connection = page.getByRole('region', { name: 'Connection' })
    await tabTo(page, connection.getByRole('button', { name: 'Test connection' }))
    await page.keyboard.press('Enter')
    await expect(connection).toContainText('The store does not know the access key.')
    await expect(connection).toContainText('Check the destination')
    await expectAccessible(page)

    await tabAndType(page, 'Access key id', 'S3RVER', 'Shift+Tab')
    await tabTo(page, connection.getByRole('button', { name: 'Test again' }))
    await page.keyboard.press('Enter')
    await expect(connection).toContainText('The connection works.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Lake', exact: true })).toBeVisible()

    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: 'Backfill Lake' })
    await expect(dialog).toContainText('24 runs')
    await tabTo(page, dialog.getByRole('button', { name: 'Start backfill' }))
    await page.keyboard.press('Enter')
    await passUndo(page)
    await expect(rowWith(page, 'Completed')).toHaveCount(1, { timeout: 30_000 })
    await tabTo(page, rowWith(page, 'Completed').getByRole('link'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row').filter({ hasText: 'Completed' })).toHaveCount(24)
    const objects = [...(await store.objects('lake')).keys()]
    for (const hours of [3, 2, 1])
      expect(objects).toContainEqual(expect.stringContaining(hoursAgo(hours).slice(0, 16)))
    await store.stop()
  },
)
