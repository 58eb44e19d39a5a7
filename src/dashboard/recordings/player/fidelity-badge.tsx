import { useId, useState } from 'react'
import { buttonClass } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { lossesOf, missingAssets, neverRecorded, type Lack } from './losses.ts'
import type { Outline } from './player-messages.ts'
import { usePlayer, type Player } from './player.ts'

type FidelityBadgeProps = {
  player: Player
  /** Number of invalid events that capture dropped; null if unknown. */
  droppedEvents: number | null
}

/** Shows whether the recording is complete, and lists what it lacks. */
export function FidelityBadge({ player, droppedEvents }: FidelityBadgeProps) {
  const id = useId()
  const outline = usePlayer(player, (state) => state.outline)
  const unreadable = usePlayer(player, (state) => state.unreadable)
  const missing = usePlayer(player, missingAssets)
  const missingReasons = usePlayer(player, (state) => state.missingReasons)
  const [isOpen, setIsOpen] = useState(false)
  const lacks = lossesOf({ outline, unreadable, droppedEvents, missing, missingReasons })
  const isComplete = lacks.length === 0
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={isComplete ? 'Complete' : counted(lacks.length, 'known gap')}
        className={buttonClass('quiet', isComplete ? 'icon' : 'normal')}
      >
        <span className={isComplete ? 'text-ok-ink' : 'text-short-ink'}>
          <Icon name={isComplete ? 'check' : 'alert'} />
        </span>
        {!isComplete && lacks.length}
      </button>
      <div
        id={id}
        popover="auto"
        onBeforeToggle={(event) => {
          if (event.newState === 'open') setIsOpen(true)
        }}
        onToggle={(event) => {
          if (event.newState === 'closed') setIsOpen(false)
        }}
        className="anchored max-h-80 w-80 max-w-[calc(100vw-2rem)] overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-overlay"
      >
        {isOpen && <Losses lacks={lacks} outline={outline} onSeek={player.seek} />}
      </div>
    </>
  )
}

type LossesProps = { lacks: readonly Lack[]; outline: Outline; onSeek: (at: number) => void }

function Losses({ lacks, outline, onSeek }: LossesProps) {
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
