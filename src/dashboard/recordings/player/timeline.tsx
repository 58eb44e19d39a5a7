import './timeline.css'
import { memo, useEffect, useId, useMemo, useRef, useState, type PointerEvent } from 'react'
import type { RecordingNote } from '../../../contract/recordings/recording-note.ts'
import { useWidth } from '../../ui/use-width.ts'
import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { NoteMarkers, NotesNear, type Pointed } from './note-markers.tsx'
import { gapInWords } from './losses.ts'
import { usePlayer, type Player } from './player.ts'
import { isErrorMark, type Lane, type Mark, type Outline, type TimeRange } from './player-messages.ts'

/** Height of the activity and its marks. */
const activityHeight = 46
const baseline = 30
const laneHeight = 10
/** Distance (px) from the pointer within which marks are listed. */
const nearMax = 6

type TimelineProps = { player: Player; notes?: readonly RecordingNote[] | undefined }

/** The recording's activity over time with the playback position; a click or drag seeks. */
export function Timeline({ player, notes = [] }: TimelineProps) {
  const [width, ref] = useWidth()
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const outline = usePlayer(player, (state) => state.outline)
  const marks = usePlayer(player, (state) => state.marks)
  const lanes = outline.lanes.length > 1 ? outline.lanes : []
  const height = activityHeight + lanes.length * laneHeight
  const pin = (event: PointerEvent<HTMLElement>) => {
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top
    if (y >= activityHeight) player.pin(Math.floor((y - activityHeight) / laneHeight) + 1)
  }
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const { clientX, buttons } = event
    setPointed({ x: Math.min(Math.max(0, clientX - left), width), clientX, isDragging: buttons !== 0 })
  }
  return (
    <div
      ref={ref}
      className="relative"
      style={{ height }}
      onPointerMove={point}
      onPointerDownCapture={pin}
      onPointerLeave={() => setPointed(null)}
    >
      <Shapes outline={outline} marks={marks} width={width} />
      <Highlights player={player} width={width} />
      <Played player={player} width={width} />
      {lanes.length > 0 && <Lanes player={player} lanes={lanes} end={outline.end} width={width} />}
      <Slider player={player} />
      <NoteMarkers player={player} notes={notes} width={width} onPoint={setPointed} />
      {pointed && (
        <Tip player={player} pointed={pointed} width={width} outline={outline} marks={marks} notes={notes} />
      )}
    </div>
  )
}

const Shapes = memo(function Shapes({ outline, marks, width }: ShapesProps) {
  const { idle, gaps, end } = outline
  const hatching = useId()
  const drawn = useMemo(() => markPaths(marks, end, width), [marks, end, width])
  const x = scaleOf(end, width)
  return (
    <svg aria-hidden="true" className="absolute inset-0" width={width} height={activityHeight}>
      <pattern id={hatching} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0v6" className="stroke-short" strokeWidth={4} />
      </pattern>
      <path d={bars(gaps, x, 4, baseline - 4, 2)} fill={`url(#${hatching})`} className="opacity-60" />
      <path d={bars(idle, x, 4, baseline - 4)} className="fill-idle opacity-35" />
      <path d={barsPath(outline.activity, width)} className="fill-ink-3 opacity-40" />
      <path d={`M0 ${baseline + 0.5}h${width}`} className="stroke-line-strong" />
      <path d={drawn.clicks} className="fill-run" />
      <path d={drawn.pages} className="fill-ink-3" />
      <path d={drawn.rages} className="fill-short" />
      <path d={drawn.errors} className="fill-fail" />
    </svg>
  )
})

type ShapesProps = { outline: Outline; marks: readonly Mark[]; width: number }

/** Colours the activity before the playback position. */
function Played({ player, width }: { player: Player; width: number }) {
  const activity = usePlayer(player, (state) => state.outline.activity)
  const share = usePlayer(player, ({ playing, outline }) => playing.at / Math.max(outline.end, 1))
  const path = useMemo(() => barsPath(activity, width), [activity, width])
  return (
    <svg
      aria-hidden="true"
      className="absolute inset-0"
      width={width}
      height={activityHeight}
      style={{ clipPath: `inset(0 ${(1 - Math.min(share, 1)) * 100}% 0 0)` }}
    >
      <path d={path} className="fill-accent" />
    </svg>
  )
}

/** The parts that highlights play: a bar for a moment, a line where it plays faster. */
function Highlights({ player, width }: { player: Player; width: number }) {
  const highlights = usePlayer(player, (state) => state.highlights)
  const end = usePlayer(player, ({ outline }) => outline.end)
  if (!highlights) return null
  const x = scaleOf(end, width)
  const { slow = [], fast = [] } = Object.groupBy(highlights, ({ speed }) => (speed === 1 ? 'slow' : 'fast'))
  return (
    <svg aria-hidden="true" className="absolute inset-x-0 top-0" width={width} height={5}>
      <path d={bars(slow, x, 0, 5, 1)} className="fill-short" />
      <path d={bars(fast, x, 2, 1, 1)} className="fill-ink-3" />
    </svg>
  )
}

/** The windows of the recording: a line while a window is open, a bar while the visitor uses it. A click pins a window. */
function Lanes({ player, lanes, end, width }: LanesProps) {
  const pinned = usePlayer(player, (state) => state.pinned)
  const scale = scaleOf(end, width)
  const x = (at: number) => scale(Math.min(Math.max(at, 0), end))
  const height = lanes.length * laneHeight
  return (
    <svg aria-hidden="true" className="absolute inset-x-0 bottom-0" width={width} height={height}>
      {lanes.map(({ open, used }, index) => (
        <g
          key={index}
          transform={`translate(0 ${(index + 0.5) * laneHeight})`}
          className={pinned === null || pinned === index + 1 ? '' : 'opacity-35'}
        >
          <path d={`M${x(open.from)} 0H${Math.max(x(open.to), x(open.from) + 2)}`} className="stroke-ink-3" />
          <path d={bars(used, x, -2.5, 5, 2)} className="fill-accent" />
        </g>
      ))}
    </svg>
  )
}

