import { useCallback, useState, type ReactNode } from 'react'
import { isStatus, type ApiProblem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Logo } from '../../ui/icon.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { RecordingPlayer } from '../player/recording-player.tsx'
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
  if (needsPassword(error, password))
    return (
      <PasswordForm
        problem={error}
        busy={isFetching}
        onTry={(tried) => (tried === password ? refetch() : setPassword(tried))}
      />
    )
  if (isStatus(error, 403) || isStatus(error, 404))
    return (
      <Message title="This link does not work">
        <p className="text-ink-2">
          It has expired, its owner turned it off, or its address is incomplete. Ask the person who sent it to
          you for a new one.
        </p>
      </Message>
    )
  return (
    <Message title="The recording could not be opened">
      <ProblemNote error={error} onRetry={refetch} />
    </Message>
  )
}

/** Whether to show the password form. A 429 concerns the password only if one was tried. */
function needsPassword(error: Error, tried: string | undefined): error is ApiProblem {
  if (isStatus(error, 429)) return tried !== undefined
  return isStatus(error, 403) && error.code.startsWith('password_')
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

type PasswordFormProps = { problem: ApiProblem; busy: boolean; onTry: (password: string) => void }

function PasswordForm({ problem, busy, onTry }: PasswordFormProps) {
  const [text, setText] = useState('')
  const isRefused = problem.code !== 'password_required'
  return (
    <Message title="This recording needs a password">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (text !== '') onTry(text)
        }}
      >
        <TextField
          label="Password"
          type="password"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={isRefused ? refusal(problem) : undefined}
          hint="Ask the person who sent you the link for it."
        />
        <div>
          <Button look="primary" type="submit" busy={busy}>
            Watch
          </Button>
        </div>
      </form>
    </Message>
  )
}

function refusal({ status, retryAfterMs }: ApiProblem): string {
  if (status !== 429) return 'Wrong password.'
  const seconds = Math.ceil((retryAfterMs ?? 60_000) / 1000)
  return `Too many attempts. Wait ${seconds} seconds, then try again.`
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
