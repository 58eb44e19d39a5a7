import { formatInstant } from '../../../contract/instant.ts'
import { assertScope } from '../../auth/access.ts'
import { forecastDisk, planRetention } from '../../privacy/retention-plan.ts'
import { nextSweep } from '../../privacy/sweep.ts'
import { privacySettings } from '../../store/privacy/privacy-settings.ts'
import { sweptProjects } from '../../store/privacy/retained-rows.ts'
import type { Handler } from '../handler.ts'

export const getRetention: Handler<'getRetention'> = async ({ services, caller, project, query }) => {
  assertScope(caller, 'batch_export:read')
  const { store, config } = services
  const settings = await privacySettings(store, project.id)
  const tried = Object.fromEntries(Object.entries(query).filter(([, limit]) => limit !== undefined))
  const data = await planRetention(services, project.id, { ...settings, ...tried })
  const [last] = await sweptProjects(store, project.id)
  return {
    data,
    next_sweep_at: last ? formatInstant(nextSweep(last.swept_at.getTime())) : null,
    swept_at: last?.swept ? formatInstant(last.swept_at) : null,
    swept: last?.swept ?? null,
    recording_days: config.recordingRetentionDays,
    disk: await forecastDisk(services),
  }
}
