import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { Inspector } from './inspector.tsx'
import type { InspectorProps } from '../moments/inspector-params.ts'
import { foldInspector, useInspectorSize, ResizeHandle } from './resize-handle.tsx'
import { RecordingHeader } from './recording-header.tsx'
import { NoteComposer, useComposer } from '../notes/note-composer.tsx'
import { useNotes } from '../notes/use-notes.ts'
import { RecordingPlayer } from '../player/recording-player.tsx'
import { useActions } from '../player/player-data.ts'
import { useNeighbours, type ListPlace } from './use-neighbours.ts'
import { useRecordingPlayer } from '../player/use-recording-player.ts'
import { actionTimesQuery, submitsQuery, useMarkViewed } from '../../queries/recordings/recording.ts'
import { usePlayer, type Player } from '../player/player.ts'
import { invalidate } from '../../queries/endpoint-query.ts'

type RecordingPageProps = Omit<InspectorProps, 'player'> & {
  /** Initial position, in seconds since the start. */
  at: number | undefined
  /** Length of the highlights to play, in seconds. */
  highlights: number | undefined
  place: ListPlace
}

/** One recording: the player, and the inspector synchronised with it. */
export function RecordingPage({ at, highlights, place, ...inspected }: RecordingPageProps) {
  const { recording } = inspected
  const { projectId } = useAccount()
  const { player, snapshots } = useRecordingPlayer({
    projectId,
    recording,
    at,
    highlightSeconds: highlights,
    isPlaying: true,
  })
  const neighbours = useNeighbours(projectId, recording.id, place)
  useMarkWatched(player, recording)
  useActions(player, useQuery(actionTimesQuery(projectId, recording.id)).data)
  const { data: submits } = useQuery(submitsQuery(projectId, recording))
  const live = useLive(player, recording, snapshots.refresh)
  const notes = useNotes(recording.id)
  const composer = useComposer(player)
  const { isFolded, width } = useInspectorSize()
  useKeys({ i: { does: 'Show or hide the inspector', run: () => foldInspector(!isFolded) } })
  // As high as the room that a banner leaves in the window. The margin and the 3rem take most of main's padding.
  return (
    <div className="-mb-12 flex min-h-120 flex-col gap-3 min-[1000px]:h-[calc(100%+3rem)] min-[1000px]:contain-size min-[1000px]:print:h-dvh">
      <RecordingHeader
        recording={recording}
        player={player}
        list={place.list}
        neighbours={neighbours}
        live={<LiveBadge live={live} />}
      />
      <div className="flex min-h-0 flex-1 max-[999px]:flex-col max-[999px]:gap-3">
        <div className="min-w-0 flex-1 overflow-hidden rounded-lg border border-line min-[1000px]:min-w-90">
          <RecordingPlayer
            player={player}
            snapshots={snapshots}
            droppedEvents={recording.dropped_events}
            submits={submits}
            neighbours={neighbours}
            notes={notes}
            composer={<NoteComposer recordingId={recording.id} composer={composer} />}
          >
            <Button
              look="quiet"
              size="icon"
              aria-label="Write a note"
              reason={composer.reason}
              onClick={composer.open}
            >
              <span aria-hidden="true">✎</span>
            </Button>
          </RecordingPlayer>
        </div>
        {!isFolded && (
          <>
            <ResizeHandle />
            <div
              className="flex min-h-0 flex-col max-[999px]:w-auto! min-[1000px]:min-w-65"
              style={{ width }}
            >
              <Inspector {...inspected} player={player} />
            </div>
          </>
        )}
      </div>
    </div>
  )
}

/** Time (ms) after which a recording counts as watched. */
const watchedMsMin = 3_000

/** Marks a recording as watched after it has been on screen for three seconds, if the key may change recordings. */
function useMarkWatched(player: Player, { id }: SessionRecording): void {
  const { projectId, scopes } = useAccount()
  const { mutate } = useMarkViewed(projectId)
  const hasPicture = usePlayer(player, ({ playing }) => playing.hasPicture)
  const mark = useEffectEvent(() => {
    if (recordingCan.change(scopes) === null) mutate(id)
  })
  useEffect(() => {
    if (!hasPicture) return undefined
    const timer = setTimeout(mark, watchedMsMin)
    return () => clearTimeout(timer)
  }, [hasPicture])
}

/** Says that the recording is ongoing; a click stops following it, or jumps to its newest moment. */
function LiveBadge({ live: { ongoing, isFollowing, jump, stop } }: { live: Live }) {
  if (!ongoing) return null
  return (
    <span className="flex items-center gap-1">
      <Button
        aria-pressed={isFollowing}
        title={isFollowing ? 'New data arrives automatically. Click to stop.' : 'Click to follow again.'}
        onClick={isFollowing ? stop : jump}
      >
        <span aria-hidden="true" className={isFollowing ? 'text-fail-ink' : 'text-ink-3'}>
          {isFollowing ? '●' : '○'}
        </span>
        {isFollowing ? 'Live' : 'Live, not followed'}
      </Button>
      {isFollowing && (
        <Button look="quiet" onClick={jump}>
          Go to now
        </Button>
      )}
    </span>
  )
}

/** Distance (ms) from the newest moment within which playback counts as being there. */
const edgeMs = 500
/** Time (ms) before the newest moment at which a jump to it starts. */
const leadMs = 3_000

type Live = ReturnType<typeof useLive>

/** Follows a session that is ongoing: fetches its new data, and continues playing when some arrives at the end. */
function useLive(player: Player, { ongoing, end_time: endTime }: SessionRecording, refresh: () => void) {
  const client = useQueryClient()
  const [isFollowing, setIsFollowing] = useState(true)
  const fetched = useRef(endTime)
  const fetchNew = useEffectEvent(() => {
    fetched.current = endTime
    refresh()
    void invalidate(client, 'eventsOfSessionRecording', 'summaryOfSessionRecording')
  })
  useEffect(() => {
    if (isFollowing && fetched.current !== endTime) fetchNew()
  }, [isFollowing, endTime])

  const end = usePlayer(player, ({ outline }) => outline.end)
  const endBefore = useRef(end)
  useEffect(() => {
    const { at, isPlaying } = player.state.get().playing
    if (isFollowing && !isPlaying && end > endBefore.current + edgeMs && at >= endBefore.current - edgeMs)
      player.toggle()
    endBefore.current = end
  }, [player, end, isFollowing])

  const jump = () => {
    setIsFollowing(true)
    player.seek(end - leadMs)
    if (!player.state.get().playing.isPlaying) player.toggle()
  }
  useKeys(ongoing ? { l: { does: 'Jump to the newest moment, and follow the recording', run: jump } } : {})
  return { ongoing, isFollowing, jump, stop: () => setIsFollowing(false) }
}
