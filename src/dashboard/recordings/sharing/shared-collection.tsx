import { useCallback, useEffect, useRef, useState } from 'react'
import type { CollectedRecording, OpenedCollection } from '../../../contract/recordings/sharing.ts'
import { isStatus } from '../../api/problem.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { HueMark } from '../facts/visitor-mark.tsx'
import { StripOfCells } from '../facts/activity-strip.tsx'
import { boxClass, SharedFrame, SharedPlayer, type SharedPlace } from './shared-player.tsx'
import { openRecording, type FollowedLink } from './shared-requests.ts'
import { useLoaded } from './use-loaded.ts'

type SharedCollectionProps = {
  collection: OpenedCollection
  link: FollowedLink
  place: SharedPlace
  onReload: () => void
}

/** The recordings of a shared collection in a list, and the chosen one in the player. */
export function SharedCollection({ collection, link, place, onReload }: SharedCollectionProps) {
  const { name, results, has_more: hasMore } = collection
  const { isEmbedded } = place
  const [chosen, setChosen] = useState(place.recording)
  const recording = results.find(({ id }) => id === chosen) ?? results[0]
  const choose = (id: string) => {
    setChosen(id)
    history.replaceState(null, '', `?recording=${encodeURIComponent(id)}`)
  }
  const step = (by: 1 | -1, end: string) => {
    const other = recording && results[results.indexOf(recording) + by]
    return { reason: other ? null : end, run: () => other && choose(other.id) }
  }
  const next = step(1, 'This is the last recording.')
  const previous = step(-1, 'This is the first recording.')
  useKeys({ n: { does: 'Next recording', ...next }, p: { does: 'Previous recording', ...previous } })
  const number = `${hasMore ? 'The newest ' : ''}${counted(results.length, 'recording')}`
  return (
    <SharedFrame
      title={name}
      note={`${number} · shared with Spool by someone with access to the recordings`}
      isEmbedded={isEmbedded}
    >
      {recording ? (
        <div className={`flex flex-col min-[1000px]:flex-row ${boxClass(isEmbedded)}`}>
          <RecordingsNav {...{ results, recording, previous, next }} onChoose={choose} />
          <div className="min-h-0 min-w-0 flex-1">
            <ChosenRecording
              key={recording.id}
              {...{ recording, link, place, onReload }}
              isFirst={chosen === place.recording}
            />
          </div>
        </div>
      ) : (
        <EmptyState title="No recordings to show">
          <p>
            The collection is empty, or its recordings were deleted. Recordings that are added will appear
            here.
          </p>
          <Button onClick={onReload}>Reload the list</Button>
        </EmptyState>
      )}
    </SharedFrame>
  )
}

type Step = { reason: string | null; run: () => void }
type RecordingsNavProps = {
  results: readonly CollectedRecording[]
  recording: CollectedRecording
  previous: Step
  next: Step
  onChoose: (id: string) => void
}

/** The recordings of the collection, with buttons to the neighbours of the chosen one. */
function RecordingsNav({ results, recording, previous, next, onChoose }: RecordingsNavProps) {
  return (
    <nav
      aria-label="Recordings"
      className="flex max-h-[30%] shrink-0 flex-col overflow-y-auto border-line bg-raised max-[1000px]:border-b min-[1000px]:max-h-none min-[1000px]:w-80 min-[1000px]:border-r"
    >
      <div className="sticky top-0 flex items-center gap-1 border-b border-line bg-raised px-3 py-1.5">
        <output className="flex-1 text-ink-3 tabular-nums">
          <span className="sr-only">{recording.name}: recording </span>
          {results.indexOf(recording) + 1} of {results.length}
        </output>
        <Button size="icon" aria-label="Previous recording" reason={previous.reason} onClick={previous.run}>
          <Icon name="left" />
        </Button>
        <Button size="icon" aria-label="Next recording" reason={next.reason} onClick={next.run}>
          <Icon name="right" />
        </Button>
      </div>
      <ol>
        {results.map((each) => (
          <RecordingItem key={each.id} recording={each} isChosen={each === recording} onChoose={onChoose} />
        ))}
      </ol>
    </nav>
  )
}

type RecordingItemProps = { recording: CollectedRecording; isChosen: boolean } & Pick<
  RecordingsNavProps,
  'onChoose'
>

function RecordingItem({ recording, isChosen, onChoose }: RecordingItemProps) {
  const { id, name, hue, start_time: start, recording_duration: seconds, strip } = recording
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li className="border-b border-line">
      <button
        ref={ref}
        type="button"
        aria-current={isChosen || undefined}
        onClick={() => onChoose(id)}
        className="flex w-full flex-col gap-1 px-3 py-2 text-left hover:bg-hover aria-current:bg-sunken"
      >
        <span className="flex w-full items-center gap-2">
          <HueMark hue={hue} />
          <span className="min-w-0 flex-1 truncate font-medium" title={name}>
            {name}
          </span>
          <span className="text-ink-3 tabular-nums">{clockTime(seconds * 1000)}</span>
        </span>
        <span className="text-xs text-ink-3">
          <ShortTime time={start} />
        </span>
        {strip && (
          <span className="block w-full">
            <StripOfCells cells={strip} ms={seconds * 1000} />
          </span>
        )}
      </button>
    </li>
  )
}

type ChosenRecordingProps = Omit<SharedCollectionProps, 'collection'> & {
  recording: CollectedRecording
  isFirst: boolean
}

function ChosenRecording({ recording: { id }, link, place, isFirst, onReload }: ChosenRecordingProps) {
  const [given] = useState(link)
  const { data, error, refetch } = useLoaded(
    useCallback((signal: AbortSignal) => openRecording(given, id, signal), [given, id]),
  )
  if (data) {
    const { at, highlights: highlightSeconds, isEmbedded } = place
    const opening = isFirst
      ? { at, highlightSeconds, isPlaying: !isEmbedded }
      : { at: undefined, isPlaying: true }
    const path = isEmbedded ? null : `/shared/${link.token}?recording=${encodeURIComponent(id)}`
    return <SharedPlayer opened={data} {...{ link, opening, path }} />
  }
  if (!error) return <output className="appear-late block p-6 text-ink-3">Loading…</output>
  if (isStatus(error, 403))
    return (
      <EmptyState title="This recording is no longer shared">
        <p>The collection no longer contains the recording, or the link has ended.</p>
        <Button onClick={onReload}>Reload the list</Button>
      </EmptyState>
    )
  return (
    <div className="p-4">
      <ProblemNote error={error} onRetry={refetch} />
    </div>
  )
}
