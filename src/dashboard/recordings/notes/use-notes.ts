import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ResponseOf } from '../../../contract/endpoints.ts'
import { namedText } from '../../../contract/recordings/mention-text.ts'
import { useAccount } from '../../account.ts'
import { useReadMentions } from '../../queries/recordings/note-mentions.ts'
import { recordingNotesQuery } from '../../queries/recordings/recording-notes.ts'

/** The notes with the names of mentioned members. Those that mention the user are read once the page has them. */
export function useNotes(recordingId: string) {
  const { projectId } = useAccount()
  const { mutate } = useReadMentions(projectId)
  const { data: notes } = useQuery({ ...recordingNotesQuery(projectId, recordingId), select: namedNotes })
  const isUnread = notes?.some((note) => note.is_unread) ?? false
  useEffect(() => {
    if (isUnread) mutate(recordingId)
  }, [isUnread, mutate, recordingId])
  return notes
}

function namedNotes({ results }: ResponseOf<'listRecordingNotes'>) {
  return results.map((note) => ({ ...note, text: namedText(note.text, note.mentions) }))
}
