import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import type { SharingConfiguration } from '../../../contract/recordings/sharing.ts'
import { useAccount } from '../../account.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { useLinkChanges } from '../../queries/recordings/recording-links.ts'
import { sharingQuery, useSharingChanges } from '../../queries/recordings/sharing.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListProblem } from '../../ui/list/list-notes.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { Switch } from '../../ui/controls/switch.tsx'
import { clockTime } from '../../format/clock.ts'
import { LinkCard } from './link-card.tsx'
import { LinkList } from './link-list.tsx'

type SharingPanelProps = {
  recordingId: string
  /** The player's position, in seconds since the start; undefined without a player. */
  at?: number | undefined
}

/** The links to a recording. */
export function SharingPanel({ recordingId, at }: SharingPanelProps) {
  const { projectId, scopes } = useAccount()
  const deniedReason = recordingCan.seeSharing(scopes)
  const { data, error, refetch } = useQuery({
    ...sharingQuery(projectId, recordingId),
    enabled: deniedReason === null,
  })
  if (deniedReason !== null)
    return (
      <EmptyState title="This key has no access to sharing">
        <p>{deniedReason}</p>
      </EmptyState>
    )
  if (error) return <ListProblem error={error} onRetry={() => void refetch()} />
  if (!data) return <output className="appear-late text-ink-3">Loading…</output>
  return (
    <div className="flex flex-col gap-4">
      <DefaultLink sharing={data} recordingId={recordingId} at={at} />
      <div className="border-t border-line pt-3.5">
        <FurtherLinks recordingId={recordingId} at={at} />
      </div>
    </div>
  )
}

/** The links to a recording besides the default one. */
function FurtherLinks({ recordingId, at }: SharingPanelProps) {
  const { projectId, scopes } = useAccount()
  const params = { project_id: projectId, recording_id: recordingId }
  const { data, error, refetch } = useQuery(endpointQuery('listRecordingLinks', { params }))
  const start = at !== undefined && at > 0 ? Math.floor(at) : null
  return (
    <LinkList
      title="More links"
      links={data?.results}
      error={error}
      onRetry={() => void refetch()}
      changes={useLinkChanges(projectId, recordingId)}
      create={{ label: start === null ? 'New link' : `New link from ${clockTime(start * 1000)}`, start }}
      empty="Give each group of people a link of its own, with its own limits."
      at={at}
      reason={recordingCan.share(scopes)}
    />
  )
}

type DefaultLinkProps = { sharing: SharingConfiguration; recordingId: string; at: number | undefined }

function DefaultLink({ sharing, recordingId, at }: DefaultLinkProps) {
  const { projectId, scopes } = useAccount()
  const reason = recordingCan.share(scopes)
  const { change, replace } = useSharingChanges(projectId, recordingId)
  const [isReplacing, setIsReplacing] = useState(false)
  const restore = () =>
    change.mutate({ enabled: true, keep_token: true }, { onSuccess: () => toast('The link works again.') })
  const stop = () =>
    change.mutate(
      { enabled: false },
      { onSuccess: () => toast('This link no longer works.', { undo: restore }) },
    )
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <Switch
          label="Share by link"
          on={sharing.enabled}
          reason={reason}
          // A link shows the picture alone until its owner decides otherwise.
          onChange={(enabled) => (enabled ? change.mutate({ enabled, shows: 'picture' }) : stop())}
        />
        <span className="font-medium">Share by link</span>
      </div>
      {change.error && <ProblemNote error={change.error} />}
      {sharing.enabled ? (
        <LinkCard
          link={sharing}
          at={at}
          reason={reason}
          busy={change.isPending}
          onSave={(changes) => change.mutate(changes, { onSuccess: () => toast('Saved.') })}
        >
          <Button reason={reason} onClick={() => setIsReplacing(true)}>
            Replace link
          </Button>
        </LinkCard>
      ) : (
        <p className="text-ink-2">
          Anyone with the link can watch without an API key: they see the page as the visitor saw it, but not
          the visitor’s properties. The switch turns off only this link; other links work until you revoke
          them.
        </p>
      )}
      {isReplacing && (
        <ConfirmDialog
          title="Replace this link?"
          action="Replace"
          busy={replace.isPending}
          error={replace.error}
          onConfirm={() =>
            replace.mutate(undefined, {
              onSuccess: () => {
                setIsReplacing(false)
                toast('Link replaced. The old one no longer works.')
              },
            })
          }
          onClose={() => setIsReplacing(false)}
        >
          <p>The current link stops working for everyone who has it, and its count of views restarts.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
