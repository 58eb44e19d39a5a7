import { Link } from '@tanstack/react-router'
import { Button } from '../ui/controls/button.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { count } from '../format/amount.ts'
import { useRepair } from './repair/repair-button.tsx'

/** Plans the repair of all windows of the project's exports that need to be exported again. */
export function RepairAll({ windows }: { windows: number }) {
  const { plan, busy, reason: denied } = useRepair(undefined)
  const reason =
    denied ?? (windows === 0 ? 'No window of the last 30 days is missing, failed or short.' : null)
  const label = windows === 0 ? 'Repair all' : `Repair all (${count(windows)})`
  useKeys({ r: { does: label, reason, run: plan } })
  return (
    <>
      <Link to="/repair" className="text-ink-2 underline underline-offset-3 hover:text-ink">
        Repair plans
      </Link>
      <Button look={windows === 0 ? 'plain' : 'primary'} reason={reason} busy={busy} onClick={plan}>
        {label} <KeyHint of="r" />
      </Button>
    </>
  )
}
