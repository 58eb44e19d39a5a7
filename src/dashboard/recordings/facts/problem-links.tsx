import { type RecordingFacts, secondsBefore } from '../../../contract/recordings/recording-facts.ts'
import { cellShapes } from '../../ui/cell-strip.tsx'
import { clockTime } from '../../format/clock.ts'
import { LinkToRecording, type InList } from './link-to-recording.tsx'
import { rageCell } from './activity-strip.tsx'

type Problem = RecordingFacts['problems'][number]

/** `lines`: a class that limits the number of lines. */
type ProblemLinkProps = { problem: Problem; id: string; place: InList; lines: string }

/** A problem of a recording; the link opens the recording three seconds before it. */
export function ProblemLink({ problem: { kind, label, at }, id, place, lines }: ProblemLinkProps) {
  return (
    <LinkToRecording
      id={id}
      place={place}
      t={secondsBefore(at)}
      title={`${kinds[kind].name} at ${clockTime(at)}: ${label}`}
      className={`${lines} leading-[18px] wrap-anywhere hover:underline`}
    >
      <ProblemMark kind={kind} /> <span className="text-ink-3">{clockTime(at)}</span>{' '}
      <span className={kinds[kind].isClear ? 'sr-only' : ''}>{kinds[kind].name}: </span>
      {label}
    </LinkToRecording>
  )
}

const { outline, notched } = cellShapes

/**
 * `draw`: the cell of the recording's strip; an abandoned form is half filled. `isClear`: whether the label alone says what
 * went wrong; that of a rage click or a form names only elements.
 */
const kinds: Record<Problem['kind'], { name: string; draw: string; className: string; isClear?: boolean }> = {
  error: { name: 'Error', draw: notched(0), className: 'fill-fail', isClear: true },
  rage: { name: 'Rage click', draw: rageCell(0), className: 'fill-short' },
  request: {
    name: 'Failed request',
    draw: outline(0),
    className: 'stroke-fail [stroke-dasharray:2.5_1.5]',
    isClear: true,
  },
  form: { name: 'Left a form', draw: `${outline(0)}M2 9v8`, className: 'stroke-short-ink' },
}

function ProblemMark({ kind }: { kind: Problem['kind'] }) {
  const { draw, className } = kinds[kind]
  return (
    <svg
      aria-hidden="true"
      width="3.2"
      height="14"
      viewBox="0 0 4 18"
      fill="none"
      className="inline-block align-[-2px]"
    >
      <path d={draw} className={className} />
    </svg>
  )
}
