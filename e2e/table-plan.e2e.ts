import { expect } from '@playwright/test'
import { Pool } from 'pg'
import { createTestPostgres } from '../src/service/testing/servers/test-postgres.ts'
import { storeUrl } from './connect-store.ts'
import { expectAccessible, importEvents, signIn, test } from './journey.ts'

test('shows what will be in a table, and leaves out, renames and hashes columns', async ({
  page,
  service,
  tenant,
}) => {
  const pool = new Pool({ connectionString: await storeUrl(service), max: 2 })
  const database = await createTestPostgres(pool)
  await database.query('CREATE TABLE older (event integer, who text, note text)')
  await importEvents(service, tenant, { hours: 2, perHour: 3 })
  await signIn(page, service, tenant.api_key, '/exports/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Orders')
  await page.getByRole('radio', { name: 'PostgreSQL' }).check()
  const panel = page.getByRole('region', { name: 'What will be in the table' })
  await panel.getByRole('button', { name: 'Compare with the table' }).click()
  await expect(panel).toContainText('Not compared. Correct the destination first:')
  await expect(panel.getByRole('listitem').first()).toContainText('Database')

  await page.getByLabel('Host').fill(database.host)
  await page.getByLabel('Port').fill(String(database.port))
  await page.getByLabel('User', { exact: true }).fill(database.name)
  await page.getByLabel('Password').fill(database.password)
  await page.getByLabel('Database').fill(database.name)
  await page.getByRole('textbox', { name: /^Table/ }).fill('orders "é"')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(panel).toContainText('The first run creates the table "public"."orders ""é"""')
  const columns = panel.getByRole('region', { name: 'Columns of the table' })
  const rowOf = (name: string) =>
    columns
      .getByRole('row')
      .filter({ has: page.getByRole('checkbox', { name: `Write ${name}`, exact: true }) })
  await expect(rowOf('distinct_id')).toContainText('text')
  await expect(rowOf('properties')).toContainText('jsonb')
  await expectAccessible(page)

  await rowOf('distinct_id').getByLabel('Name of distinct_id in the table').fill('event')
  await expect(panel).toContainText('Two columns would have the name "event"')
  await rowOf('distinct_id').getByLabel('Name of distinct_id in the table').fill('visitor')
  await expect(panel).not.toContainText('Two columns')
  await rowOf('distinct_id').getByRole('checkbox', { name: 'Hash distinct_id' }).check()
  await rowOf('elements_chain').getByRole('checkbox', { name: 'Write elements_chain' }).press('Space')
  await expect(rowOf('elements_chain')).toContainText('left out')
  await expect(panel).toContainText('The form has changed since the comparison.')
  await expect(page.getByRole('region', { name: 'Connection' })).toContainText('The connection works.')
  await panel.getByRole('button', { name: 'Compare again' }).click()
  await expect(rowOf('distinct_id')).toContainText(/[0-9a-f]{64}/)
  await panel.getByText('Statements that create the table').click()
  await expect(panel.getByLabel('Statements that create the table', { exact: true })).toContainText(
    '"visitor" text',
  )
  await page.getByText('Statements that grant the user its rights').click()
  const grant = page.getByLabel('Statements that grant the user its rights', { exact: true })
  await expect(grant).toContainText(`TO "${database.name.replaceAll('"', '""')}"`)
  await expect(grant).not.toContainText(database.password)

  const table = page.getByRole('textbox', { name: /^Table/ })
  await table.fill('older')
  await panel.getByRole('button', { name: 'Compare again' }).click()
  await expect(panel).toContainText('Runs fail before they write a row')
  await expect(rowOf('event')).toContainText('Clashes: has the type integer')
  await expect(rowOf('distinct_id')).toContainText('Missing: not written')
  await expect(panel).toContainText('The table lacks the column _spool_window')
  await expect(panel).toContainText('Not filled by this export: who (text), note (text).')
  for (const width of [375, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
  }
  await table.fill('orders "é"')
  await page.getByRole('button', { name: 'Create export' }).click()
  await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeVisible()
  const address = page.url().split('?')[0]
  await page.goto(`${address}/settings`)
  await expect(page.getByText('distinct_id as visitor, hashed').first()).toBeVisible()
  await expect(page.getByText('elements_chain left out').first()).toBeVisible()

  await page.goto(`${address}/edit`)
  await expect(panel).toContainText(
    'Changed columns: distinct_id as visitor, hashed; elements_chain left out.',
  )
  await page.getByRole('radio', { name: 'persons' }).check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(panel).toContainText('The export has no column "elements_chain".')
  await expect(panel.getByRole('button', { name: 'Compare with the table' })).toBeFocused()
  await panel.getByRole('button', { name: 'Write all columns as they are' }).click()
  await panel.getByRole('button', { name: 'Compare with the table' }).click()
  await expect(panel).toContainText('these columns stay as they are')
  await expect(rowOf('distinct_id').getByRole('checkbox', { name: 'Hash distinct_id' })).toBeDisabled()
  await database.close()
  await pool.end()
})
