import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import {
  createExport,
  expectAccessible,
  hoursAgo,
  importEvents,
  passUndo,
  rowWith,
  signIn,
  test,
} from './journey.ts'
import { startObjectStore } from './object-store.ts'

test('tests wrong credentials before saving, corrects them, and sees the first run complete', async ({
  page,
  service,
  tenant,
}) => {
  const refusing = await startRefusingStore()
  const store = await startObjectStore('lake')
  await importEvents(service, tenant, { hours: 1, perHour: 4 })
  await page.clock.install()
  await signIn(page, service, tenant.api_key, '/exports/new')
  await expect(page.getByText('Not tested yet')).toBeVisible()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByLabel('Bucket')).toBeFocused()
  await page.getByLabel('Name').fill('Lake')
  await page.getByLabel('Bucket').fill('lake')
  await page.getByLabel('Region').fill('us-east-1')
  await page.getByLabel('Access key id').fill('S3RVER')
  await page.getByLabel('Secret access key').fill('wrong')
  await page.getByLabel('Endpoint').fill(refusing.endpoint)
  await page.getByRole('button', { name: 'Test connection' }).click()
  const connection = page.getByRole('region', { name: 'Connection' })
  await expect(connection).toContainText('The test failed at Credentials.')
  await expect(connection).toContainText('does not accept the secret access key')
  await expect(connection).toContainText('Not tried: Bucket, Write, Remove')
  await expectAccessible(page)

  await page.getByLabel('Endpoint').fill(store.endpoint)
  await expect(connection).toContainText(
    'The destination has changed since the last test, which failed at Credentials.',
  )
  await page.getByLabel('Secret access key').fill('S3RVER')
  await page.getByRole('button', { name: 'Test again' }).click()
  await expect(connection).toContainText('The connection works.')
  await expect(page.getByText('Tested just now')).toBeVisible()
  expect([...(await store.objects('lake')).keys()]).toEqual([])
  await page.getByLabel('Prefix').fill('daily')
  await expect(connection).toContainText('which passed. Test it again.')
  await expect(connection).not.toContainText('The connection works.')
  await expect(page.getByText('Changed since the test')).toBeVisible()
  await page.getByLabel('Prefix').fill('')
  const create = page.getByRole('button', { name: 'Create export' })
  await expect(create).toHaveAccessibleDescription('Every hour, all events, as Parquet (zstd) to s3://lake/.')
  await create.click()
  await expect(page.getByRole('heading', { name: 'Lake', exact: true })).toBeVisible()
  // Back skips the form, which would create the export again.
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'New export' })).toHaveCount(0)
  await page.goForward()
  await page.getByRole('button', { name: 'Backfill', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start backfill' }).click()
  await passUndo(page)
  await expect(rowWith(page, 'Completed')).toHaveCount(1, { timeout: 30_000 })
  await rowWith(page, 'Completed').getByRole('link').click()
  await expect(page.getByRole('cell', { name: '4', exact: true })).toBeVisible()
  const objects = [...(await store.objects('lake')).keys()]
  expect(objects).toContainEqual(expect.stringContaining(hoursAgo(1).slice(0, 16)))
  await refusing.stop()
  await store.stop()
})

