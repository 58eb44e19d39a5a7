import { expect, type Page } from '@playwright/test'
import { createExport, rowWith, signIn, type Tenant } from './journey.ts'
import type { RunningService } from './service.ts'

export const names = Array.from(
  { length: 14 },
  (_, number) => `Orders ${String(number + 1).padStart(2, '0')}`,
)

/** Creates fourteen exports and opens the list, sorted by name. */
export async function openList(page: Page, service: RunningService, tenant: Tenant): Promise<void> {
  for (const name of names) await createExport(service, tenant, { name })
  await signIn(page, service, tenant.api_key, '/exports?sort=name')
  await expect(page.getByRole('switch')).toHaveCount(names.length)
}

/** Expects exactly these exports to be paused. */
export async function expectPaused(page: Page, paused: readonly string[]): Promise<void> {
  for (const name of names)
    await expect(rowWith(page, name).getByRole('switch')).toBeChecked({ checked: !paused.includes(name) })
}
