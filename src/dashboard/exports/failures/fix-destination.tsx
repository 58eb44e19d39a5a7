import { atBucketOrFolder, type FailureCauseGroup } from '../../../contract/runs/failure-cause.ts'
import { ButtonLink } from '../../ui/controls/button-link.tsx'

type FixDestinationProps = { of: { id: string; name: string }; reason: string | null }

/** Opens the destination in the form of an export. */
export function FixDestination({ of: { id, name }, reason }: FixDestinationProps) {
  return (
    <ButtonLink
      look="primary"
      to="/exports/$id/edit"
      params={{ id }}
      hash="where"
      title={`Edit ${name}`}
      reason={reason}
    >
      Fix destination
    </ButtonLink>
  )
}

/** Returns an export whose destination must be fixed before a retry of this cause can succeed, if there is one. */
export function exportToFix(cause: FailureCauseGroup) {
  if (!atBucketOrFolder.has(cause.class)) return undefined
  return cause.exports.find((one) => one.windows_left > 0 && !one.changed_since)
}
