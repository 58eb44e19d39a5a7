import { expect } from '@playwright/test'
import { sftpUnavailable, startSftpServer } from '../src/service/testing/servers/sftp-server.ts'
import { expectAccessible, signIn, test } from './journey.ts'

test('creates an export to an SFTP server, once the fingerprint of its host key is right', async ({
  page,
  service,
  tenant,
}) => {
  test.skip(sftpUnavailable !== null, sftpUnavailable ?? '')
  const server = await startSftpServer()
  await signIn(page, service, tenant.api_key, '/exports/new')
  await page.getByLabel('Name').fill('Orders')
  await page.getByLabel('Search destinations').fill('ssh')
  await page.getByRole('radio', { name: 'SFTP' }).check()
  await page.getByRole('button', { name: 'New connection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New connection: SFTP' })
  await dialog.getByLabel('Name').fill('Partner')
  await dialog.getByLabel('Host', { exact: true }).fill(server.config.host)
  await dialog.getByLabel('Port').fill(String(server.config.port))
  await dialog.getByLabel('User').fill(server.config.user)
  await dialog.getByLabel('Host key fingerprint').fill(server.fingerprintOf(server.publicKey))
  await dialog.getByLabel('Private key').fill(server.privateKey)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create connection' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByLabel('Folder').fill('../orders')
  await page.getByLabel('Folder').blur()
  await expect(page.getByLabel('Folder')).toHaveAccessibleDescription(/without “\.\.”/)
  await page.getByLabel('Folder').fill('orders/{year}')
  await page.getByRole('button', { name: 'Test connection' }).click()
  const connection = page.getByRole('region', { name: 'Connection' })
  await expect(connection).toContainText(`has the host key ${server.config.host_key_fingerprint}`)
  await expect(connection).toContainText('Ask the server')

  await page.getByRole('button', { name: 'New connection' }).click()
  await dialog.getByLabel('Name').fill('Partner 2')
  await dialog.getByLabel('Host', { exact: true }).fill(server.config.host)
  await dialog.getByLabel('Port').fill(String(server.config.port))
  await dialog.getByLabel('User').fill(server.config.user)
  await dialog.getByLabel('Host key fingerprint').fill(server.config.host_key_fingerprint)
  await dialog.getByLabel('Private key').fill(server.privateKey)
  await dialog.getByRole('button', { name: 'Create connection' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Test again' }).click()
  await expect(connection).toContainText('The connection works.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create export' }).click()
  await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeVisible()
  await server.stop()
})

test(
  'asks for a connection and a container that Azure can have',
  { tag: '@slow' },
  async ({ page, service, tenant }) => {
    await signIn(page, service, tenant.api_key, '/exports/new')
    await page.getByLabel('Search destinations').fill('microsoft')
    await page.getByRole('radio', { name: 'Azure Blob Storage' }).check()
    await page.getByRole('button', { name: 'New connection' }).click()
    const dialog = page.getByRole('dialog', { name: 'New connection: Azure Blob Storage' })
    await dialog.getByLabel('Connection string').fill('AccountName=lake')
    await dialog.getByRole('button', { name: 'Create connection' }).click()
    await expect(dialog.getByLabel('Connection string')).toHaveAccessibleDescription(/neither an AccountKey/)
    await dialog
      .getByLabel('Connection string')
      .fill('AccountName=lake;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:9/lake')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create connection' }).click()
    await expect(page.getByRole('combobox', { name: 'Connection' })).toHaveAccessibleDescription(
      /http:\/\/127\.0\.0\.1:9\/lake/,
    )
    await page.getByLabel('Container').fill('My Lake')
    await page.getByLabel('Container').blur()
    await expect(page.getByLabel('Container')).toHaveAccessibleDescription(/lower-case letters/)
    await page.getByLabel('Container').fill('my-lake')
    await expect(page.getByLabel('Container')).not.toHaveAccessibleDescription(/lower-case letters/)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByRole('region', { name: 'Connection' })).toContainText('refused the connection')
  },
)
