import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { clockTime } from '../../words/clock.ts'
import { PlayerIcon } from './player-icon.tsx'
import { speeds, usePlayer, type Player } from './player.ts'

const jump = 10_000

type PlayerControlsProps = { player: Player; toggleFullScreen: () => void; children?: ReactNode }

export function PlayerControls({ player, toggleFullScreen, children }: PlayerControlsProps) {
  const isPlaying = usePlayer(player, ({ playing }) => playing.isPlaying)
  const speed = usePlayer(player, (state) => state.speed)
  const skipsIdle = usePlayer(player, (state) => state.skipsIdle)
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
      <Button size="icon" aria-label={isPlaying ? 'Pause' : 'Play'} onClick={player.toggle}>
        <PlayerIcon name={isPlaying ? 'pause' : 'play'} />
      </Button>
      <Button look="quiet" size="icon" aria-label="10 seconds back" onClick={() => player.seekBy(-jump)}>
        <PlayerIcon name="back" />
      </Button>
      <Button look="quiet" size="icon" aria-label="10 seconds on" onClick={() => player.seekBy(jump)}>
        <PlayerIcon name="forward" />
      </Button>
      <Clock player={player} />
      <Page player={player} />
      <label className="inline-flex h-8 items-center gap-1.5 px-1 text-ink-2">
        <input type="checkbox" checked={skipsIdle} onChange={() => player.skipIdle(!skipsIdle)} />
        Skip idle
      </label>
      <select
        aria-label="Speed"
        value={speed}
        onChange={(event) => player.setSpeed(Number(event.target.value))}
        className="h-8 rounded-md border border-line bg-raised px-1 text-ink-2"
      >
        {speeds.map((each) => (
          <option key={each} value={each}>
            {each} ×
          </option>
        ))}
      </select>
      {children}
      <Button look="quiet" size="icon" aria-label="Full screen" onClick={toggleFullScreen}>
        <PlayerIcon name="full" />
      </Button>
    </div>
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

/** The page that the visitor was on. */
function Page({ player }: { player: Player }) {
  const page = usePlayer(
    player,
    ({ playing, marks }) => marks.findLast(({ kind, at }) => kind === 'page' && at <= playing.at)?.text ?? '',
  )
  return (
    <span title={page} className="min-w-0 flex-1 truncate text-ink-2 max-sm:basis-full">
      {page}
    </span>
  )
}
