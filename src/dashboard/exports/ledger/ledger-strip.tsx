import { memo } from 'react'
import { windowsBetween, type Window } from '../../../contract/interval.ts'
import { decodeLedgerStates, type Ledger, type LedgerState } from '../../../contract/runs/ledger.ts'
import { CellStrip, cellShapes, type StripLayer } from '../../ui/cell-strip.tsx'
import { counted } from '../../format/amount.ts'
import { ledgerStateInWords } from '../../format/ledger.ts'
import { usePreferences } from '../../format/preferences.ts'
import { windowInWords } from '../../format/time.ts'
import { useNow } from '../../ui/use-now.ts'

/** Cells per row: the hours of a week, which also fit the width of a large screen. */
const rowLength = 168

/** The windows of a period, oldest first, in rows, from the first one that was due to the last one. */
export const LedgerStrip = memo(function LedgerStrip({ ledger }: { ledger: Ledger }) {
  const all = decodeLedgerStates(ledger.states)
  const isDue = (state: LedgerState) => state !== 'skipped'
  const bounds = [all.findIndex(isDue), all.findLastIndex(isDue) + 1] as const
  const states = all.slice(...bounds)
  const windows = windowsBetween(ledger.interval, Date.parse(ledger.start), Date.parse(ledger.end)).slice(
    ...bounds,
  )
  const rows = Array.from({ length: Math.ceil(states.length / rowLength) }, (_, row) => row * rowLength)
  return (
    <div className="flex flex-col gap-1">
      {rows.map((from) => (
        <Row
          key={windows[from]?.start}
          windows={windows.slice(from, from + rowLength)}
          states={states.slice(from, from + rowLength)}
        />
      ))}
    </div>
  )
})

function Row({ windows, states }: { windows: readonly Window[]; states: readonly LedgerState[] }) {
  const { zone } = usePreferences()
  const day = useNow((now) => Math.floor(now / 86_400_000) * 86_400_000)
  const [first, last] = [windows[0], windows.at(-1)]
  if (!first || !last) return null
  const spoken = [...Map.groupBy(states, (state) => state)].map(
    ([state, all]) => `${all.length} ${ledgerStateInWords(state)}`,
  )
  const period = windowInWords({ start: first.start, end: last.end }, zone, day)
  return (
    <CellStrip
      cells={states}
      layers={layers}
      label={`${period}: ${counted(states.length, 'window')}, ${spoken.join(', ')}`}
      describe={(index) => {
        const [window, state] = [windows[index], states[index]]
        return window && state ? `${windowInWords(window, zone, day)}: ${ledgerStateInWords(state)}` : ''
      }}
      squeezes
    />
  )
}

/** One cell as a swatch for the legend. */
export function LedgerSwatch({ state }: { state: LedgerState }) {
  const layer = layers.find(({ has }) => has(state))
  return (
    <svg aria-hidden="true" width="4" height="18" viewBox="0 0 4 18" fill="none" className="shrink-0">
      {layer && <path d={layer.draw(0)} className={layer.className} />}
    </svg>
  )
}

const { full, half, outline, notched, base } = cellShapes

const layers: readonly StripLayer<LedgerState>[] = [
  layer('proven', full, 'stroke-ok stroke-4 [stroke-linecap:round]'),
  layer('unverified', outline, 'stroke-ok stroke-1'),
  layer('sent', outline, 'stroke-ok stroke-1'),
  layer('refuted', notched, 'fill-fail'),
  layer('unreadable', half, 'stroke-short stroke-4 [stroke-linecap:round]'),
  layer('unrecorded', (x) => `M${x} 9h4`, 'stroke-edge stroke-2'),
  layer('missing', outline, 'stroke-fail stroke-1 [stroke-dasharray:2.5_1.5]'),
  layer('pending', outline, 'stroke-run stroke-1'),
  layer('skipped', base, 'stroke-idle stroke-3'),
]

function layer(of: LedgerState, draw: (x: number) => string, className: string): StripLayer<LedgerState> {
  return { has: (state) => state === of, draw, className }
}