type LanesProps = { player: Player; lanes: readonly Lane[]; end: number; width: number }

function Slider({ player }: { player: Player }) {
  const at = usePlayer(player, ({ playing }) => Math.floor(playing.at / 100) * 100)
  const end = usePlayer(player, ({ outline }) => outline.end)
  return (
    <input
      type="range"
      aria-label="Playback position"
      aria-valuetext={`${clockTime(at)} of ${clockTime(end)}`}
      className="timeline-slider rounded-sm"
      min={0}
      max={end}
      step={100}
      value={at}
      onChange={(event) => player.seek(Number(event.target.value))}
      onKeyDown={(event) => {
        if (event.key !== ' ') return
        event.preventDefault()
        player.toggle()
      }}
    />
  )
}

type TipProps = ShapesProps & { player: Player; pointed: Pointed; notes: readonly RecordingNote[] }

/** Time (ms) for which the pointer rests before the page at that moment is shown. */
const restMs = 90

/** What happened at the pointer's moment, below a small picture of the page at that time. */
function Tip({ player, pointed: { x, clientX, isDragging }, width, outline, marks, notes }: TipProps) {
  const ref = useRef<HTMLDivElement>(null)
  const msPerPixel = outline.end / Math.max(width, 1)
  const at = x * msPerPixel
  useEffect(() => {
    if (isDragging) {
      player.endPreview()
      return undefined
    }
    const show = () => player.preview(at, { clientX, bottom: ref.current?.offsetHeight ?? 0 })
    const timer = setTimeout(show, restMs)
    return () => clearTimeout(timer)
  }, [player, at, clientX, isDragging])
  useEffect(() => () => player.endPreview(), [player])
  const around = marks.filter((mark) => Math.abs(mark.at - at) <= nearMax * msPerPixel)
  const clicks = around.filter(({ kind }) => kind === 'click').length
  const listed = around
    .filter((mark) => mark.kind === 'page' || mark.kind === 'rage click' || isErrorMark(mark))
    .slice(0, 4)
  const gap = outline.gaps.find(({ from, to }) => at >= from && at <= to)
  const lane = outline.lanes.findIndex(({ used }) => used.some(({ from, to }) => at >= from && at < to))
  const isIdle = outline.idle.some(({ from, to }) => at >= from && at <= to)
  return (
    <div
      ref={ref}
      className="pointer-events-none absolute bottom-full z-1 mb-1 w-max max-w-64 rounded-md bg-ink px-2 py-1 text-xs text-bg"
      style={x < width / 2 ? { left: x } : { right: width - x }}
    >
      <span className="font-medium">{clockTime(at)}</span>
      {isIdle && ' · idle'}
      {outline.lanes.length > 1 && lane >= 0 && ` · window ${lane + 1}`}
      {clicks > 0 && ` · ${counted(clicks, 'click')}`}
      {gap && <span className="block">▨ {gapInWords(gap)}</span>}
      <NotesNear notes={notes} at={at} within={nearMax * msPerPixel} />
      {listed.map((mark, index) => (
        <span key={index} className="block truncate">
          {isErrorMark(mark) ? '▲' : mark.kind === 'page' ? '▾' : '◆'} {mark.text}
        </span>
      ))}
    </div>
  )
}

/** Returns a function that places a moment (ms since the start) on the timeline (px). */
function scaleOf(end: number, width: number): (at: number) => number {
  return (at) => (at / Math.max(end, 1)) * width
}

/** Returns a path with a bar of this height from `y` down for each period. */
function bars(
  periods: readonly TimeRange[],
  x: (at: number) => number,
  y: number,
  height: number,
  widthMin = 0,
): string {
  return periods
    .map(({ from, to }) => `M${x(from)} ${y}h${Math.max(widthMin, x(to) - x(from))}v${height}H${x(from)}z`)
    .join('')
}

function barsPath(activity: readonly number[], width: number): string {
  const step = width / Math.max(activity.length, 1)
  return activity
    .map((share, index) => {
      if (share === 0) return ''
      const bar = 2 + share * 22
      return `M${(index * step).toFixed(1)} ${(baseline - bar).toFixed(1)}h${(step * 0.65).toFixed(1)}v${bar.toFixed(1)}h${(-step * 0.65).toFixed(1)}z`
    })
    .join('')
}

/** Returns one path for each kind of mark, since there may be thousands. Marks at the same pixel are drawn once. */
function markPaths(marks: readonly Mark[], end: number, width: number) {
  const scale = scaleOf(end, width)
  const x = (mark: Mark) => Math.round(Math.min(Math.max(4, scale(mark.at)), width - 4))
  const path = (shape: string, isShown: (mark: Mark) => boolean) =>
    [...new Set(marks.filter(isShown).map(x))].map((place) => `M${place} ${shape}`).join('')
  return {
    clicks: path(`${baseline - 4}m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z`, ({ kind }) => kind === 'click'),
    rages: path(`${baseline - 9}l5 5l-5 5l-5 -5z`, ({ kind }) => kind === 'rage click'),
    pages: path(`${baseline + 4}m-3 0h6l-3 5z`, ({ kind }) => kind === 'page'),
    errors: path(`${baseline + 3}l4 8h-8z`, isErrorMark),
  }
}
