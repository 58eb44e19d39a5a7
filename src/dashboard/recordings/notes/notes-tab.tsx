import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { namedText } from '../../../contract/recordings/mention-text.ts'
import type { RecordingNote } from '../../../contract/recordings/recording-note.ts'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import type { WatchedRecording } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { deleteNote, recordingNotesQuery, useChangeNote } from '../../queries/recordings/recording-notes.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { FormActions } from '../../ui/controls/form.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { sendLater, useWaiting } from '../../ui/feedback/send-action.ts'
import { copyText } from '../../ui/feedback/toasts.ts'
import { ListNotes } from '../../ui/list/list-notes.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { clockTime } from '../../format/clock.ts'
import type { Player } from '../player/player.ts'
import { NoteForm } from './note-form.tsx'
import { NoteText } from './note-text.tsx'

type NotesTabProps = { recording: WatchedRecording; player: Player }

/** The notes on a recording: search, edit, delete, and copy a link to the moment. */
export function NotesTab({ recording, player }: NotesTabProps) {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery(recordingNotesQuery(projectId, recording.id))
  const [search, setSearch] = useState('')
  const notes = data?.results ?? []
  const wanted = search.trim().toLowerCase()
  const found = notes.filter((note) => `${textOf(note)} ${note.author.name}`.toLowerCase().includes(wanted))
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {notes.length > 0 && (
        <div className="border-b border-line p-2.5">
          <SearchField label="Search in notes" value={search} onSearch={setSearch} />
        </div>
      )}
      <ListNotes
        count={data && found.length}
        error={error}
        onRetry={() => void refetch()}
        loading={<output className="appear-late p-3.5 text-ink-3">Loading notes…</output>}
        empty={
          <EmptyState title="No notes yet">
            <p>
              Press <kbd>c</kbd> to write a note at the current moment.
            </p>
          </EmptyState>
        }
        filteredEmpty={notes.length > 0 ? <EmptyState title="No note matches" /> : null}
      >
        <ol aria-label="Notes" className="min-h-0 flex-1 overflow-y-auto">
          {found.map((note) => (
            <Note key={note.id} note={note} onSeek={() => player.seek(note.at * 1000)} />
          ))}
        </ol>
      </ListNotes>
    </div>
  )
}

/** Returns the text with the names of mentioned members. */
function textOf({ text, mentions }: RecordingNote): string {
  return namedText(text, mentions)
}

function Note({ note, onSeek }: { note: RecordingNote; onSeek: () => void }) {
  const { projectId, scopes } = useAccount()
  const client = useQueryClient()
  const [isEditing, setIsEditing] = useState(false)
  const isDeleting = useWaiting(note.id) === 'delete'
  const time = clockTime(note.at * 1000)
  const reason = recordingCan.change(scopes)
  const copyLink = () => {
    const url = `${location.origin}/recordings/${encodeURIComponent(note.session_recording_id)}?t=${Math.floor(note.at)}&tab=notes`
    const blocked = `The browser blocked copying. Copy the link by hand: ${url}`
    void copyText(url, `Link to the note at ${time} copied.`, blocked)
  }
  const deleteIt = () =>
    sendLater({
      verb: 'delete',
      on: [note.id],
      label: `Deleting the note at ${time}`,
      failed: `The note at ${time} could not be deleted.`,
      send: () => deleteNote(client, projectId, note.id),
    })
  return (
    <li
      className={`flex flex-col gap-1 border-b border-line px-3 py-2 ${isDeleting ? 'line-through opacity-50' : ''}`}
    >
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-label={`Go to ${time}`}
          onClick={onSeek}
          className="font-mono text-xs text-ink-2 underline underline-offset-3 hover:text-ink"
        >
          {time}
        </button>
        <Avatar name={note.author.name} />
        <span className="min-w-0 flex-1 truncate text-xs text-ink-3">
          {note.author.name} · <RelativeTime time={note.created_at} />
          {note.updated_at !== note.created_at && ' · edited'}
        </span>
        <Menu
          label={`Actions on the note at ${time}`}
          items={[
            {
              label: 'Edit',
              onSelect: () => setIsEditing(true),
              reason: reason ?? (note.is_mine ? null : 'Only its author can edit a note.'),
            },
            { label: 'Copy link', onSelect: copyLink },
            { label: 'Delete', onSelect: deleteIt, reason, danger: true },
          ]}
        />
      </div>
      {isEditing ? (
        <NoteEditor note={note} onClose={() => setIsEditing(false)} />
      ) : (
        <p className="wrap-anywhere whitespace-pre-wrap">
          <NoteText note={note} />
        </p>
      )}
    </li>
  )
}

function NoteEditor({ note, onClose }: { note: RecordingNote; onClose: () => void }) {
  const { projectId } = useAccount()
  const [text, setText] = useState(textOf(note))
  const change = useChangeNote(projectId, note)
  return (
    <NoteForm
      label="Edit the note"
      field={{ 'aria-label': 'Text', rows: 3 }}
      className=""
      text={text}
      onText={setText}
      saving={change}
      onSave={() => change.mutate(text, { onSuccess: onClose })}
      onClose={onClose}
    >
      {(reason) => (
        <FormActions onCancel={onClose} busy={change.isPending} reason={reason}>
          Save
        </FormActions>
      )}
    </NoteForm>
  )
}
