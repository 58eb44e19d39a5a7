import { expect } from '@playwright/test'
import { mysqlUnavailable, startTestMysql } from '../src/service/testing/servers/test-mysql.ts'
import { startTestClickhouse } from '../src/service/testing/servers/test-clickhouse.ts'
import { expectAccessible, signIn, test } from './journey.ts'

const databases = [
  { label: 'MySQL', search: 'mariadb', start: () => startTestMysql(), unavailable: mysqlUnavailable },
  { label: 'ClickHouse', search: 'altinity', start: startTestClickhouse, unavailable: null },
]

for (const { label, search, start, unavailable } of databases)
  test(
    `creates an export to a table of ${label}, after its connection has been tested`,
    { tag: label === 'MySQL' ? [] : '@slow' },
    async ({ page, service, tenant }) => {
      test.skip(unavailable !== null, unavailable ?? '')
      const server = await start()
      await signIn(page, service, tenant.api_key, '/exports/new')
      await page.getByLabel('Name').fill('Orders')
      await page.getByLabel('Search destinations').fill(search)
      await page.getByRole('radio', { name: label }).check()
      await expect(page.getByLabel('Schema')).toHaveCount(0)
      await expect(page.getByLabel('Host')).toHaveCount(0)
      await page.getByRole('button', { name: 'New connection' }).click()
      const dialog = page.getByRole('dialog', { name: `New connection: ${label}` })
      await dialog.getByLabel('Host', { exact: true }).fill(server.config.host)
      await dialog.getByLabel('Port').fill(String(server.config.port))
      await dialog.getByLabel('User').fill(server.config.user)
      await dialog.getByLabel('Password').fill(server.password)
      await dialog.getByRole('button', { name: 'Create connection' }).click()
      await expect(dialog).toHaveCount(0)
      await page.getByLabel('Database').fill(server.config.database)
      await page.getByRole('textbox', { name: 'Table' }).fill('_spool_deliveries')
      await page.getByRole('textbox', { name: 'Table' }).blur()
      await expect(page.getByRole('textbox', { name: 'Table' })).toHaveAccessibleDescription(/service’s own/)
      await page.getByRole('textbox', { name: 'Table' }).fill('orders')
      await page.getByRole('button', { name: 'Test connection' }).click()
      const connection = page.getByRole('region', { name: 'Connection' })
      await expect(connection).toContainText('The connection works.')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Create export' }).click()
      await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeVisible()
      expect(await server.leftovers()).toEqual([])
      await server.close()
    },
  )
