import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { recordingCan, type SessionRecording } from '../../../contract/session-recording.ts'
import { useAccount } from '../../account.ts'
import { invalidate } from '../../queries/endpoint-query.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { clockTime } from '../../words/clock.ts'
import { Inspector } from './inspector.tsx'
import type { InspectorTab, RowFilter } from './inspector-search.ts'
import { RecordingActions } from './recording-actions.tsx'
import { RecordingPlayer } from '../player/recording-player.tsx'
import { ShareMoment } from '../sharing/share-moment.tsx'
import { useNeighbours, type ListPlace } from './use-neighbours.ts'
import { useRecordingPlayer } from '../player/use-recording-player.ts'
import { BackToList } from './way-back.tsx'
import { useMarkViewed } from '../../queries/recording.ts'
import { usePlayer, type Player } from '../player/player.ts'

type RecordingPageProps = {
  recording: SessionRecording
  /** Seconds since the start; where to begin. */
  at: number | undefined
  tab: InspectorTab
  filter: RowFilter
  onFilter: (filter: RowFilter) => void
  place: ListPlace
}

/** One recording: the player, and the inspector in step with it. */
export function RecordingPage({ recording, at, tab, filter, onFilter, place }: RecordingPageProps) {
  const { projectId } = useAccount()
  const { player, snapshots } = useRecordingPlayer({ projectId, recording, at, isPlaying: true })
  const neighbours = useNeighbours(projectId, recording.id, place)
  useMarkWatched(player, recording)
  const name = recording.person.name ?? recording.distinct_id
  return (
    <>
      <PageHeader
        title={name}
        parent={<BackToList list={place.list} />}
        aside={
          <span className="text-ink-3">
            <RelativeTime time={recording.start_time} /> · {clockTime(recording.recording_duration * 1000)}
          </span>
        }
      >
        <RecordingActions recording={recording} name={name} list={place.list} neighbours={neighbours} />
      </PageHeader>
      {recording.ongoing && <Ongoing isLooking={snapshots.isLooking} onLook={snapshots.refresh} />}
      <div className="mt-3.5 grid gap-5 min-[1000px]:grid-cols-[minmax(0,1fr)_332px]">
        <div className="min-w-0">
          <RecordingPlayer player={player} snapshots={snapshots} neighbours={neighbours}>
            <ShareMoment
              player={player}
              path={`/recordings/${encodeURIComponent(recording.id)}`}
              opensFor="whoever has a key of this project"
            />
          </RecordingPlayer>
        </div>
        <div className="relative min-w-0">
          <div className="flex flex-col min-[1000px]:absolute min-[1000px]:inset-0">
            <Inspector
              projectId={projectId}
              recording={recording}
              player={player}
              tab={tab}
              filter={filter}
              onFilter={onFilter}
            />
          </div>
        </div>
      </div>
    </>
  )
}

/** The session is still going on: what has come since is fetched when somebody asks. */
function Ongoing({ isLooking, onLook }: { isLooking: boolean; onLook: () => void }) {
  const client = useQueryClient()
  const look = () => {
    onLook()
    void invalidate(client, 'getSessionRecording', 'eventsOfSessionRecording')
  }
  return (
    <p className="mt-3 flex flex-wrap items-center gap-3 rounded-md border border-line-strong px-3 py-1.5">
      <span>
        <span aria-hidden="true" className="text-run-ink">
          ●{' '}
        </span>
        Ongoing: the visitor is still there, and new data arrives.
      </span>
      <Button busy={isLooking} onClick={look}>
        Fetch what is new
      </Button>
    </p>
  )
}

/** Milliseconds. */
const watchedAfter = 3_000

/** Says that a recording was watched, once somebody has looked at it for three seconds and the key may say so. */
function useMarkWatched(player: Player, { id }: SessionRecording): void {
  const { projectId, scopes } = useAccount()
  const { mutate } = useMarkViewed(projectId)
  const hasPicture = usePlayer(player, ({ playing }) => playing.hasPicture)
  const mark = useEffectEvent(() => {
    if (recordingCan.change(scopes) === null) mutate(id)
  })
  useEffect(() => {
    if (!hasPicture) return undefined
    const timer = setTimeout(mark, watchedAfter)
    return () => clearTimeout(timer)
  }, [hasPicture])
}
