import { Suspense, useCallback, useState, type ReactNode } from 'react'
import type { OpenedLink } from '../../../contract/recordings/sharing.ts'
import { Logo } from '../../ui/icon.tsx'
import { lazyNamed } from '../../ui/lazy-named.ts'
import { ShortTime } from '../../ui/time.tsx'
import { SharedPlayer, type SharedPlace, boxClass, SharedFrame } from './shared-player.tsx'
import { openLink, type FollowedLink } from './shared-requests.ts'
import { useLoaded } from './use-loaded.ts'
import { isStatus, type ApiProblem } from '../../api/problem.ts'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'

const PasswordForm = lazyNamed(() => import('./password-form.tsx'), 'PasswordForm')
const SharedCollection = lazyNamed(() => import('./shared-collection.tsx'), 'SharedCollection')

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
  if (needsPassword(error, password)) {
    const retry = (next: string) => (next === password ? refetch() : setPassword(next))
    return (
      <Message title="This link needs a password">
        <Suspense>
          <PasswordForm problem={error} busy={isFetching} onTry={retry} />
        </Suspense>
      </Message>
    )
  }
  if (isStatus(error, 403) || isStatus(error, 404)) return <EndedLink problem={error} />
  return (
    <Message title="The link could not be opened">
      <ProblemNote error={error} onRetry={refetch} />
    </Message>
  )
}

type SharedRecordingProps = { opened: OpenedLink; link: FollowedLink; place: SharedPlace }

function SharedRecording({ opened, link, place: { at, highlights, isEmbedded } }: SharedRecordingProps) {
  return (
    <SharedFrame
      title="Shared recording"
      note={
        <>
          <ShortTime time={opened.start_time} /> · shared with Spool by someone with access to the recording
        </>
      }
      isEmbedded={isEmbedded}
    >
      <div className={boxClass(isEmbedded)}>
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
    </SharedFrame>
  )
}

const endings: Partial<Record<string, { title: string; verb: string }>> = {
  link_expired: { title: 'This link has expired', verb: 'Expired on' },
  link_revoked: { title: 'This link was revoked', verb: 'Revoked on' },
}

function EndedLink({ problem: { code, endedAt } }: { problem: ApiProblem }) {
  const ending = endings[code]
  return (
    <Message title={ending?.title ?? 'This link does not work'}>
      <p className="text-ink-2">
        {ending && endedAt !== null ? (
          <>
            {ending.verb} <ShortTime time={endedAt} />.
          </>
        ) : (
          'Its address is incomplete, or it was replaced or deleted.'
        )}{' '}
        Ask the person who sent it to you for a new one.
      </p>
    </Message>
  )
}

/** Whether to show the password form. A 429 concerns the password only if one was tried. */
function needsPassword(error: Error, tried: string | undefined): error is ApiProblem {
  if (isStatus(error, 429)) return tried !== undefined
  return isStatus(error, 403) && error.code.startsWith('password_')
}

function Message({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-120 flex-col gap-5 px-4 pt-[14vh]">
      <title>{`${title} · Spool`}</title>
      <h1 className="flex items-center gap-2 text-xl tracking-tight">
        <Logo /> {title}
      </h1>
      {children}
    </main>
  )
}
