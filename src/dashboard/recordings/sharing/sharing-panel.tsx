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

/** Whether, and how, a recording is open to whoever has its link. */
export function SharingPanel({ recordingId }: { recordingId: string }) {
  const { projectId, scopes } = useAccount()
  const notSeen = recordingCan.seeSharing(scopes)
  const { data, error, refetch } = useQuery({
    ...sharingQuery(projectId, recordingId),
    enabled: notSeen === null,
  })
  if (notSeen !== null)
    return (
      <EmptyState title="This key may not see this">
        <p>{notSeen}</p>
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
          label="Share by a link"
          on={sharing.enabled}
          reason={reason}
          onChange={(enabled) => change.mutate({ enabled })}
        />
        <span className="font-medium">Share by a link</span>
        {sharing.enabled && <span className="ml-auto text-ink-3">{counted(sharing.views, 'view')}</span>}
      </div>
      {error && <ProblemNote error={error} />}
      {!sharing.enabled && (
        <p className="text-ink-2">
          Whoever has the link sees the recording, without a key: the page as the visitor saw it, not who they
          are. Switched off, the link opens nothing any more.
        </p>
      )}
      {sharing.enabled && (
        <>
          <Secret label="Link" value={sharedLink(sharing)} />
          <div className="flex flex-wrap items-center gap-3">
            <Button reason={reason} busy={refresh.isPending} onClick={() => refresh.mutate(undefined)}>
              New link
            </Button>
            <span className="text-xs text-ink-3">The old one opens nothing any more.</span>
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
        label="Open until"
        type="datetime-local"
        optional
        value={text}
        disabled={saving.reason !== null}
        onChange={(event) => setText(event.target.value)}
        hint={`${zoneName(zone)} time. Empty: until it is switched off.`}
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
          label={isSet ? 'Another password' : 'Password'}
          type="password"
          autoComplete="new-password"
          optional
          value={text}
          disabled={saving.reason !== null}
          onChange={(event) => setText(event.target.value)}
          hint={isSet ? 'The link asks for a password. It is never shown.' : 'The link then asks for it.'}
        />
      </Saved>
      {isSet && (
        <div>
          <Button {...saving} onClick={() => onSave(null)}>
            Ask for no password
          </Button>
        </div>
      )}
    </>
  )
}

type SavedProps = Omit<Saving, 'onSave'> & { isChanged: boolean; onSave: () => void; children: ReactNode }

/** A field that is saved by itself, once it says something else. */
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
