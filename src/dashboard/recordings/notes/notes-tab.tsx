import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { noteLengthMax, type RecordingNote } from '../../../contract/recordings/recording-note.ts'
import { recordingCan } from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { deleteNote, recordingNotesQuery, useChangeNote } from '../../queries/recordings/recording-notes.ts'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { sendLater, useWaiting } from '../../ui/feedback/send-action.ts'
import { copyText } from '../../ui/feedback/toasts.ts'
import { ListProblem } from '../../ui/list/list-notes.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { clockTime } from '../../format/clock.ts'
import type { Player } from '../player/player.ts'

type NotesTabProps = { projectId: string; recordingId: string; player: Player }

/** The notes on a recording: search, edit, delete, and copy a link to the moment. */
export function NotesTab({ projectId, recordingId, player }: NotesTabProps) {
  const { data, error, refetch } = useQuery(recordingNotesQuery(projectId, recordingId))
  const [search, setSearch] = useState('')
  const notes = data?.results ?? []
  const wanted = search.trim().toLowerCase()
  const found = notes.filter(({ text, author }) => `${text} ${author.name}`.toLowerCase().includes(wanted))
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {notes.length > 0 && (
        <div className="border-b border-line p-2.5">
          <SearchField label="Search in notes" value={search} onSearch={setSearch} />
        </div>
      )}
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <output className="appear-late p-3.5 text-ink-3">Loading notes…</output>}
      {data && notes.length === 0 && (
        <EmptyState title="No notes yet">
          <p>
            Press <kbd>c</kbd> to write a note at the current moment.
          </p>
        </EmptyState>
      )}
      {notes.length > 0 && found.length === 0 && <EmptyState title="No note matches" />}
      {found.length > 0 && (
        <ol aria-label="Notes" className="min-h-0 flex-1 overflow-y-auto">
          {found.map((note) => (
            <Note
              key={note.id}
              projectId={projectId}
              recordingId={recordingId}
              note={note}
              onSeek={() => player.seek(note.at * 1000)}
            />
          ))}
        </ol>
      )}
    </div>
  )
}

type NoteProps = { projectId: string; recordingId: string; note: RecordingNote; onSeek: () => void }

function Note({ projectId, recordingId, note, onSeek }: NoteProps) {
  const { scopes } = useAccount()
  const client = useQueryClient()
  const [isEditing, setIsEditing] = useState(false)
  const isDeleting = useWaiting(note.id) === 'delete'
  const time = clockTime(note.at * 1000)
  const reason = recordingCan.change(scopes)
  const copyLink = () => {
    const url = `${location.origin}/recordings/${encodeURIComponent(recordingId)}?t=${Math.floor(note.at)}&tab=notes`
    void copyText(
      url,
      `Link to the note at ${time} copied.`,
      `The browser blocked copying. Copy the link by hand: ${url}`,
    )
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
        <NoteEditor projectId={projectId} note={note} onClose={() => setIsEditing(false)} />
      ) : (
        <p className="wrap-anywhere whitespace-pre-wrap">{note.text}</p>
      )}
    </li>
  )
}

type NoteEditorProps = Omit<NoteProps, 'recordingId' | 'onSeek'> & { onClose: () => void }

function NoteEditor({ projectId, note, onClose }: NoteEditorProps) {
  const [text, setText] = useState(note.text)
  const change = useChangeNote(projectId, note.id)
  const save = () => {
    if (text.trim() !== '' && !change.isPending) change.mutate(text, { onSuccess: onClose })
  }
  return (
    <Form aria-label="Edit the note" className="flex flex-col gap-2" onSubmit={save}>
      <textarea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just chosen to edit
        autoFocus
        aria-label="Text"
        rows={3}
        maxLength={noteLengthMax}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save()
        }}
        className="field h-auto min-h-16 resize-y py-1.5"
      />
      {change.error && <ProblemNote error={change.error} />}
      <FormActions
        onCancel={onClose}
        busy={change.isPending}
        reason={text.trim() === '' ? 'Enter a text first.' : null}
      >
        Save
      </FormActions>
    </Form>
  )
}
