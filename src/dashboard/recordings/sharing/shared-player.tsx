import { lazy, Suspense, type ReactNode, useCallback, useEffect, useState } from 'react'
import type { OpenedLink } from '../../../contract/recordings/sharing.ts'
import { RecordingPlayer } from '../player/recording-player.tsx'
import { type Opening, usePlayer, type Player, playerOf } from '../player/player.ts'
import { type FollowedLink, sharedAssets, sharedBlocks, sharedSources } from './shared-requests.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { clockTime } from '../../format/clock.ts'
import { renewalDelay } from '../../api/renewal-delay.ts'
import { useActions, useAssets } from '../player/player-data.ts'
import { useSnapshots, type ReadBlocks } from '../player/use-snapshots.ts'
import { useLoaded } from './use-loaded.ts'

/** The settings in the page's address, besides the link. */
export type SharedPlace = {
  /** Initial position, in seconds since the start. */
  at: number | undefined
  /** Length of the highlights to play, in seconds. */
  highlights: number | undefined
  /** The recording of a collection to begin with. */
  recording: string | undefined
  /** Shows the player alone, for embedding in another page. */
  isEmbedded: boolean
}

const SharedMoments = lazy(async () => {
  const { SharedMoments: component } = await import('./shared-moments.tsx')
  return { default: component }
})

type SharedPlayerProps = {
  opened: OpenedLink
  link: FollowedLink
  opening: Opening
  /** The path of a link to the recording; null when the player is embedded in another page. */
  path: string | null
  children?: ReactNode
}

/** The player of a shared recording, which must not change while mounted. */
export function SharedPlayer({ opened, link, opening, path, children }: SharedPlayerProps) {
  const { player, snapshots } = useSharedPlayer(opened, link, opening)
  const recording = (
    <RecordingPlayer player={player} snapshots={snapshots} droppedEvents={opened.dropped_events} isFilling>
      {children}
      {path !== null && <ShareMoment player={player} path={path} opensFor="anyone with this link" />}
    </RecordingPlayer>
  )
  // Another page has no space for lists.
  if (opened.shows === 'picture' || path === null) return recording
  return (
    <div className="flex h-full max-[999px]:flex-col">
      <div className="min-h-0 min-w-0 flex-1">{recording}</div>
      <Suspense>
        <SharedMoments player={player} shows={opened.shows} />
      </Suspense>
    </div>
  )
}

/** Copies a link that starts at the current position. `path` is the page's path; `opensFor` describes who can open it. */
function ShareMoment({ player, path, opensFor }: { player: Player; path: string; opensFor: string }) {
  const seconds = usePlayer(player, ({ playing }) => Math.floor(playing.at / 1000))
  const time = clockTime(seconds * 1000)
  const copy = () => {
    const url = new URL(path, location.origin)
    if (seconds > 0) url.searchParams.set('t', String(seconds))
    const link = url.href
    navigator.clipboard.writeText(link).then(
      () => toast(`Link to ${time} copied. It works for ${opensFor}.`),
      () => toast(`The browser blocked copying. Copy the link by hand: ${link}`, { tone: 'failed' }),
    )
  }
  return (
    <Button onClick={copy}>
      <Icon name="copy" />
      <span>
        Share<span className="max-sm:sr-only"> from {time}</span>
      </span>
    </Button>
  )
}

/** Creates a player for a shared recording and loads its snapshots. Recording and link must not change while mounted. */
function useSharedPlayer(recording: OpenedLink, link: FollowedLink, opening: Opening) {
  const [player] = useState(() => playerOf(recording, opening))
  const [given] = useState({ recording, link })
  const sources = useLoaded(
    useCallback((signal: AbortSignal) => sharedSources(given.recording, given.link, signal), [given]),
  )
  const assets = useLoaded(
    useCallback((signal: AbortSignal) => sharedAssets(given.recording, given.link, signal), [given]),
  )
  const { data, refetch } = assets
  useEffect(() => {
    // The signed paths of assets expire.
    const timer = setTimeout(refetch, renewalDelay(data?.expires_at, Date.now()))
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- `refetch` is another function on every render
  }, [data])
  const [read] = useState(
    (): ReadBlocks => (range, signal) => sharedBlocks(given.recording, given.link, range, signal),
  )
  useAssets(player, data)
  useActions(player, given.recording.acted_at)
  return { player, snapshots: useSnapshots(player, sources, read) }
}
