import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import type { ResponseOf } from '../../../contract/endpoints.ts'
import type { SharingConfiguration } from '../../../contract/recordings/sharing.ts'
import { recordingCan, sharedAtOnceMax } from '../../../contract/recordings/recording-rules.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import {
  shareMany,
  sharingQuery,
  useLinkChanges,
  useSharingChanges,
} from '../../queries/recordings/sharing.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { Loaded } from '../../ui/list/list-notes.tsx'
import { Icon } from '../../ui/icon.tsx'
import { copyText, toast } from '../../ui/feedback/toasts.ts'
import { sendAction } from '../../ui/feedback/send-action.ts'
import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { namedRecordings } from '../../format/recording-name.ts'
import { LinkCard } from './link-card.tsx'
import { LinkList } from './link-list.tsx'
import { LinkTargetContext, type LinkTarget } from './element-masks.tsx'
import { sharedLink } from './shared-link.ts'

type ShareDialogProps = Pick<LinkTarget, 'at' | 'player'> & {
  rows: readonly SessionRecording[]
  onClose: () => void
}

/** Shows how one recording is shared, or shares several at once. */
export function ShareDialog({ rows, at, player, onClose }: ShareDialogProps) {
  const [only] = rows
  return (
    <Dialog title={`Share ${namedRecordings(rows)}`} onClose={onClose}>
      {rows.length === 1 && only ? (
        <LinkTargetContext value={{ player, at, isApp: only.snapshot_source === 'mobile' }}>
          <Links recordingId={only.id} />
        </LinkTargetContext>
      ) : (
        <ShareMany rows={rows} />
      )}
    </Dialog>
  )
}

/** The links to a recording. */
function Links({ recordingId }: { recordingId: string }) {
  const { projectId, scopes } = useAccount()
  const deniedReason = recordingCan.seeSharing(scopes)
  const sharing = useQuery({ ...sharingQuery(projectId, recordingId), enabled: deniedReason === null })
  const { at = 0 } = use(LinkTargetContext)
  const start = at > 0 ? Math.floor(at) : null
  const label = start === null ? 'New link' : `New link from ${clockTime(start * 1000)}`
  const params = { project_id: projectId, recording_id: recordingId }
  const further = useQuery({
    ...endpointQuery('listRecordingLinks', { params }),
    enabled: sharing.isSuccess,
  })
  const changes = useLinkChanges(projectId, recordingId)
  if (deniedReason !== null)
    return <EmptyState title="This key has no access to sharing">{deniedReason}</EmptyState>
  return (
    <Loaded query={sharing}>
      {(data) => (
        <div className="flex flex-col gap-4">
          <DefaultLink sharing={data} recordingId={recordingId} />
          <div className="border-t border-line pt-3.5">
            <LinkList
              title="More links"
              query={further}
              changes={changes}
              create={{ label, start }}
              empty="Give each group of people a link of its own, with its own limits."
            />
          </div>
        </div>
      )}
    </Loaded>
  )
}

function DefaultLink({ sharing, recordingId }: { sharing: SharingConfiguration; recordingId: string }) {
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
  const onReplaced = () => {
    setIsReplacing(false)
    toast('Link replaced. The old one no longer works.')
  }
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
          busy={change.isPending}
          onSave={(changes) => change.mutate(changes, { onSuccess: () => toast('Saved.') })}
        >
          <Button reason={reason} onClick={() => setIsReplacing(true)}>
            Replace link
          </Button>
        </LinkCard>
      ) : (
        <p className="text-ink-2">
          Anyone with the link can watch without signing in: they see the page as the visitor saw it, but not
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
          onConfirm={() => replace.mutate(undefined, { onSuccess: onReplaced })}
          onClose={() => setIsReplacing(false)}
        >
          <p>The current link stops working for everyone who has it, and its count of views restarts.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function ShareMany({ rows }: { rows: readonly SessionRecording[] }) {
  const client = useQueryClient()
  const { projectId } = useAccount()
  const [busy, setBusy] = useState<number | null>(null)
  const [links, setLinks] = useState<readonly string[]>([])
  /** Changes the default links of recordings; resolves to those that were changed. */
  const change = async (ids: readonly string[], body: { enabled: boolean; keep_token?: boolean }) => {
    const changed: ResponseOf<'bulkUpdateSharing'>['results'] = []
    setBusy(0)
    try {
      for (let first = 0; first < ids.length; first += sharedAtOnceMax) {
        const some = ids.slice(first, first + sharedAtOnceMax)
        changed.push(...(await shareMany(client, projectId, { ids: some, ...body })))
        setBusy(first + some.length)
      }
    } finally {
      setBusy(null)
    }
    setLinks(body.enabled ? changed.map(sharedLink) : [])
    return changed.map(({ id }) => id)
  }
  const failed = 'Sharing could not be changed.'
  const ids = rows.map(({ id }) => id)
  const share = () =>
    sendAction({
      failed,
      send: () => change(ids, { enabled: true }),
      done: (shared) => `Shared ${counted(shared.length, 'recording')}.`,
    })
  const stop = async () => {
    let closed: readonly string[] = []
    await sendAction({
      failed,
      send: async () => (closed = await change(ids, { enabled: false })),
      done: () => {
        if (closed.length > 0) return `Stopped sharing ${counted(closed.length, 'recording')}.`
        // Without Undo.
        toast('None of these recordings was shared.')
        return null
      },
      undo: () =>
        void sendAction({ failed, send: () => change(closed, { enabled: true, keep_token: true }) }),
    })
  }
  const ready = counted(links.length, 'link')
  const copy = () => copyText(links.join('\n'), `${ready} copied.`, 'The browser blocked copying the links.')
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">
        Each recording gets its own link. Anyone with the link can watch without signing in: they see the page
        as the visitor saw it, but not the visitor’s properties.
      </p>
      <output className="empty:hidden">
        {busy === null
          ? links.length > 0 && `${ready} ready.`
          : `${busy} of ${counted(rows.length, 'recording')} done`}
      </output>
      <div className="flex flex-wrap justify-end gap-2">
        <Button busy={busy !== null} onClick={() => void stop()}>
          Stop sharing all
        </Button>
        {links.length > 0 && (
          <Button onClick={() => void copy()}>
            <Icon name="copy" /> Copy all links
          </Button>
        )}
        <Button look="primary" busy={busy !== null} onClick={() => void share()}>
          Share all
        </Button>
      </div>
    </div>
  )
}
