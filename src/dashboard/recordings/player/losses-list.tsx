import { clockTime } from '../../format/clock.ts'
import type { Lack } from './losses.ts'
import type { Outline } from './player-messages.ts'

type LossesProps = { lacks: readonly Lack[]; outline: Outline; onSeek: (at: number) => void }

/** Lists what a recording lacks; loaded when its popover opens. */
export function LossesList({ lacks, outline, onSeek }: LossesProps) {
  return (
    <>
      <h2 className="font-medium">{lacks.length === 0 ? 'No known gaps' : 'Missing from this recording'}</h2>
      <ul className="mt-1 flex flex-col gap-1">
        {lacks.map(({ text, at }) => (
          <li key={`${at} ${text}`}>
            {at !== undefined && (
              <button
                type="button"
                className="mr-1.5 font-mono text-xs text-accent underline underline-offset-3"
                onClick={() => onSeek(at)}
              >
                <span className="sr-only">Go to </span>
                {clockTime(at)}
              </button>
            )}
            {text}
          </li>
        ))}
      </ul>
      <p className="mt-2.5 border-t border-line pt-2 text-xs text-ink-3">{neverRecorded(outline)}</p>
    </>
  )
}

/** Returns sentences that say what recordings never contain. */
export function neverRecorded({ isMasked }: Outline): string {
  const limits =
    'Recorders cannot see closed shadow roots, custom highlights, the frames of videos and animations of scripts bound to scrolling; without page state, they see no Web Animations.'
  return isMasked ? `Text that the visitor entered is masked. ${limits}` : limits
}
