import type { FailureCauseGroup } from '../../../contract/runs/failure-cause.ts'
import { ButtonLink } from '../../ui/controls/button-link.tsx'

/** Opens the destination in the form of an export. */
export function FixDestination({ of, reason }: { of: { id: string; name: string }; reason: string | null }) {
  return (
    <ButtonLink look="primary" to="/exports/$id/edit" params={{ id: of.id }} hash="where" reason={reason}>
      <span title={`Edit ${of.name}`}>Fix destination</span>
    </ButtonLink>
  )
}

/** Returns an export whose destination must be fixed before a retry of this cause can succeed, if there is one. */
export function exportToFix(cause: FailureCauseGroup) {
  return cause.exports.find((one) => one.windows_left > 0 && one.needs_fix)
}
