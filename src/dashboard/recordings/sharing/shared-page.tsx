import { lazy, Suspense, useCallback, useState } from 'react'
import type { OpenedLink } from '../../../contract/recordings/sharing.ts'
import { Logo } from '../../ui/icon.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { LinkRefused } from './link-refused.tsx'
import { SharedPlayer, type SharedPlace } from './shared-player.tsx'
import { openLink, type FollowedLink } from './shared-requests.ts'
import { useLoaded } from './use-loaded.ts'

const SharedCollection = lazy(async () => {
  const { SharedCollection: component } = await import('./shared-collection.tsx')
  return { default: component }
})

/** A shared recording or collection, for anyone with its link. */
export function SharedPage({ token, place }: { token: string; place: SharedPlace }) {
  const [password, setPassword] = useState<string>()
  const link = { token, password }
  const { data, error, isFetching, refetch } = useLoaded(
    useCallback((signal: AbortSignal) => openLink({ token, password }, signal), [token, password]),
  )
  const loading = <output className="appear-late p-6 text-ink-3">Loading…</output>
  if (data && 'results' in data)
    return (
      <Suspense fallback={loading}>
        <SharedCollection collection={data} link={link} place={place} onReload={refetch} />
      </Suspense>
    )
  if (data) return <SharedRecording key={data.id} opened={data} link={link} place={place} />
  if (!error) return loading
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

type SharedRecordingProps = { opened: OpenedLink; link: FollowedLink; place: SharedPlace }

function SharedRecording({ opened, link, place: { at, highlights, isEmbedded } }: SharedRecordingProps) {
  return (
    <main className={`flex h-dvh flex-col ${isEmbedded ? '' : 'gap-3 p-3 sm:p-4'}`}>
      <title>Shared recording · Spool</title>
      <header className={isEmbedded ? 'sr-only' : 'flex flex-wrap items-center gap-2'}>
        <Logo />
        <h1 className="text-lg">Shared recording</h1>
        <span className="text-ink-3">
          <ShortTime time={opened.start_time} /> · shared with Spool by someone with access to the recording
        </span>
      </header>
      <div className={`min-h-0 flex-1 ${isEmbedded ? '' : 'overflow-hidden rounded-lg border border-line'}`}>
        <SharedPlayer
          opened={opened}
          link={link}
          opening={{
            at,
            highlightSeconds: highlights ?? opened.highlights ?? undefined,
            isPlaying: !isEmbedded,
          }}
          path={isEmbedded ? null : `/shared/${link.token}`}
        />
      </div>
    </main>
  )
}
