import { useRef, type ReactNode, useEffect, useMemo } from 'react'
import type { RecordingNote } from '../../../contract/recordings/recording-note.ts'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { counted } from '../../format/amount.ts'
import { FidelityBadge } from './fidelity-badge.tsx'
import { missingAssets } from './losses.ts'
import { PlayerControls } from './player-controls.tsx'
import { PlayerScreen } from './player-screen.tsx'
import { usePlayer, type Player } from './player.ts'
import { Timeline } from './timeline.tsx'
import { usePlayerKeys } from './use-player-keys.ts'
import type { useSnapshots } from './use-snapshots.ts'
import { chooseHighlights, highlightMoments } from './choose-highlights.ts'

type RecordingPlayerProps = {
  player: Player
  snapshots: ReturnType<typeof useSnapshots>
  /** Number of invalid events that capture dropped; null if unknown. */
  droppedEvents?: number | null
  /** When forms were submitted, in milliseconds since the start; for the highlights. */
  submits?: readonly number[] | undefined
  neighbours?: Parameters<typeof usePlayerKeys>[1]['neighbours']
  notes?: readonly RecordingNote[] | undefined
  /** A form above the timeline. */
  composer?: ReactNode
  /** Fills its container in narrow windows too, where the picture otherwise has the recorded page's proportions. */
  isFilling?: boolean
  /** Additional controls. */
  children?: ReactNode
}

/** The recorded page with its timeline, controls and keyboard shortcuts. */
export function RecordingPlayer(props: RecordingPlayerProps) {
  const { player, snapshots, droppedEvents = null, submits, neighbours, isFilling = false, children } = props
  const { notes, composer } = props
  const ref = useRef<HTMLElement>(null)
  const hasPicture = usePlayer(player, ({ playing }) => playing.hasPicture)
  const toggleFullScreen = () => {
    const change = document.fullscreenElement ? document.exitFullscreen() : ref.current?.requestFullscreen()
    change?.catch(() => toast('The browser does not allow full screen.', { tone: 'failed' }))
  }
  useHighlights(player, snapshots.isAllRead, submits)
  usePlayerKeys(player, { toggleFullScreen, neighbours })
  return (
    <section ref={ref} aria-label="Recording" className="flex h-full flex-col overflow-hidden bg-raised">
      <PlayerScreen player={player} snapshots={snapshots} isFilling={isFilling} />
      <div className="flex flex-col gap-2 border-t border-line px-3.5 py-2.5">
        {hasPicture && snapshots.error && <ProblemNote error={snapshots.error} onRetry={snapshots.retry} />}
        <Omissions player={player} />
        {composer}
        <Timeline player={player} notes={notes} />
        <PlayerControls player={player} toggleFullScreen={toggleFullScreen}>
          <FidelityBadge player={player} droppedEvents={droppedEvents} />
          {children}
        </PlayerControls>
      </div>
    </section>
  )
}

/** Reports the parts of the recording that could not be read or rendered. */
function Omissions({ player }: { player: Player }) {
  const unreadable = usePlayer(player, (state) => state.unreadable)
  const problem = usePlayer(player, (state) => state.problem)
  const missing = usePlayer(player, missingAssets)
  const skipped = `${counted(unreadable, 'event')} could not be read and ${unreadable === 1 ? 'was' : 'were'} skipped.`
  const sentences = [problem, unreadable > 0 && skipped, missing && `${missing} not available.`].filter(
    Boolean,
  )
  return sentences.length > 0 && <p className="text-xs text-short-ink">{sentences.join(' ')}</p>
}

const none: readonly number[] = []

/**
 * Chooses the parts of the player's highlights once the whole recording has been read. `submits` are the times (ms since the start)
 * when forms were submitted; it must be the same array until they change.
 */
function useHighlights(player: Player, isAllRead: boolean, submits: readonly number[] = none): void {
  const seconds = usePlayer(player, ({ highlightSeconds }) => (isAllRead ? highlightSeconds : null))
  const marks = usePlayer(player, (state) => (seconds === null ? null : state.marks))
  const outline = usePlayer(player, (state) => (seconds === null ? null : state.outline))
  const highlights = useMemo(() => {
    if (seconds === null || !marks || !outline) return null
    const { idle, end } = outline
    return chooseHighlights({ moments: highlightMoments(marks, submits), idle, end }, seconds * 1000)
  }, [seconds, marks, outline, submits])
  useEffect(() => player.sendHighlights(highlights), [player, highlights])
}
