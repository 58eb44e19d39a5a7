import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { recordingCan } from '../../../contract/session-recording.ts'
import type { SharingConfiguration } from '../../../contract/sharing.ts'
import { useAccount } from '../../account.ts'
import { usePreferences } from '../../words/preferences.ts'
import { sharingQuery, useChangeSharing, useRefreshSharing } from '../../queries/sharing.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { Secret } from '../../ui/secret.tsx'
import { Switch } from '../../ui/switch.tsx'
import { counted } from '../../words/amount.ts'
import { fieldTime, readFieldTime, zoneName } from '../../words/time.ts'
import { sharedLink } from './shared-link.ts'

/** The settings of a recording's shared link. */
export function SharingPanel({ recordingId }: { recordingId: string }) {
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
  return <Sharing sharing={data} recordingId={recordingId} />
}

function Sharing({ sharing, recordingId }: { sharing: SharingConfiguration; recordingId: string }) {
  const { projectId, scopes } = useAccount()
  const reason = recordingCan.share(scopes)
  const change = useChangeSharing(projectId, recordingId)
  const refresh = useRefreshSharing(projectId, recordingId)
  const error = change.error ?? refresh.error
  const saving = { reason, busy: change.isPending }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-2">
        <Switch
          label="Share by link"
          on={sharing.enabled}
          reason={reason}
          onChange={(enabled) => change.mutate({ enabled })}
        />
        <span className="font-medium">Share by link</span>
        {sharing.enabled && <span className="ml-auto text-ink-3">{counted(sharing.views, 'view')}</span>}
      </div>
      {error && <ProblemNote error={error} />}
      {!sharing.enabled && (
        <p className="text-ink-2">
          Anyone with the link can watch the recording without an API key: they see the page as the visitor
          saw it, but not who the visitor is. The link stops working when you turn sharing off.
        </p>
      )}
      {sharing.enabled && (
        <>
          <Secret label="Link" value={sharedLink(sharing)} />
          <div className="flex flex-wrap items-center gap-3">
            <Button reason={reason} busy={refresh.isPending} onClick={() => refresh.mutate(undefined)}>
              New link
            </Button>
            <span className="text-xs text-ink-3">The old link stops working.</span>
          </div>
          <Expiry
            key={sharing.expires_at}
            {...saving}
            sharing={sharing}
            onSave={(expires_at) => change.mutate({ expires_at })}
          />
          <Password
            {...saving}
            isSet={sharing.password_required}
            onSave={(password) => change.mutate({ password })}
          />
        </>
      )}
    </div>
  )
}

type Saving = { reason: string | null; busy: boolean; onSave: (text: string | null) => void }

function Expiry({ sharing, onSave, ...saving }: Saving & { sharing: SharingConfiguration }) {
  const { zone } = usePreferences()
  const saved = sharing.expires_at === null ? '' : fieldTime(Date.parse(sharing.expires_at), zone)
  const [text, setText] = useState(saved)
  return (
    <Saved {...saving} isChanged={text !== saved} onSave={() => onSave(readFieldTime(text, zone))}>
      <TextField
        label="Expires"
        type="datetime-local"
        optional
        value={text}
        disabled={saving.reason !== null}
        onChange={(event) => setText(event.target.value)}
        hint={`${zoneName(zone)} time. Leave empty for no expiry.`}
      />
    </Saved>
  )
}

function Password({ isSet, onSave, ...saving }: Saving & { isSet: boolean }) {
  const [text, setText] = useState('')
  const save = () => {
    onSave(text)
    setText('')
  }
  return (
    <>
      <Saved {...saving} isChanged={text !== ''} onSave={save}>
        <TextField
          label={isSet ? 'New password' : 'Password'}
          type="password"
          autoComplete="new-password"
          optional
          value={text}
          disabled={saving.reason !== null}
          onChange={(event) => setText(event.target.value)}
          hint={
            isSet
              ? 'The link requires a password, which is never shown.'
              : 'Anyone who opens the link must enter it.'
          }
        />
      </Saved>
      {isSet && (
        <div>
          <Button {...saving} onClick={() => onSave(null)}>
            Remove password
          </Button>
        </div>
      )}
    </>
  )
}

type SavedProps = Omit<Saving, 'onSave'> & { isChanged: boolean; onSave: () => void; children: ReactNode }

/** A form with one field; its Save button appears once the field has changed. */
function Saved({ reason, busy, isChanged, onSave, children }: SavedProps) {
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      {children}
      {isChanged && (
        <div>
          <Button type="submit" reason={reason} busy={busy}>
            Save
          </Button>
        </div>
      )}
    </form>
  )
}
