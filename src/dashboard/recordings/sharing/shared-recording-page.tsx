import { useCallback, useState } from 'react'
import { Logo } from '../../ui/icon.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { RecordingPlayer } from '../player/recording-player.tsx'
import { LinkRefused } from './link-refused.tsx'
import { ShareMoment } from './share-moment.tsx'
import { openLink, type FollowedLink, type OpenedRecording } from './shared-requests.ts'
import { useLoaded } from './use-loaded.ts'
import { useSharedPlayer } from './use-shared-player.ts'

type SharedRecordingProps = {
  token: string
  /** Initial position, in seconds since the start. */
  at: number | undefined
  /** Length of the reel to play, in seconds. */
  reel?: number | undefined
  /** Shows the player alone, for embedding in another page. */
  isEmbedded: boolean
}

/** A shared recording, for anyone with its link. */
export function SharedRecordingPage({ token, at, reel, isEmbedded }: SharedRecordingProps) {
  const [password, setPassword] = useState<string>()
  const link = { token, password }
  const { data, error, isFetching, refetch } = useLoaded(
    useCallback((signal: AbortSignal) => openLink({ token, password }, signal), [token, password]),
  )
  if (data)
    return <Opened key={data.id} opened={data} link={link} at={at} reel={reel} isEmbedded={isEmbedded} />
  if (!error) return <output className="appear-late p-6 text-ink-3">Loading…</output>
  return (
    <LinkRefused
      error={error}
      tried={password}
      busy={isFetching}
      onTry={(next) => (next === password ? refetch() : setPassword(next))}
      onRetry={refetch}
    />
  )
}

type OpenedProps = Omit<SharedRecordingProps, 'token'> & { opened: OpenedRecording; link: FollowedLink }

function Opened({ opened, link, at, reel, isEmbedded }: OpenedProps) {
  const { player, snapshots } = useSharedPlayer(opened, link, {
    at,
    reelSeconds: reel ?? opened.reel ?? undefined,
    isPlaying: !isEmbedded,
  })
  const shared = (
    <RecordingPlayer player={player} snapshots={snapshots} droppedEvents={opened.dropped_events} isFilling>
      {!isEmbedded && (
        <ShareMoment player={player} path={`/shared/${link.token}`} opensFor="anyone with this link" />
      )}
    </RecordingPlayer>
  )
  return (
    <main className={`flex h-dvh flex-col ${isEmbedded ? '' : 'gap-3 p-3 sm:p-4'}`}>
      <title>A recorded visit · Spool</title>
      <header className={isEmbedded ? 'sr-only' : 'flex flex-wrap items-center gap-2'}>
        <Logo />
        <h1 className="text-lg">A recorded visit</h1>
        <span className="text-ink-3">
          <ShortTime time={opened.start_time} /> · shared with Spool by someone with access to the recording
        </span>
      </header>
      <div className={`min-h-0 flex-1 ${isEmbedded ? '' : 'overflow-hidden rounded-lg border border-line'}`}>
        {shared}
      </div>
    </main>
  )
}
