import { useQuery } from '@tanstack/react-query'
import { recordingCan } from '../../../contract/session-recording.ts'
import type { SharingConfiguration } from '../../../contract/sharing.ts'
import { useAccount } from '../../account.ts'
import { sharingQuery, useChangeSharing, useRefreshSharing } from '../../queries/sharing.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { Switch } from '../../ui/switch.tsx'
import { FurtherLinks } from './further-links.tsx'
import { LinkCard } from './link-card.tsx'

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
      <FurtherLinks
        projectId={projectId}
        recordingId={recordingId}
        at={at}
        reason={recordingCan.share(scopes)}
      />
    </div>
  )
}

type DefaultLinkProps = { sharing: SharingConfiguration; recordingId: string; at: number | undefined }

function DefaultLink({ sharing, recordingId, at }: DefaultLinkProps) {
  const { projectId, scopes } = useAccount()
  const reason = recordingCan.share(scopes)
  const change = useChangeSharing(projectId, recordingId)
  const refresh = useRefreshSharing(projectId, recordingId)
  const error = change.error ?? refresh.error
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <Switch
          label="Share by link"
          on={sharing.enabled}
          reason={reason}
          // A link shows the picture alone until its owner decides otherwise.
          onChange={(enabled) => change.mutate(enabled ? { enabled, shows: 'picture' } : { enabled })}
        />
        <span className="font-medium">Share by link</span>
      </div>
      {error && <ProblemNote error={error} />}
      {sharing.enabled ? (
        <LinkCard
          link={sharing}
          at={at}
          reason={reason}
          busy={change.isPending}
          onSave={(changes) => change.mutate(changes, { onSuccess: () => toast('Saved.') })}
        >
          <Button reason={reason} busy={refresh.isPending} onClick={() => refresh.mutate(undefined)}>
            New address
          </Button>
        </LinkCard>
      ) : (
        <p className="text-ink-2">
          Anyone with the link can watch without an API key: they see the page as the visitor saw it, but not
          the visitor’s properties. The link stops working when you turn sharing off.
        </p>
      )}
    </div>
  )
}
