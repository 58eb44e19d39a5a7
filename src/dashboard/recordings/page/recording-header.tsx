import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { clockTime } from '../../format/clock.ts'
import { personIdOf, recordingName } from '../../format/recording-name.ts'
import { VisitorMark } from '../facts/visitor-mark.tsx'
import { pathInWords } from '../facts/facts-words.ts'
import type { Player } from '../player/player.ts'
import { ShareMenu } from '../sharing/share-menu.tsx'
import { BackToList, useBackToList } from './back-to-list.tsx'
import { foldInspector, useInspectorSize } from './resize-handle.tsx'
import type { useNeighbours } from './use-neighbours.ts'
import { useAccount } from '../../account.ts'
import { useKeepRecording } from '../../queries/recordings/recording.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { startBulkAction } from '../../queries/bulk-actions.ts'
import { downloadRecording } from '../../queries/recordings/recording-file.ts'
import { sendLater } from '../../ui/feedback/send-action.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { CollectDialog } from '../collect/collect-dialog.tsx'
import { summaryQuery } from '../../queries/recordings/summary.ts'

type RecordingHeaderProps = {
  recording: SessionRecording
  player: Player
  list: string | undefined
  neighbours: ReturnType<typeof useNeighbours>
  /** The state of a live recording. */
  live: ReactNode
}

/** Length (characters) above which a path has its own line, unless the window is wide. */
const longPath = 40

/** One line about the recording, with the actions on it. */
export function RecordingHeader({ recording, player, list, neighbours, live }: RecordingHeaderProps) {
  const name = recordingName(recording)
  const path = pathInWords(recording)
  return (
    <header className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5">
      <title>{`${name} · Spool`}</title>
      <span className="text-ink-3">
        <BackToList list={list} />
        &ensp;/
      </span>
      <h1
        title={recording.distinct_id}
        className="flex min-w-0 items-center gap-2 text-xl tracking-tight wrap-anywhere"
      >
        <VisitorMark distinctId={recording.distinct_id} />
        <Link
          to="/persons/$id"
          params={{ id: personIdOf(recording) }}
          preload={false}
          className="underline-offset-3 hover:underline"
        >
          {name}
        </Link>
      </h1>
      <span className="whitespace-nowrap text-ink-3">
        <RelativeTime time={recording.start_time} /> · {clockTime(recording.recording_duration * 1000)}
      </span>
      {live}
      <p
        title={path}
        className={`min-w-0 flex-1 basis-24 text-ink-2 max-sm:basis-full ${path.length > longPath ? 'max-2xl:order-last max-2xl:basis-full' : ''}`}
      >
        {path}
      </p>
      <div className="ml-auto flex flex-wrap items-center gap-1.5 print:hidden">
        <Neighbours {...neighbours} />
        <span className="max-sm:hidden">
          <SummaryLink id={recording.id} />
        </span>
        <KeepButton recording={recording} />
        <ShareMenu recording={recording} player={player} />
        <MoreMenu recording={recording} name={name} list={list} />
        <FoldButton />
      </div>
    </header>
  )
}

function Neighbours({ position, next, previous }: ReturnType<typeof useNeighbours>) {
  const button = (name: string, icon: 'left' | 'right', { reason, run }: typeof next) => (
    <Button look="quiet" size="icon" aria-label={`${name} recording`} reason={reason} onClick={run}>
      <Icon name={icon} />
    </Button>
  )
  return (
    <>
      {position && (
        <span className="whitespace-nowrap text-ink-3">
          {position.place} of {position.of}
        </span>
      )}
      {button('Previous', 'left', previous)}
      {button('Next', 'right', next)}
    </>
  )
}

function FoldButton() {
  const { isFolded } = useInspectorSize()
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={isFolded ? 'Show the inspector' : 'Hide the inspector'}
      aria-expanded={!isFolded}
      onClick={() => foldInspector(!isFolded)}
    >
      <svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor">
        <path d="M2.5 3.5h11v9h-11zM10 3.5v9" strokeWidth="1.3" strokeLinejoin="round" />
        {!isFolded && <path d="M10.6 4h2.4v8h-2.4z" fill="currentColor" stroke="none" />}
      </svg>
    </Button>
  )
}

/** Keeps a recording beyond its retention period. */
function KeepButton({ recording: { id, storage } }: { recording: SessionRecording }) {
  const { projectId, scopes } = useAccount()
  const keep = useKeepRecording(projectId)
  const isKept = storage === 'object_storage_lts'
  const keepIt = () =>
    keep.mutate(id, {
      onSuccess: () => toast('Kept. It will not be deleted when its retention period ends.'),
      onError: toastFailure('The recording could not be kept.'),
    })
  return (
    <Button
      reason={recordingCan.change(scopes) ?? (isKept ? 'This recording is already kept.' : null)}
      busy={keep.isPending}
      onClick={keepIt}
    >
      {isKept ? 'Kept' : 'Keep'}
    </Button>
  )
}

type MoreMenuProps = { recording: SessionRecording; name: string; list: string | undefined }

/** The rarer actions on a recording. */
function MoreMenu({ recording, name, list }: MoreMenuProps) {
  const { id } = recording
  const [isCollecting, setIsCollecting] = useState(false)
  const { projectId, scopes } = useAccount()
  const { go: goBack } = useBackToList(list)
  const client = useQueryClient()
  const reason = recordingCan.change(scopes)
  const deleteIt = () => {
    sendLater({
      verb: 'delete',
      on: [id],
      label: `Deleting the recording of ${name}`,
      failed: `The recording of ${name} could not be deleted.`,
      send: () => startBulkAction(client, projectId, { action: 'delete_recordings', ids: [id] }),
    })
    goBack()
  }
  return (
    <>
      <Menu
        label="More actions"
        items={[
          { label: 'Add to collection…', onSelect: () => setIsCollecting(true), reason },
          { label: 'Download', onSelect: () => void downloadRecording(projectId, recording) },
          { label: 'Delete', onSelect: deleteIt, reason, danger: true },
        ]}
      />
      {isCollecting && <CollectDialog rows={[recording]} onClose={() => setIsCollecting(false)} />}
    </>
  )
}

/** Opens the summary, and shows whether there is one. */
function SummaryLink({ id }: { id: string }) {
  const { projectId } = useAccount()
  const navigate = useNavigate()
  const { data, isFetching, refetch } = useQuery(summaryQuery(projectId, id))
  const open = () => {
    foldInspector(false)
    if (!data && !isFetching) void refetch()
    void navigate({
      to: '/recordings/$id',
      params: { id },
      search: (search) => ({ ...search, tab: undefined }),
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <Button look="quiet" onClick={open}>
      {data && (
        <span aria-hidden="true" className="text-ok-ink">
          ✓
        </span>
      )}
      {data ? 'Summarized' : isFetching ? 'Summarizing…' : 'Summarize'}
    </Button>
  )
}
