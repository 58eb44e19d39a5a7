import type { Interval, Window } from '../../../contract/interval.ts'
import { usePreferences } from '../../format/preferences.ts'
import { Button } from '../../ui/controls/button.tsx'
import { DayField } from '../../ui/controls/day-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { fieldTime, readFieldTime, zoneName } from '../../format/time.ts'
import { periodInWords, periodsFor, type PeriodName } from './period.ts'
import type { ChosenPeriod } from './use-period.ts'

const day = 24 * 60 * 60_000

type PeriodBarProps = {
  interval: Interval
  /** `lifetime`: since the export's first window; null for a custom period. */
  chosen: PeriodName | 'lifetime' | null
  bounds: Window
  /** Why there is no earlier period to show. */
  nothingEarlier?: string | null
  /** Whether the export's lifetime can be chosen, by choosing nothing else. */
  offersLifetime?: boolean
  onChange: (chosen: ChosenPeriod) => void
}

/** Chooses the period that the grid shows: a preset, a custom one, or the one before or after. */
export function PeriodBar(props: PeriodBarProps) {
  const { interval, chosen, bounds, nothingEarlier = null, offersLifetime = false, onChange } = props
  const length = bounds.end - bounds.start
  const onBounds = ({ start, end }: Window) =>
    onChange({ from: new Date(start).toISOString(), to: new Date(end).toISOString() })
  const move = (by: number) => onBounds({ start: bounds.start + by, end: bounds.end + by })
  return (
    <fieldset
      aria-label="Period"
      className="flex flex-wrap items-center gap-1.5 max-sm:-m-1 max-sm:w-[calc(100%+8px)] max-sm:min-w-0 max-sm:scrollbar-none max-sm:flex-nowrap max-sm:fade-hint max-sm:overflow-x-auto max-sm:p-1 print:hidden"
    >
      <Button look="quiet" aria-label="Earlier" reason={nothingEarlier} onClick={() => move(-length)}>
        <Icon name="left" /> Earlier
      </Button>
      <Button look="quiet" aria-label="Later" onClick={() => move(length)}>
        Later <Icon name="right" />
      </Button>
      {offersLifetime && (
        <Chip on={chosen === 'lifetime'} onClick={() => onChange({})}>
          Since it began
        </Chip>
      )}
      {periodsFor(interval).map((name) => (
        <Chip key={name} on={name === chosen} onClick={() => onChange({ period: name })}>
          {periodInWords(name)}
        </Chip>
      ))}
      <Chip on={chosen === null} onClick={() => onBounds(bounds)}>
        Custom
      </Chip>
      {chosen === null && <Days bounds={bounds} onBounds={onBounds} />}
    </fieldset>
  )
}

function Chip({ on, onClick, children }: { on: boolean; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={`h-6 rounded-full border px-2.5 text-xs whitespace-nowrap hover:bg-hover ${on ? 'border-accent font-medium text-ink' : 'border-line text-ink-2'}`}
    >
      {children}
    </button>
  )
}

/** Chooses a custom period: from the start of one day to the end of another, in the chosen zone. */
function Days({ bounds, onBounds }: { bounds: Window; onBounds: (bounds: Window) => void }) {
  const { zone } = usePreferences()
  const dateOf = (time: number) => fieldTime(time, zone).slice(0, 10)
  const midnight = (date: string, later = 0) => {
    const instant = readFieldTime(`${date}T00:00`, zone)
    if (instant === null) return null
    // Adding a day and a half reaches the next day even if this one has 23 or 25 hours.
    return later === 0
      ? Date.parse(instant)
      : Date.parse(readFieldTime(`${dateOf(Date.parse(instant) + 1.5 * day)}T00:00`, zone) ?? instant)
  }
  return (
    <span className="flex items-center gap-1.5">
      <DayField
        label={`First day, ${zoneName(zone)} time`}
        date={dateOf(bounds.start)}
        onDate={(date) => {
          const start = midnight(date)
          if (start !== null) onBounds({ start, end: Math.max(bounds.end, midnight(date, 1) ?? start + day) })
        }}
      />
      <span aria-hidden="true">–</span>
      <DayField
        label={`Last day, ${zoneName(zone)} time`}
        date={dateOf(bounds.end - 1)}
        onDate={(date) => {
          const end = midnight(date, 1)
          if (end !== null) onBounds({ start: Math.min(bounds.start, midnight(date) ?? end - day), end })
        }}
      />
    </span>
  )
}
