import type { CSSProperties, ReactNode } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { clockTime } from '../../format/clock.ts'
import { gapInWords } from './losses.ts'
import { highlightSpeedAt, type Gap } from './player-messages.ts'
import { usePlayer, type Player, type PlayerState } from './player.ts'
import type { useSnapshots } from './use-snapshots.ts'

type PlayerScreenProps = { player: Player; snapshots: ReturnType<typeof useSnapshots>; isFilling: boolean }

/** The recorded page in its own frame, covered by a message while there is no picture. */
export function PlayerScreen({ player, snapshots, isFilling }: PlayerScreenProps) {
  const { attach, toggle } = player
  const windows = usePlayer(player, ({ outline }) => outline.lanes.length)
  const window = usePlayer(player, ({ playing }) => playing.window)
  const hasPicture = usePlayer(player, ({ playing }) => playing.hasPicture)
  const isWaiting = usePlayer(player, ({ playing }) => playing.isWaiting)
  const pinned = usePlayer(player, (state) => state.pinned)
  const { width, height } = usePlayer(player, (state) => state.size)
  return (
    <div
      className={`relative min-h-40 flex-1 overflow-hidden bg-hover ${isFilling ? '' : 'max-[999px]:not-in-[:fullscreen]:aspect-(--page) max-[999px]:not-in-[:fullscreen]:max-h-[70dvh] max-[999px]:not-in-[:fullscreen]:flex-none'}`}
      style={{ '--page': `${width} / ${height}` } as CSSProperties}
    >
      <span ref={attach} />
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        className="absolute inset-0 size-full"
        onClick={toggle}
      />
      {!hasPicture && <WithoutPicture snapshots={snapshots} player={player} />}
      <div className="pointer-events-none absolute top-2 left-2 flex gap-1.5 text-xs">
        {windows > 1 && window > 0 && (
          <Note>
            Window {window} of {windows}
            {pinned !== null && ', pinned'}
          </Note>
        )}
        {hasPicture && isWaiting && snapshots.error === null && <Note>Loading…</Note>}
        {hasPicture && <HighlightNote player={player} />}
        {hasPicture && <GapNote player={player} />}
      </div>
    </div>
  )
}

/** Says that highlights are played, and how fast. */
function HighlightNote({ player }: { player: Player }) {
  const seconds = usePlayer(player, (state) => state.highlightSeconds)
  const speed = usePlayer(player, ({ highlights, playing: { at } }) =>
    Math.round(highlightSpeedAt(highlights, at)),
  )
  if (seconds === null) return null
  return (
    <Note>
      Highlights, {seconds} s{speed > 1 && `, ${speed} ×`}
    </Note>
  )
}

/** Describes the gap at the playback's position. */
function GapNote({ player }: { player: Player }) {
  const gap = usePlayer(player, gapAt)
  return <output className="empty:hidden">{gap && <Note>{gapInWords(gap)}</Note>}</output>
}

/** Returns the gap at the playback's position. */
function gapAt({ playing: { at }, outline: { gaps, end } }: PlayerState): Gap | undefined {
  return gaps.find(({ from, to }) => at >= from && (at < to || to === end))
}

function Note({ children }: { children: ReactNode }) {
  return <span className="inline-block rounded-sm bg-ink px-1.5 py-0.5 text-bg">{children}</span>
}

function WithoutPicture({ snapshots, player }: Pick<PlayerScreenProps, 'snapshots' | 'player'>) {
  const { count, error, retry, refresh, isFetching } = snapshots
  const isWaiting = usePlayer(player, (state) => state.playing.isWaiting)
  const gap = usePlayer(player, gapAt)
  const pinned = usePlayer(player, (state) => state.pinned)
  const lane = usePlayer(player, ({ outline }) => outline.lanes[(pinned ?? 0) - 1])
  const checkAgain = (
    <Button busy={isFetching} onClick={refresh}>
      Check again
    </Button>
  )
  const overlay = (content: ReactNode) => (
    <div className="absolute inset-0 grid place-items-center overflow-y-auto bg-raised p-4">{content}</div>
  )
  if (error) return overlay(<ProblemNote error={error} onRetry={retry} />)
  if (count === 0)
    return overlay(
      <EmptyState title="No snapshots yet">
        <p>Nothing has arrived yet, or the snapshots were deleted after their retention period.</p>
        {checkAgain}
      </EmptyState>,
    )
  if (gap && pinned === null && !isWaiting)
    return overlay(
      <EmptyState title="No picture">
        <p>{gapInWords(gap)}</p>
        {gap.kind === 'picture' ? (
          checkAgain
        ) : (
          <Button onClick={() => player.seek(gap.to)}>Go to {clockTime(gap.to)}</Button>
        )}
      </EmptyState>,
    )
  if (pinned !== null && lane && !isWaiting)
    return overlay(
      <EmptyState title={`Window ${pinned} is not open at this moment`}>
        <Button onClick={() => player.seek(lane.open.from)}>Go to {clockTime(lane.open.from)}</Button>
        <Button onClick={() => player.pin(null)}>Follow the visitor</Button>
      </EmptyState>,
    )
  return <output className="appear-late absolute inset-0 grid place-items-center text-ink-3">Loading…</output>
}
