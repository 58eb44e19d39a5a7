import { toast } from '../../ui/feedback/toasts.ts'
import type { Player } from './player.ts'

/** Seeks to the next or previous error or failed request, or shows a note that there are no more. */
export function seekError(player: Player, direction: 1 | -1): void {
  if (player.seekError(direction)) return
  toast(
    direction === 1
      ? 'No error or failed request after this moment.'
      : 'No error or failed request before this moment.',
  )
}
