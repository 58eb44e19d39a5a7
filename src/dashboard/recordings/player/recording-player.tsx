import { Suspense, useRef, type ReactNode, useEffect, useMemo, useId, useState } from 'react'
import type { RecordingNote } from '../../../contract/recordings/recording-note.ts'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { counted } from '../../format/amount.ts'
import { missingAssets, lossesOf } from './losses.ts'
import { PlayerControls, seekError } from './player-controls.tsx'
import { PlayerScreen } from './player-screen.tsx'
import { usePlayer, type Player } from './player.ts'
import { Timeline } from './timeline.tsx'
import type { useSnapshots } from './use-snapshots.ts'
import { chooseHighlights, highlightMoments } from './choose-highlights.ts'
import { useKeys, type KeyBinding } from '../../ui/use-keys.ts'
import { buttonClass } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyNamed } from '../../ui/lazy-named.ts'

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
  /** Names what is played without highlights: a link may share a part of the recording. */
  whole?: string
  /** Additional controls. */
  children?: ReactNode
}

/** The recorded page with its timeline, controls and keyboard shortcuts. */
export function RecordingPlayer(props: RecordingPlayerProps) {
  const { player, snapshots, droppedEvents = null, submits, neighbours, isFilling = false } = props
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
        {props.composer}
        <Timeline player={player} notes={props.notes} />
        <PlayerControls
          player={player}
          toggleFullScreen={toggleFullScreen}
          whole={props.whole ?? 'Whole recording'}
        >
          <FidelityBadge player={player} droppedEvents={droppedEvents} />
          {props.children}
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
  useEffect(() => {
    if (highlights !== player.state.get().highlights) player.set({ highlights })
  }, [player, highlights])
}

const stepMs = 5_000

type Targets = {
  toggleFullScreen: () => void
  /** The recordings before and after this one; absent on pages without a list. */
  neighbours?: { next: Neighbour; previous: Neighbour } | undefined
}
type Neighbour = Pick<KeyBinding, 'run' | 'reason'>

/** Registers the keyboard shortcuts of a player; they work wherever the focus is. */
function usePlayerKeys(player: Player, { toggleFullScreen, neighbours }: Targets): void {
  const tenths = Array.from({ length: 10 }, (_, tenth) => ({
    does: 'Jump to this tenth of the recording',
    run: () => player.seek((player.state.get().outline.end * tenth) / 10),
    moves: true,
  }))
  useKeys({
    ' ': { does: 'Play or pause', run: player.toggle },
    ArrowLeft: { does: '5 seconds back', run: () => player.seekBy(-stepMs), moves: true },
    ArrowRight: { does: '5 seconds forward', run: () => player.seekBy(stepMs), moves: true },
    ArrowUp: { does: 'Faster', run: () => player.changeSpeed(1), moves: true },
    ArrowDown: { does: 'Slower', run: () => player.changeSpeed(-1), moves: true },
    ...Object.fromEntries(tenths.entries()),
    e: { does: 'Next error', run: () => seekError(player, 1), moves: true },
    E: { does: 'Previous error', run: () => seekError(player, -1), moves: true },
    h: {
      does: 'Play the highlights in 30 seconds, or the whole recording',
      run: () => player.chooseHighlights(player.state.get().highlightSeconds === null ? 30 : null),
    },
    w: { does: 'Pin the next window, or follow the visitor', run: player.pinNext },
    f: { does: 'Full screen', run: toggleFullScreen },
    n: neighbours && { does: 'Next recording', ...neighbours.next },
    p: neighbours && { does: 'Previous recording', ...neighbours.previous },
  })
}

const LossesList = lazyNamed(() => import('./losses-list.tsx'), 'LossesList')

type FidelityBadgeProps = { player: Player; droppedEvents: number | null }

/** Shows whether the recording is complete, and lists what it lacks. */
function FidelityBadge({ player, droppedEvents }: FidelityBadgeProps) {
  const id = useId()
  const outline = usePlayer(player, (state) => state.outline)
  const unreadable = usePlayer(player, (state) => state.unreadable)
  const missing = usePlayer(player, missingAssets)
  const missingReasons = usePlayer(player, (state) => state.missingReasons)
  const [isOpen, setIsOpen] = useState(false)
  const lacks = lossesOf({ outline, unreadable, droppedEvents, missing, missingReasons })
  const isComplete = lacks.length === 0
  const label = isComplete ? 'Complete' : counted(lacks.length, 'known gap')
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        title={label}
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
        onBeforeToggle={(event) => setIsOpen(event.newState === 'open')}
        className="anchored max-h-80 w-80 max-w-[calc(100vw-2rem)] overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-overlay"
      >
        <Suspense>{isOpen && <LossesList lacks={lacks} outline={outline} onSeek={player.seek} />}</Suspense>
      </div>
    </>
  )
}
