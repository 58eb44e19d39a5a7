import { memo, useMemo, useState } from 'react'
import type { Interval } from '../../../contract/interval.ts'
import { usePreferences, type Zone } from '../../format/preferences.ts'
import { arrangeWindows } from './arrangement.ts'
import { measure, type Box, type Geometry } from './geometry.ts'
import type { CoveredWindow } from './window-selection.ts'
import { useWindowPicking, type Picking } from './use-window-picking.ts'
import type { FlagsByStart } from './flagged-links.tsx'
import { FlagMarks, WindowShapes } from './window-shapes.tsx'
import { zoneName, duration, windowInWords } from '../../format/time.ts'
import { counted } from '../../format/amount.ts'
import { ledgerFlagInWords } from '../../format/ledger-flags.ts'
import { windowStateInWords } from '../../format/window-state.ts'

type WindowGridProps = Omit<Picking, 'arrangement' | 'geometry'> & {
  interval: Interval
  flags: FlagsByStart
  /** Room for the grid, in CSS pixels; nothing is drawn while it is 0. */
  width: number
}

/**
 * Draws all windows of a period. Arrow keys move the focus, with Shift they select; Space toggles a window, Enter opens its run,
 * Escape clears the selection. Dragging selects a range, with Ctrl or ⌘ in addition to the selection.
 */
export function WindowGrid(props: WindowGridProps) {
  const { interval, windows, flags, width, selected } = props
  const { zone } = usePreferences()
  const [now] = useState(Date.now)
  const [hasFocus, setHasFocus] = useState(false)
  const arrangement = useMemo(() => arrangeWindows(interval, windows, zone), [interval, windows, zone])
  const geometry = useMemo(() => measure(arrangement, width), [arrangement, width])
  const boxes = useMemo(
    () => arrangement.places.map((place) => ({ ...geometry.cornerOf(place), ...geometry.cell })),
    [arrangement, geometry],
  )
  const picking = useWindowPicking({ ...props, arrangement, geometry })
  const { active, cell, hovered, handlers, onKeyDown } = picking
  const [window, place, box] = [windows[active], arrangement.places[active], boxes[active]]
  const described = hovered ?? (hasFocus ? active : null)
  return (
    <div className="min-w-0" style={{ minHeight: geometry.height }}>
      {width > 0 && window && place && box && (
        <div
          className="relative touch-pan-y select-none"
          style={{ width: geometry.width, height: geometry.height }}
          {...handlers}
        >
          <Picture windows={windows} flags={flags} boxes={boxes} geometry={geometry} selected={selected} />
          <table
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the cells of this table are grid cells
            role="grid"
            tabIndex={-1}
            aria-label="Windows of the period"
            aria-multiselectable="true"
            aria-rowcount={arrangement.blocks.length}
            aria-colcount={arrangement.lines.length * arrangement.slots}
            onKeyDown={onKeyDown}
            onFocus={(event) => setHasFocus(event.target.matches(':focus-visible'))}
            onBlur={() => setHasFocus(false)}
          >
            <tbody>
              <tr aria-rowindex={place.block + 1}>
                <td
                  key={active}
                  ref={cell}
                  tabIndex={0}
                  aria-selected={selected.has(window.start)}
                  aria-colindex={place.line * arrangement.slots + place.slot + 1}
                  aria-label={Object.values(windowFacts(window, flags, zone, now)).join(': ')}
                  className="absolute rounded-sm p-0"
                  style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
                />
              </tr>
            </tbody>
          </table>
          {described !== null && (
            <WindowTip
              window={windows[described]}
              flags={flags}
              box={boxes[described]}
              within={geometry.width}
              now={now}
            />
          )}
        </div>
      )}
    </div>
  )
}

type PictureProps = Pick<WindowGridProps, 'windows' | 'flags' | 'selected'> & {
  boxes: readonly Box[]
  geometry: Geometry
}

const Picture = memo(function Picture({ windows, flags, boxes, geometry, selected }: PictureProps) {
  const chosen = boxes.filter((_, index) => selected.has(windows[index]?.start ?? Number.NaN))
  return (
    <>
      <svg
        aria-hidden="true"
        width={geometry.width}
        height={geometry.height}
        className="absolute inset-0 overflow-visible"
      >
        <WindowShapes windows={windows} boxes={boxes} />
        <FlagMarks boxes={boxes.filter((_, index) => flags.has(windows[index]?.start ?? Number.NaN))} />
        <path
          className="fill-accent/15 stroke-accent stroke-2"
          d={joined(joined(chosen, geometry.gap), geometry.gap)
            .map(({ x, y, width, height }) => `M${x - 1} ${y - 1}h${width + 2}v${height + 2}h${-width - 2}z`)
            .join('')}
        />
      </svg>
      {geometry.labels.map(({ text, x, y, align }) => (
        <span
          key={`${x} ${y}`}
          aria-hidden="true"
          className={`absolute -translate-y-1/2 text-[11px] leading-4 whitespace-nowrap text-ink-3 ${align === 'middle' ? '-translate-x-1/2' : ''}`}
          style={{ left: x, top: y }}
        >
          {text}
        </span>
      ))}
    </>
  )
})

type WindowTipProps = {
  window: CoveredWindow | undefined
  flags: FlagsByStart
  box: Box | undefined
  /** Width of the grid; the tip stays inside it. */
  within: number
  now: number
}

/** Describes the window under the pointer or focus. */
function WindowTip({ window, flags, box, within, now }: WindowTipProps) {
  const { zone } = usePreferences()
  if (!window || !box) return null
  const { time, facts } = windowFacts(window, flags, zone, now)
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

/** Returns frames around boxes: consecutive ones separated only by the gap share one. Applied again, joins whole lines. */
function joined(boxes: readonly Box[], gap: Geometry['gap']): Box[] {
  const frames: Box[] = []
  for (const box of boxes) {
    const last = frames.at(-1)
    if (last && last.y === box.y && last.height === box.height && box.x === last.x + last.width + gap.x)
      last.width += gap.x + box.width
    else if (last && last.x === box.x && last.width === box.width && box.y === last.y + last.height + gap.y)
      last.height += gap.y + box.height
    else frames.push({ ...box })
  }
  return frames
}

/** Describes a window: its time, and its state, rows, duration, attempt and flags. */
function windowFacts(window: CoveredWindow, flags: FlagsByStart, zone: Zone, now: number) {
  const { state, run } = window
  const facts = [windowStateInWords(state)]
  if (run) {
    if (state !== 'waiting') facts.push(counted(run.records, 'row'))
    if (run.duration !== null) facts.push(duration(run.duration))
    if (run.attempt > 1) facts.push(`attempt ${run.attempt}`)
  }
  facts.push(...(flags.get(window.start) ?? []).map(ledgerFlagInWords))
  return { time: windowInWords(window, zone, now), facts: facts.join(', ') }
}
