import { partsOfNote } from '../../../contract/recordings/mention-text.ts'
import type { MentionedMember } from '../../../contract/recordings/note-mention.ts'

type NoteTextProps = { note: { text: string; mentions: readonly MentionedMember[] } }

/** The text of a note, with the names of mentioned members as chips. */
export function NoteText({ note: { text, mentions } }: NoteTextProps) {
  return partsOfNote(text, mentions).map((part, index) =>
    part.isMention ? (
      <span key={index} className="rounded-sm bg-sunken px-1 font-medium">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
}
