import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { LedgerReceipt } from '../src/contract/runs/ledger.ts'
import { Actions } from './actions.ts'
import { receiveAlerts } from './alert-receiver.ts'
import {
  backfillHours,
  createExport,
  hoursAgo,
  importEvents,
  navigationLink,
  send,
  signIn,
  test,
  type Tenant,
} from './journey.ts'
import type { RunningService } from './service.ts'

const exportCount = 20
const hours = 6

for (const [device, repair, choose] of [
  ['mouse', byMouse, (act: Actions, target: Locator) => act.click(target)],
  ['keyboard', byKeyboard, (act: Actions, target: Locator) => act.reach(target)],
] as const)
  test(
    `${hours} hours of ${exportCount} exports fail: one incident; after the fix, three actions by ${device} repair and prove all windows`,
    { tag: '@slow' },
    async ({ page, service, tenant }) => {
      test.slow()
      await using receiver = await receiveAlerts()
      const channel = { type: 'webhook', name: 'On call', url: receiver.origin }
      await send(service, tenant, 'alert_channels/', channel)
      const inTheWay = await failTogether(service, tenant)
      await signIn(page, service, tenant.api_key, '/')
      const windows = exportCount * hours
      await expect(
        page.getByText(
          new RegExp(
            `^0 of ${exportCount} exports complete; ${exportCount} failing since .*; ${windows} windows to repair\\.$`,
          ),
        ),
      ).toBeVisible({ timeout: 60_000 })
      await expect.poll(() => receiver.transitions(), { timeout: 90_000 }).toEqual(['opened'])
      await rm(inTheWay)

      const act = new Actions(page)
      await repair(page, act)
      await expect(
        page.getByText(
          `${windows} of ${windows} windows exported again; ${windows} proven at the destination.`,
        ),
      ).toBeVisible({ timeout: 120_000 })
      const saved = page.waitForEvent('download')
      await choose(act, page.getByRole('button', { name: 'Receipt' }).first())
      const file = await (await saved).path()
      expect(act.count).toBeLessThanOrEqual(3)
      const { receipt } = LedgerReceipt.parse(JSON.parse(await readFile(file, 'utf8')))
      expect(receipt.windows.map(({ state }) => state)).toEqual(Array(hours).fill('proven'))
      expect(await service.admin('receipt', 'verify', file)).toMatchObject({ valid: 'yes' })
      await expect.poll(() => receiver.transitions(), { timeout: 90_000 }).toEqual(['opened', 'recovered'])
      await page.reload()
      await expect(page.getByText('Completed', { exact: true })).toBeVisible()
      await navigationLink(page, 'Home').click()
      await expect(page.getByText(`All ${exportCount} exports complete.`)).toBeVisible()
    },
  )

async function byMouse(page: Page, act: Actions): Promise<void> {
  await act.click(page.getByRole('button', { name: /^Repair all/ }))
  // The fix was made outside the service, which therefore predicts that the runs fail again.
  await act.click(page.getByRole('button', { name: `Run ${exportCount} steps anyway` }))
}

async function byKeyboard(page: Page, act: Actions): Promise<void> {
  await act.press('r')
  await expect(page.getByRole('button', { name: /^Run 20 steps anyway/, disabled: false })).toBeVisible()
  await act.press('r')
}

/** Makes the runs of many exports fail, because their common folder is a file; returns that file. */
async function failTogether(service: RunningService, tenant: Tenant): Promise<string> {
  const folder = join(service.dataDirectory, 'exports', String(tenant.project_id))
  const inTheWay = join(folder, 'shared')
  await mkdir(folder, { recursive: true })
  await writeFile(inTheWay, 'A file.')
  await importEvents(service, tenant, { hours, perHour: 2 })
  for (let number = 1; number <= exportCount; number += 1) {
    const { id } = await createExport(service, tenant, {
      name: `Export ${number}`,
      end_at: hoursAgo(0),
      destination: { type: 'File', config: { path: `shared/${number}` } },
    })
    await backfillHours(service, tenant, id, { from: hours, to: 0 })
  }
  return inTheWay
}
