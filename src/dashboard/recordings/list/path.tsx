import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import type { RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { outcomeInWords, outcomeOf, pageLabels, pathInWords, shortened } from '../facts/facts-words.ts'

/** The pages of the recording, as many as fit, and its outcome, on one line or on two. */
export function Path({ row, oneLine = false }: { row: SessionRecording; oneLine?: boolean }) {
  const outcome = outcomeOf(row)
  const [fits, ref] = useFits(oneLine && outcome ? ` → ✓ ${outcomeInWords(outcome)}` : '')
  const part = oneLine ? '' : 'max-w-full truncate'
  return (
    <span
      ref={ref}
      title={pathInWords(row)}
      className={`leading-[18px] ${oneLine ? 'block truncate' : 'flex min-w-0 flex-wrap gap-x-1.5'}`}
    >
      <span className={part}>{shortened(pageLabels(row), fits)}</span>{' '}
      {outcome && (
        <span className={part}>
          <span className="text-ink-3">→ </span>
          <Outcome outcome={outcome} />
        </span>
      )}
    </span>
  )
}

/** Width (px) by which a text may be drawn wider than it was measured. */
const slack = 4
let canvas: CanvasRenderingContext2D | null = null

/** The size of the row that was measured last: most rows have the same, and need not be rendered again. */
let measured = { width: Infinity, font: '' }

/** Returns a test whether a text plus `end` fits the element (true until its width is known), and the element's ref. */
function useFits(end: string) {
  const [{ width, font }, setSize] = useState(measured)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    // Before the element is painted; reading its width instead of the entry's would force a layout for each row.
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? Infinity
      flushSync(() => setSize((now) => (now.width === width ? now : (measured = sizeOf(element, width)))))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const fits = (text: string) => {
    if (width === Infinity) return true
    canvas ??= document.createElement('canvas').getContext('2d')
    if (!canvas) return true
    canvas.font = font
    return canvas.measureText(text + end).width <= width - slack
  }
  return [fits, ref] as const
}

function sizeOf(element: HTMLElement, width: number) {
  // The shorthand `font` is empty because it cannot express tabular figures.
  const { fontSize, fontFamily } = getComputedStyle(element)
  return { width, font: `${fontSize} ${fontFamily}` }
}

const looks = {
  completed: ['✓', 'text-ok-ink'],
  left: ['◌', 'text-ink-2'],
  error: ['▲', 'text-fail-ink'],
} as const satisfies Record<RecordingFacts['outcome']['kind'], unknown>

/** How a recording ended: completed, left at a page, or stopped by an error. */
function Outcome({ outcome }: { outcome: RecordingFacts['outcome'] }) {
  const [mark, className] = looks[outcome.kind]
  return (
    <span className={`font-medium ${className}`}>
      <span aria-hidden="true">{mark}</span> {outcomeInWords(outcome)}
    </span>
  )
}