test('sees errors and warnings when a field loses focus, and a default region for another store', async ({
  page,
  service,
  tenant,
}) => {
  await signIn(page, service, tenant.api_key, '/exports/new')
  await page.getByLabel('Name').fill('n'.repeat(600))
  await page.getByLabel('Bucket').fill('s3://My Bucket!!')
  await expect(page.getByText('At most 400 characters.')).toBeVisible()
  await page.getByLabel('Prefix').fill('../../{nope}/{year')
  await expect(page.getByText('Enter only the bucket’s name, without s3://.')).toBeVisible()
  await expect(page.getByLabel('Region')).toHaveValue('')
  await page.getByLabel('Endpoint').fill('javascript:alert(1)')
  await expect(page.getByText('Many stores reject names that contain “..”.')).toBeVisible()
  await expect(page.getByLabel('Region')).toHaveValue('us-east-1')
  await page.getByLabel('Prefix').fill('{nope}/{year')
  await expect(page.getByText('must start with https:// or http://')).toBeVisible()
  await page.getByLabel('Name').fill('Lake')
  await expect(page.getByText('At most 400 characters.')).toHaveCount(0)
  await expect(page.getByText('{nope} is not a variable and stays as it is.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Bucket').fill('Lake_1')
  await page.getByLabel('Endpoint').fill('https://s3.example.com')
  await page.keyboard.press('Tab')
  await expect(page.getByText('AWS has no bucket with such a name.')).toBeVisible()
  await expect(page.getByText('must start with https:// or http://')).toHaveCount(0)
  for (const label of ['Name', 'Bucket', 'Endpoint'])
    await expect(page.getByLabel(label)).not.toHaveAttribute('aria-invalid')
})

test('sees an error marked at its position in the query, and corrects it there', async ({
  page,
  service,
  tenant,
}) => {
  await signIn(page, service, tenant.api_key, '/exports/new')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('columnheader', { name: 'elements_chain' })).toBeVisible()
  await page.getByText('Columns and filters').click()
  await page.getByLabel('Query').fill('SELECT event,\n  fooo\nFROM events')
  await expect(page.getByText('Line 2, column 3, at “fooo”: Unable to resolve field: fooo.')).toBeVisible()
  await expect(preview).toContainText('The rows below are from the previous query.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Go to the error' }).click()
  await page.keyboard.type('uuid')
  await expect(preview.getByRole('columnheader', { name: 'elements_chain' })).toHaveCount(0)
  await expect(preview.getByRole('columnheader', { name: 'uuid' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Query')).not.toBeFocused()
})

test(
  'is warned before losing changes, and copies an export without entering its secrets',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const store = await startObjectStore('lake')
    const secrets = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }
    const config = { bucket_name: 'lake', region: 'us-east-1', endpoint_url: store.endpoint, ...secrets }
    const { id } = await createExport(service, tenant, { name: 'Lake', destination: { type: 'S3', config } })
    await signIn(page, service, tenant.api_key, `/exports/${id}/settings`)
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Prefix').fill('events/{year}')
    await page.getByText('Tags, owner and note').click()
    await page.getByLabel('Tags').fill('lake, finance,')
    await page.getByLabel('Owner').fill('Data team')
    await page.goBack()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expect(page.getByLabel('Prefix')).toHaveValue('events/{year}')
    await page.getByRole('button', { name: 'Save changes' }).click()

    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    const history = page.getByRole('region', { name: 'History' })
    await expect(history).toContainText('Changed 4 settings')
    await expect(history).toContainText('Added: finance')
    await expect(history).toContainText('events/{year}')
    await expectAccessible(page)
    await expect(page.getByRole('link', { name: 'Owner: Data team' })).toBeVisible()
    await page.keyboard.press('d')
    await expect(page.getByLabel('Name')).toHaveValue('Lake copy')
    const prefix = page.getByLabel('Prefix')
    await expect(prefix).toHaveValue('events-copy/{year}')
    await expect(prefix).toBeFocused()
    await expect(page.getByText('The original writes to events/{year};')).toBeVisible()
    await prefix.fill('/events/{year}/')
    await page.getByRole('button', { name: 'Create export' }).click()
    await expect(prefix).toHaveAccessibleDescription(/"Lake" already writes files with these names/)
    await expect(prefix).toBeFocused()
    await expectAccessible(page)
    await prefix.fill('copies')
    await testConnection(page)
    await page.getByRole('button', { name: 'Create export' }).click()
    await expect(page.getByRole('heading', { name: 'Lake copy' })).toBeVisible()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await expect(history).toContainText('Created as a clone')
    await store.stop()
  },
)

test(
  'enters the key again when the endpoint of an edited or copied export changes',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    const [store, other] = [await startObjectStore('lake'), await startObjectStore('lake')]
    const secrets = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }
    const config = { bucket_name: 'lake', region: 'us-east-1', endpoint_url: store.endpoint, ...secrets }
    const { id } = await createExport(service, tenant, { name: 'Lake', destination: { type: 'S3', config } })
    const [keyId, key] = [page.getByLabel('Access key id'), page.getByLabel('Secret access key')]
    const connection = page.getByRole('region', { name: 'Connection' })
    const why = /^Enter it again: a stored secret is never used at another address\.$/
    for (const [path, action, from, to] of [
      [`/exports/${id}/edit`, 'Save changes', store, other],
      [`/exports/new?from=${id}`, 'Create export', other, store],
    ] as const) {
      await signIn(page, service, tenant.api_key, path)
      await expect(connection).toContainText('Secrets left empty are taken from')
      await expect(key).toHaveAttribute('placeholder', /type to replace$/)
      await page.getByLabel('Endpoint').fill(to.endpoint)
      for (const field of [keyId, key]) {
        await expect(field).toHaveAccessibleDescription(why)
        await expect(field).toHaveAttribute('required')
        await expect(field).not.toHaveAttribute('placeholder')
      }
      await expect(connection).not.toContainText('Secrets left empty')
      await page.getByRole('button', { name: 'Test connection' }).click()
      await expect(connection).toContainText('Not tested. Correct the marked fields first.')
      await expect(keyId).toBeFocused()
      await expect(key).toHaveAccessibleDescription(/^This field is required because the address changes/)
      await expectAccessible(page)
      await page.getByRole('button', { name: action }).click()
      await expect(keyId).toBeFocused()
      await page.getByLabel('Endpoint').fill(`${from.endpoint}/`)
      await expect(key).not.toHaveAttribute('aria-invalid')
      await expect(key).toHaveAccessibleDescription('')
      await page.getByLabel('Endpoint').fill(to.endpoint)
      await keyId.fill('S3RVER')
      await key.fill('S3RVER')
      await testConnection(page)
      await page.getByRole('button', { name: action }).click()
      await expect(page.getByRole('heading', { name: /^Lake/ })).toBeVisible()
    }
    await store.stop()
    await other.stop()
  },
)

async function testConnection(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByRole('region', { name: 'Connection' })).toContainText('The connection works.')
}

/** Starts a store that knows the access key but rejects its secret. */
async function startRefusingStore(): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    response.writeHead(403, { 'content-type': 'application/xml' })
    const error = '<Error><Code>SignatureDoesNotMatch</Code><Message>Check your key.</Message></Error>'
    response.end(request.method === 'HEAD' ? '' : error)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
