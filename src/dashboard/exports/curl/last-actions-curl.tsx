import { lastActions } from '../../api/last-actions.ts'
import { usePreferences } from '../../format/preferences.ts'
import { logTime } from '../../format/time.ts'
import { CurlDialog } from './curl-dialog.tsx'
import { requestsOfActions } from './action-requests.ts'

/** Shows the last actions of this tab, whatever they changed, as curl commands. */
export function LastActionsCurl({ onClose }: { onClose: () => void }) {
  const { zone } = usePreferences()
  return (
    <CurlDialog
      title="Your last actions with curl"
      requests={requestsOfActions(lastActions(), (at) => logTime(at, zone))}
      onClose={onClose}
    />
  )
}
