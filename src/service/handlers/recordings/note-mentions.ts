import { formatInstant } from '../../../contract/instant.ts'
import { visitorName } from '../../../contract/recordings/visitor-name.ts'
import { mentionedIds } from '../../../contract/recordings/mention-text.ts'
import { noteMentionsMax } from '../../../contract/recordings/note-mention.ts'
import type { Caller } from '../../auth/caller.ts'
import { invalidInput, notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { queueMail, secondsToMail, type NewMail } from '../../store/accounts/mails.ts'
import { membersWithScope, uniqueNames } from '../../store/accounts/members.ts'
import type { Project } from '../../store/accounts/projects.ts'
import { findRow } from '../../store/schema/rows.ts'
import {
  markMentionsRead,
  mentionsOfNotes,
  storeMentions,
  unreadMentions,
} from '../../store/recordings/note-mentions.ts'
import { personsOf } from '../../store/recordings/recording-persons.ts'
import type { RecordingNoteRow } from '../../store/recordings/recording-notes.ts'
import { findRecording } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { personName } from './show-recording.ts'

/** E-mails with mentions that a member gets; further mentions are only shown. */
const mailLimit = { kind: 'mention', max: 20, periodMs: 3_600_000 } as const

/** Unread mentions in a response. */
const shownMax = 10

export const listMentions: Handler<'listMentions'> = async ({ services: { store }, project, caller }) => {
  const { rows, count } = await unreadMentions(store, project.id, caller.userId, shownMax)
  const mentioned = await mentionsOfNotes(store, rows, null)
  const visitors = rows.map(({ distinct_id }) => distinct_id)
  const persons = await personsOf(store, project.id, visitors)
  const results = rows.map(({ id, session_id, distinct_id, at, text, author, created_at }) => ({
    note_id: id,
    session_recording_id: session_id,
    visitor: visitorName(personName(persons.get(distinct_id)?.properties ?? {}), distinct_id),
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
  const members = await membersWithScope(services.store, project, 'session_recording:read')
  return uniqueNames(members)
    .filter(({ uuid }) => uuid !== caller.userId)
    .map(({ uuid: id, name, email }) => ({ id, name, email }))
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
  const members =
    ids.length > kept.length ? await membersWithScope(store, project, 'session_recording:read') : []
  if (ids.some((id) => !kept.includes(id) && !members.some(({ uuid }) => uuid === id)))
    throw invalidInput(
      'Mention only members who may watch the recordings of this project: see /mentions/members/.',
      ['text'],
    )
  const at = new Date(clock.now())
  const added = await storeMentions(store, note, ids, at)
  await markMentionsRead(store, note.recording_id, caller.userId, at)
  if (!config.smtp) return
  for (const { uuid: id, email } of members)
    if (added.includes(id) && id !== caller.userId)
      await mailMention(services, { kind: 'mention', recipient: email, user_id: id, note_id: note.id })
}

/** Queues an e-mail with a mention: one per note, even if an edit removes the mention and another adds it again. */
async function mailMention(services: Services, mail: NewMail & { user_id: string; note_id: string }) {
  const { user_id, note_id } = mail
  if (await findRow(services.store, 'mails', { note_id, user_id })) return
  const wait = await secondsToMail(services, mailLimit, { user_id })
  if (wait === null) await queueMail(services, mail)
}
