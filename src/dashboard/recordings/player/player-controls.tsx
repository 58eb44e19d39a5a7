import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { clockTime } from '../../format/clock.ts'
import { highlightLengths } from './highlight-lengths.ts'
import { speeds, usePlayer, type Player } from './player.ts'
import { toast } from '../../ui/feedback/toasts.ts'

const jumpMs = 10_000

type PlayerControlsProps = {
  player: Player
  toggleFullScreen: () => void
  /** Names what is played without highlights. */
  whole: string
  children?: ReactNode
}

export function PlayerControls({ player, toggleFullScreen, whole, children }: PlayerControlsProps) {
  const isPlaying = usePlayer(player, ({ playing }) => playing.isPlaying)
  const speed = usePlayer(player, (state) => state.speed)
  const skipsIdle = usePlayer(player, (state) => state.skipsIdle)
  const seconds = usePlayer(player, (state) => state.highlightSeconds)
  const pinned = usePlayer(player, (state) => state.pinned)
  const windows = usePlayer(player, ({ outline }) => outline.lanes.length)
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-1.5">
      <Button size="icon" aria-label={isPlaying ? 'Pause' : 'Play'} onClick={player.toggle}>
        <PlayerIcon name={isPlaying ? 'pause' : 'play'} />
      </Button>
      <IconButton label="10 seconds back" icon="back" onClick={() => player.seekBy(-jumpMs)} />
      <IconButton label="10 seconds forward" icon="forward" onClick={() => player.seekBy(jumpMs)} />
      <IconButton label="Previous error" icon="previousError" onClick={() => seekError(player, -1)} />
      <IconButton label="Next error" icon="nextError" onClick={() => seekError(player, 1)} />
      <Clock player={player} />
      <Page player={player} />
      <label className="inline-flex h-8 items-center gap-1.5 px-1 text-ink-2">
        <input type="checkbox" checked={skipsIdle} onChange={() => player.set({ skipsIdle: !skipsIdle })} />
        Skip idle
      </label>
      <Choice
        label="Speed"
        value={speed}
        choices={speeds.map((each) => [each, `${each} ×`])}
        onChoose={(chosen) => player.set({ speed: chosen })}
      />
      <Choice
        label="Highlights"
        value={seconds ?? 0}
        choices={[
          [0, whole],
          ...highlightLengths.map((length) => [length, `Highlights, ${length} s`] as const),
        ]}
        onChoose={(chosen) => player.chooseHighlights(chosen || null)}
        isMarked={seconds !== null}
      />
      {windows > 1 && (
        <Choice
          label="Window"
          value={pinned ?? 0}
          choices={Array.from({ length: windows + 1 }, (_, number) => [
            number,
            number === 0 ? 'Follow the visitor' : `Window ${number}`,
          ])}
          onChoose={(chosen) => player.pin(chosen || null)}
        />
      )}
      {children}
      <IconButton label="Full screen" icon="full" onClick={toggleFullScreen} />
    </div>
  )
}

type ChoiceProps = {
  label: string
  value: number
  choices: readonly (readonly [value: number, text: string])[]
  onChoose: (value: number) => void
  isMarked?: boolean
}

function Choice({ label, value, choices, onChoose, isMarked = false }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(Number(event.target.value))}
      className={`h-8 rounded-md border bg-raised px-1 text-ink-2 max-sm:field-sizing-content ${isMarked ? 'border-accent' : 'border-line'}`}
    >
      {choices.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
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
    <span className="@container min-w-0 flex-1 max-sm:order-last">
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

type IconButtonProps = { label: string; icon: keyof typeof shapes; onClick: () => void }

function IconButton({ label, icon, onClick }: IconButtonProps) {
  return (
    <Button look="quiet" size="icon" aria-label={label} onClick={onClick}>
      <PlayerIcon name={icon} />
    </Button>
  )
}

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
  toast(`No error or failed request ${direction === 1 ? 'after' : 'before'} this moment.`)
}
