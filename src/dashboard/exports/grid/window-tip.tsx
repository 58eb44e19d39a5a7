import { usePreferences } from '../../words/preferences.ts'
import { zoneName } from '../../words/time.ts'
import type { CoveredWindow } from './window-selection.ts'
import { windowFacts } from './window-words.ts'

type WindowTipProps = {
  window: CoveredWindow | undefined
  box: { x: number; y: number; width: number; height: number } | undefined
  /** The width of the picture: the tip stays inside of it. */
  within: number
  now: number
}

/** What is known of the window under the pointer. */
export function WindowTip({ window, box, within, now }: WindowTipProps) {
  const { zone } = usePreferences()
  if (!window || !box) return null
  const { time, facts } = windowFacts(window, zone, now)
  const atLeft = box.x < within / 2
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-2 rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-bg"
      style={{
        top: box.y + box.height + 6,
        ...(atLeft ? { left: box.x } : { right: within - box.x - box.width }),
      }}
    >
      <span className="font-medium">{time}</span> {zoneName(zone)}
      <br />
      {facts.charAt(0).toUpperCase() + facts.slice(1)}
    </div>
  )
}
