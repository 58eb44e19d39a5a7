import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { clockTime } from '../../format/clock.ts'
import { highlightLengths } from './highlight-lengths.ts'
import { speeds, usePlayer, type Player } from './player.ts'
import { toast } from '../../ui/feedback/toasts.ts'

const jumpMs = 10_000

type PlayerControlsProps = { player: Player; toggleFullScreen: () => void; children?: ReactNode }

export function PlayerControls({ player, toggleFullScreen, children }: PlayerControlsProps) {
  const isPlaying = usePlayer(player, ({ playing }) => playing.isPlaying)
  const speed = usePlayer(player, (state) => state.speed)
  const skipsIdle = usePlayer(player, (state) => state.skipsIdle)
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-1.5">
      <Button size="icon" aria-label={isPlaying ? 'Pause' : 'Play'} onClick={player.toggle}>
        <PlayerIcon name={isPlaying ? 'pause' : 'play'} />
      </Button>
      <Button look="quiet" size="icon" aria-label="10 seconds back" onClick={() => player.seekBy(-jumpMs)}>
        <PlayerIcon name="back" />
      </Button>
      <Button look="quiet" size="icon" aria-label="10 seconds forward" onClick={() => player.seekBy(jumpMs)}>
        <PlayerIcon name="forward" />
      </Button>
      <Button look="quiet" size="icon" aria-label="Previous error" onClick={() => seekError(player, -1)}>
        <PlayerIcon name="previousError" />
      </Button>
      <Button look="quiet" size="icon" aria-label="Next error" onClick={() => seekError(player, 1)}>
        <PlayerIcon name="nextError" />
      </Button>
      <Clock player={player} />
      <Page player={player} />
      <label className="inline-flex h-8 items-center gap-1.5 px-1 text-ink-2">
        <input type="checkbox" checked={skipsIdle} onChange={() => player.set({ skipsIdle: !skipsIdle })} />
        Skip idle
      </label>
      <select
        aria-label="Speed"
        value={speed}
        onChange={(event) => player.set({ speed: Number(event.target.value) })}
        className="h-8 rounded-md border border-line bg-raised px-1 text-ink-2 max-sm:field-sizing-content"
      >
        {speeds.map((each) => (
          <option key={each} value={each}>
            {each} ×
          </option>
        ))}
      </select>
      <HighlightChoice player={player} />
      <WindowChoice player={player} />
      {children}
      <Button look="quiet" size="icon" aria-label="Full screen" onClick={toggleFullScreen}>
        <PlayerIcon name="full" />
      </Button>
    </div>
  )
}

/** Whether the whole recording is played, or its highlights. */
function HighlightChoice({ player }: { player: Player }) {
  const seconds = usePlayer(player, (state) => state.highlightSeconds)
  return (
    <select
      aria-label="Highlights"
      value={seconds ?? 0}
      onChange={(event) => player.chooseHighlights(Number(event.target.value) || null)}
      className={`h-8 rounded-md border bg-raised px-1 text-ink-2 max-sm:field-sizing-content ${seconds === null ? 'border-line' : 'border-accent'}`}
    >
      <option value={0}>Whole recording</option>
      {highlightLengths.map((length) => (
        <option key={length} value={length}>
          Highlights, {length} s
        </option>
      ))}
    </select>
  )
}

/** Which of several windows is shown. */
function WindowChoice({ player }: { player: Player }) {
  const pinned = usePlayer(player, (state) => state.pinned)
  const count = usePlayer(player, ({ outline }) => outline.lanes.length)
  if (count < 2) return null
  return (
    <select
      aria-label="Window"
      value={pinned ?? 0}
      onChange={(event) => player.pin(Number(event.target.value) || null)}
      className="h-8 rounded-md border border-line bg-raised px-1 text-ink-2"
    >
      <option value={0}>Follow the visitor</option>
      {Array.from({ length: count }, (_, index) => (
        <option key={index} value={index + 1}>
          Window {index + 1}
        </option>
      ))}
    </select>
  )
}

function Clock({ player }: { player: Player }) {
  const at = usePlayer(player, ({ playing }) => clockTime(playing.at))
  const end = usePlayer(player, ({ outline }) => clockTime(outline.end))
  return (
    <span className="font-mono text-xs whitespace-nowrap">
      {at} / {end}
    </span>
  )
}

/** The page that the visitor was on at this time; hidden without room for about twelve characters. */
function Page({ player }: { player: Player }) {
  const page = usePlayer(
    player,
    ({ playing, marks }) => marks.findLast(({ kind, at }) => kind === 'page' && at <= playing.at)?.text ?? '',
  )
  return (
    <span className="@container min-w-0 flex-1 max-sm:basis-full">
      <span title={page} className="block truncate text-ink-2 @max-[88px]:hidden">
        {/* Beside the clock, a lone slash would look like a part of the time. */}
        {page === '/' ? 'Home' : page}
      </span>
    </span>
  )
}

const shapes = {
  play: 'M5 3.2v9.6L12.6 8z',
  pause: 'M4.5 3.5h2.2v9H4.5zM9.3 3.5h2.2v9H9.3z',
  back: 'M7.6 3.6v8.8L1.4 8zM14 3.6v8.8L7.8 8z',
  forward: 'M8.4 3.6v8.8L14.6 8zM2 3.6v8.8L8.2 8z',
  previousError: 'M9.5 3.5l5 9h-10zM1.5 4h1.4v8H1.5z',
  nextError: 'M6.5 3.5l5 9h-10zM13.1 4h1.4v8h-1.4z',
  full: 'M2.5 6V2.5H6v1.2H3.7V6zM10 2.5h3.5V6h-1.2V3.7H10zM13.5 10v3.5H10v-1.2h2.3V10zM6 13.5H2.5V10h1.2v2.3H6z',
} as const

/** A decorative icon for a player button that has an accessible name. */
function PlayerIcon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="currentColor"
    >
      <path d={shapes[name]} />
    </svg>
  )
}

/** Seeks to the next or previous error or failed request, or shows a note that there are no more. */
export function seekError(player: Player, direction: 1 | -1): void {
  if (player.seekError(direction)) return
  toast(
    direction === 1
      ? 'No error or failed request after this moment.'
      : 'No error or failed request before this moment.',
  )
}
