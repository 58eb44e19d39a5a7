import { formatInstant } from '../../../contract/instant.ts'
import { mentionedIds } from '../../../contract/recordings/mention-text.ts'
import { noteMentionsMax } from '../../../contract/recordings/note-mention.ts'
import type { Caller } from '../../auth/caller.ts'
import { mayWatch } from '../../auth/member-rules.ts'
import { invalidInput, notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { queueMail } from '../../store/accounts/mails.ts'
import type { Project } from '../../store/accounts/projects.ts'
import {
  markMentionsRead,
  mentionsOfNotes,
  namedMembers,
  storeMentions,
  unreadMentions,
  type NamedMember,
} from '../../store/recordings/note-mentions.ts'
import type { RecordingNoteRow } from '../../store/recordings/recording-notes.ts'
import { findRecording } from '../../store/recordings/session-recordings.ts'
import type { Store } from '../../store/schema/database.ts'
import type { Handler } from '../handler.ts'

/** Unread mentions in a response. */
const shownMax = 10

export const listMentions: Handler<'listMentions'> = async ({ services: { store }, project, caller }) => {
  const { rows, count } = await unreadMentions(store, project.id, caller.userId, shownMax)
  const mentioned = await mentionsOfNotes(store, rows, null)
  const results = rows.map(({ id, session_id, at, text, author, created_at }) => ({
    note_id: id,
    session_recording_id: session_id,
    at,
    text,
    mentions: mentioned.get(id)?.mentions ?? [],
    author: { name: author },
    created_at: formatInstant(created_at),
  }))
  return { count, results }
}

/** Lists all whom a note can mention but the caller. */
export const listMentionableMembers: Handler<'listMentionableMembers'> = async (request) => {
  const { services, project, caller } = request
  const members = await mentionable(services.store, project)
  return members.filter(({ id }) => id !== caller.userId).map(({ id, name, email }) => ({ id, name, email }))
}

export const readMentions: Handler<'readMentions'> = async ({ services, project, caller, body }) => {
  const { store, clock } = services
  const recording = await findRecording(store, project.id, body.session_recording_id)
  if (!recording) throw notFound('Recording not found')
  await markMentionsRead(store, recording.id, caller.userId, new Date(clock.now()))
  return { success: true }
}

/**
 * Stores whom the text of a new or changed note mentions, and tells those whom it did not mention before.
 * @throws ApiError 400 if one of them may not watch the recordings of the project
 */
export async function mentionMembers(
  { services, project, caller }: { services: Services; project: Project; caller: Caller },
  note: RecordingNoteRow,
): Promise<void> {
  const { store, clock, config } = services
  const ids = mentionedIds(note.text)
  if (ids.length > noteMentionsMax)
    throw invalidInput(`Mention at most ${noteMentionsMax} members in a note.`, ['text'])
  const earlier = (await mentionsOfNotes(store, [note], null)).get(note.id)?.mentions ?? []
  const kept = earlier.map(({ id }) => id).filter((id) => ids.includes(id))
  const members = ids.length > kept.length ? await mentionable(store, project) : []
  if (ids.some((id) => !kept.includes(id) && !members.some((member) => member.id === id)))
    throw invalidInput(
      'Mention only members who may watch the recordings of this project: see /mentions/members/.',
      ['text'],
    )
  const at = new Date(clock.now())
  const added = await storeMentions(store, note, ids, at)
  await markMentionsRead(store, note.recording_id, caller.userId, at)
  if (!config.smtp) return
  for (const { id, email } of members)
    if (added.includes(id) && id !== caller.userId)
      await queueMail(services, { kind: 'mention', recipient: email, user_id: id, note_id: note.id })
}

async function mentionable(store: Store, { id, organization_id }: Project): Promise<NamedMember[]> {
  return (await namedMembers(store, organization_id)).filter((member) => mayWatch(member, id))
}
