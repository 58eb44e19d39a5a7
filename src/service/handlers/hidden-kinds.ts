import { recordingAlertKinds, type AlertKind } from '../../contract/alerts/alert-rule.ts'
import { allowsScope } from '../../contract/accounts/scopes.ts'
import type { Caller } from '../auth/caller.ts'

/** Returns the kinds of incidents that a caller may not see. */
export function hiddenKinds({ scopes }: Caller): readonly AlertKind[] {
  return allowsScope(scopes, 'session_recording:read') ? [] : recordingAlertKinds
}
