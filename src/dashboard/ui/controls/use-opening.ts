import { useState } from 'react'

/**
 * Whether a popover is open, and a key for its content that is new at each opening: for a popover that is closed and opened again
 * at once, the browser reports only the opening, and content that stays would not take the focus.
 */
export function useOpening() {
  const [{ open, key }, setOpening] = useState({ open: false, key: 0 })
  const onToggle = ({ newState }: { newState: string }) =>
    setOpening((before) => ({ open: newState === 'open', key: before.key + 1 }))
  return { open, key, onToggle }
}
