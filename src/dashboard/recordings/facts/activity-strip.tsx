import { memo } from 'react'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { stripBits as bits } from '../../../contract/recordings/recording-facts.ts'
import { CellStrip, cellShapes, type StripLayer } from '../../ui/cell-strip.tsx'
import { cellInWords, stripCells, stripInWords } from './strip-words.ts'

type ActivityStripProps = { recording: Pick<SessionRecording, 'facts' | 'activity' | 'recording_duration'> }

/** A recording over time: activity, page changes, clicks, problems and idle time. */
export const ActivityStrip = memo(function ActivityStrip({ recording }: ActivityStripProps) {
  return <StripOfCells cells={stripCells(recording)} ms={recording.recording_duration * 1000} />
})

/** The strip of a recording of `ms` milliseconds; each cell is a set of `stripBits`. */
export function StripOfCells({ cells, ms }: { cells: readonly number[]; ms: number }) {
  return (
    <CellStrip
      cells={cells}
      layers={layers}
      label={stripInWords(cells, ms)}
      describe={(index) => cellInWords(cells, index, ms)}
      squeezes
    />
  )
}

/** The cell of a rage click: repeated clicks. */
export function rageCell(x: number): string {
  return `M${x} 1h4v4h-4zM${x} 7h4v4h-4zM${x} 13h4v4h-4z`
}

const { outline, notched, base } = cellShapes
const problems = bits.rage | bits.error | bits.request

/** A problem replaces the activity in its cell; a page change is drawn above both. */
const layers: readonly StripLayer<number>[] = [
  { has: (cell) => cell === 0, draw: base, className: 'stroke-idle stroke-3' },
  {
    has: (cell) => (cell & (problems | bits.click)) === 0 && cell !== 0,
    draw: (x) => `M${x + 2} 11.5v5`,
    className: 'stroke-edge stroke-4',
  },
  {
    has: (cell) => (cell & problems) === 0 && (cell & bits.click) !== 0,
    draw: (x) => `M${x + 2} 7.5v8`,
    className: 'stroke-ink-3 stroke-4 [stroke-linecap:round]',
  },
  { has: (cell) => (cell & problems) === bits.rage, draw: rageCell, className: 'fill-short' },
  {
    has: (cell) => (cell & bits.request) !== 0 && (cell & bits.error) === 0,
    draw: outline,
    className: 'stroke-fail stroke-1 [stroke-dasharray:2.5_1.5]',
  },
  { has: (cell) => (cell & bits.error) !== 0, draw: notched, className: 'fill-fail' },
  { has: (cell) => (cell & bits.page) !== 0, draw: (x) => `M${x} 0h4l-2 4.5z`, className: 'fill-run' },
]
