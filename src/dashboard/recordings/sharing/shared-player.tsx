import { Suspense, useEffect, useState, type ReactNode } from 'react'
import type { OpenedLink } from '../../../contract/recordings/sharing.ts'
import { RecordingPlayer } from '../player/recording-player.tsx'
import { type Opening, usePlayer, type Player, playerOf } from '../player/player.ts'
import { type FollowedLink, requestsFor } from './shared-requests.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon, Logo } from '../../ui/icon.tsx'
import { copyText } from '../../ui/feedback/toasts.ts'
import { clockTime } from '../../format/clock.ts'
import { renewalDelay } from '../../api/renewal-delay.ts'
import { useActions, useAssets } from '../player/player-data.ts'
import { useSnapshots } from '../player/use-snapshots.ts'
import { useLoaded } from './use-loaded.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

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

const SharedMoments = lazyNamed(() => import('./shared-moments.tsx'), 'SharedMoments')

type SharedPlayerProps = {
  opened: OpenedLink
  link: FollowedLink
  opening: Opening
  /** The path of a link to the recording; null when the player is embedded in another page. */
  path: string | null
}

/** The player of a shared recording, which must not change while mounted. */
export function SharedPlayer({ opened, link, opening, path }: SharedPlayerProps) {
  const { player, snapshots } = useSharedPlayer(opened, link, opening)
  const recording = (
    <RecordingPlayer
      player={player}
      snapshots={snapshots}
      droppedEvents={opened.dropped_events}
      isFilling
      whole="Everything shared"
    >
      {path !== null && <ShareMoment player={player} path={path} />}
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

/** Copies a link that starts at the current position. `path` is the page's path. */
function ShareMoment({ player, path }: { player: Player; path: string }) {
  const seconds = usePlayer(player, ({ playing }) => Math.floor(playing.at / 1000))
  const time = clockTime(seconds * 1000)
  const copy = () => {
    const url = new URL(path, location.origin)
    if (seconds > 0) url.searchParams.set('t', String(seconds))
    const done = `Link to ${time} copied. It works for anyone with this link.`
    void copyText(url.href, done, `The browser blocked copying. Copy the link by hand: ${url.href}`)
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
  const [actedAt] = useState(recording.acted_at)
  const [requests] = useState(() => requestsFor(recording, link))
  const sources = useLoaded(requests.sources)
  const { data, refetch } = useLoaded(requests.assets)
  useEffect(() => {
    // The signed paths of assets expire.
    const timer = setTimeout(refetch, renewalDelay(data?.expires_at, Date.now()))
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- `refetch` is another function on every render
  }, [data])
  useAssets(player, data)
  useActions(player, actedAt)
  return { player, snapshots: useSnapshots(player, sources, requests.blocks) }
}

/** `note`: what is shared, and by whom. */
type SharedFrameProps = { title: string; note: ReactNode; isEmbedded: boolean; children: ReactNode }

/** The page around what a link shares; embedded in another page, the content alone. */
export function SharedFrame({ title, note, isEmbedded, children }: SharedFrameProps) {
  return (
    <main className={`flex h-dvh flex-col ${isEmbedded ? '' : 'gap-3 p-3 sm:p-4'}`}>
      <title>{`${title} · Spool`}</title>
      <header className={isEmbedded ? 'sr-only' : 'flex flex-wrap items-center gap-x-2 gap-y-1'}>
        <Logo />
        <h1 className="min-w-0 text-lg wrap-anywhere">{title}</h1>
        <span className="text-ink-3">{note}</span>
      </header>
      {children}
    </main>
  )
}

/** Returns the classes of the box in the frame that contains the player. */
export function boxClass(isEmbedded: boolean): string {
  return `min-h-0 flex-1 ${isEmbedded ? '' : 'overflow-hidden rounded-lg border border-line'}`
}
