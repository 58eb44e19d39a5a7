import type { ErasureStep, PersonErasure } from '../../contract/privacy/person-erasure.ts'
import { Status } from '../ui/status.tsx'

/** What an erasure does, step by step. */
export const stepLabels: Record<Exclude<ErasureStep, 'done'>, string> = {
  person: 'Deleting the profile',
  windows: 'Finding exported windows',
  recordings: 'Deleting recordings',
  rows: 'Hiding events',
  disk: 'Rewriting files on the disk',
}

/** The state of an erasure as shape and text. */
export function ErasureStatus({ erasure: { step, problem, rewritten_at } }: { erasure: PersonErasure }) {
  if (step !== 'done')
    return problem === null ? (
      <Status tone="running">{stepLabels[step]}</Status>
    ) : (
      <Status tone="stopped" title={problem}>
        Repeating a step
      </Status>
    )
  return rewritten_at === null ? (
    <Status tone="stopped">Hidden, not rewritten</Status>
  ) : (
    <Status tone="ok">Erased</Status>
  )
}
