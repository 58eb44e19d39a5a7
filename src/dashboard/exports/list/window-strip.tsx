import { memo, useCallback, useMemo } from 'react'
import { decodeStates } from '../../../contract/coverage.ts'
import { intervalLength, type Interval } from '../../../contract/interval.ts'
import { usePreferences } from '../../words/preferences.ts'
import { Strip } from '../../ui/strip.tsx'
import { count } from '../../words/amount.ts'
import { windowInWords } from '../../words/time.ts'
import { windowStateInWords } from '../../words/window-state.ts'

/** `strip`: encoded as in the overview; `end`: end (ms) of the last window. */
type WindowStripProps = { strip: string; interval: Interval; end: number }

/** Shows the states of an export's last windows. */
export const WindowStrip = memo(function WindowStrip({ strip, interval, end }: WindowStripProps) {
  const { zone } = usePreferences()
  const states = useMemo(() => decodeStates(strip), [strip])
  const length = intervalLength(interval)
  const describe = useCallback(
    (index: number) => {
      const start = end - (states.length - index) * length
      const window = windowInWords({ start, end: start + length }, zone, Date.now())
      return `${window}: ${windowStateInWords(states[index] ?? 'future')}`
    },
    [states, length, end, zone],
  )
  const label = [...Map.groupBy(states, windowStateInWords)]
    .map(([words, { length: amount }]) => `${count(amount)} ${words}`)
    .join(', ')
  return <Strip states={states} label={`Last ${states.length} windows: ${label}`} describe={describe} />
})
