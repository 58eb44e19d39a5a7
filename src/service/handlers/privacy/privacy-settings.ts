import { invalidInput } from '../../problems/api-error.ts'
import { checkSelector } from '../../masking/mask-selectors.ts'
import { changePrivacySettings, privacySettings } from '../../store/privacy/privacy-settings.ts'
import { lastSweep } from '../../privacy/sweep.ts'
import { startSweeps } from '../../store/privacy/retained-rows.ts'
import type { Handler } from '../handler.ts'

export const getPrivacySettings: Handler<'getPrivacySettings'> = async ({ services, project }) =>
  await privacySettings(services.store, project.id)

export const updatePrivacySettings: Handler<'updatePrivacySettings'> = async ({
  services,
  project,
  body,
}) => {
  assertSelectors('masked_selectors', body.masked_selectors)
  assertSelectors('blocked_selectors', body.blocked_selectors)
  const settings = await changePrivacySettings(services.store, project.id, body)
  const now = services.clock.now()
  const [at, last] = [new Date(now), new Date(lastSweep(now))]
  await startSweeps(services.store, project.id, { now: at, last })
  return settings
}

/** @throws ApiError 400: one invalid selector would disable all others. */
function assertSelectors(field: string, selectors: readonly string[] = []): void {
  for (const [index, selector] of selectors.entries()) {
    const problem = checkSelector(selector)
    if (problem !== null) throw invalidInput(problem, [field, index])
  }
}
