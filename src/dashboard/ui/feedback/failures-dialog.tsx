import { Button } from '../controls/button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import type { FailureReport } from './failure-report.ts'

/** Lists the items for which an action failed, with the reasons. */
export function FailuresDialog({ report, onClose }: { report: FailureReport; onClose: () => void }) {
  const { title, failures, retry } = report
  return (
    <Dialog title={title} onClose={onClose}>
      <ul className="mb-4 max-h-[50dvh] overflow-y-auto">
        {failures.map(({ id, name, why }) => (
          <li key={id} className="border-b border-line py-1.5 wrap-anywhere">
            <span className="font-medium">{name}</span>
            <span className="block text-ink-2">{why}</span>
          </li>
        ))}
      </ul>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          onClick={() => {
            onClose()
            retry()
          }}
        >
          Retry these
        </Button>
      </div>
    </Dialog>
  )
}
