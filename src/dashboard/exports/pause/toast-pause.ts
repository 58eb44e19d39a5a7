import type { QueryClient } from '@tanstack/react-query'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { toast } from '../../ui/feedback/toasts.ts'
import { pauseGap } from './pause-gap.ts'

/**
 * Reports that an export was paused or unpaused. After a pause, `more` opens the dialog for its reason and end; after an unpause,
 * the toast offers to export exactly the windows that the pause skipped.
 */
export async function toastPause(
  client: QueryClient,
  batchExport: BatchExport,
  { undo, more }: { undo: () => void; more: () => void },
): Promise<void> {
  const { name, paused } = batchExport
  if (paused) {
    const label = 'Add a reason or an end'
    return toast(`Paused ${name}. Its windows are skipped until it is unpaused.`, {
      undo,
      more: { label, run: more },
    })
  }
  // Without the gap, the toast still says what happened.
  const gap = await pauseGap(client, batchExport).catch(() => null)
  const text = `Unpaused ${name}.`
  if (!gap) toast(text, { undo })
  else toast(`${text} ${gap.text}`, { undo, more: { label: 'Fill the gap', run: gap.fill } })
}
