import type { ProjectHealth } from '../../contract/repair/project-health.ts'
import { count, counted } from '../format/amount.ts'

/**
 * Says in one sentence whether all exports are fine: "27 of 30 exports complete; 2 failing since 09:00; 11 windows to repair."
 * `since` words the time at which the first export began to fail.
 */
export function healthSentence({ exports }: Pick<ProjectHealth, 'exports'>, since: string | null): string {
  const { total, complete, failing, auto_paused, paused, to_repair } = exports
  const parts = [
    complete === total ? allComplete(total) : `${count(complete)} of ${counted(total, 'export')} complete`,
    failing > 0 && `${count(failing)} failing${since === null ? '' : ` since ${since}`}`,
    auto_paused > 0 && `${count(auto_paused)} paused after failures`,
    to_repair > 0 && `${counted(to_repair, 'window')} to repair`,
    paused > 0 && `${count(paused)} paused`,
  ]
  return `${parts.filter((part) => part !== false).join('; ')}.`
}

function allComplete(total: number): string {
  if (total === 0) return 'No exports yet'
  return total === 1 ? 'The export is complete' : `All ${counted(total, 'export')} complete`
}
