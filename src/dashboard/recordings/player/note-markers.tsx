import type { RecordingNote } from '../../../contract/recordings/recording-note.ts'
import { clockTime } from '../../format/clock.ts'
import { usePlayer, type Player } from './player.ts'

/** The position on the timeline that is pointed at, in CSS pixels. */
export type Pointed = { x: number; clientX: number; isDragging: boolean }

type NoteMarkersProps = {
  player: Player
  notes: readonly RecordingNote[]
  width: number
  /** Called with the position of a focused marker, null when the focus leaves. */
  onPoint: (pointed: Pointed | null) => void
}

/** The notes on the timeline, one button each; a click seeks to the note. */
export function NoteMarkers({ player, notes, width, onPoint }: NoteMarkersProps) {
  const end = usePlayer(player, ({ outline }) => outline.end)
  return notes.map((note) => {
    const at = note.at * 1000
    const x = Math.min(Math.max(6, (at / Math.max(end, 1)) * width), Math.max(6, width - 6))
    return (
      <button
        key={note.id}
        type="button"
        aria-label={`Note of ${note.author.name} at ${clockTime(at)}: ${note.text}`}
        onClick={() => player.seek(at)}
        onFocus={({ currentTarget }) => {
          const { left } = currentTarget.getBoundingClientRect()
          onPoint({ x, clientX: left, isDragging: false })
        }}
        onBlur={() => onPoint(null)}
        className="absolute top-0 h-4 w-3 -translate-x-1/2 rounded-sm rounded-b-full border border-raised bg-accent hover:bg-accent-hover"
        style={{ left: x }}
      />
    )
  })
}

/** The notes around a moment, with their authors. Times are in milliseconds. */
export function NotesNear({
  notes,
  at,
  within,
}: Pick<NoteMarkersProps, 'notes'> & { at: number; within: number }) {
  return notes
    .filter((note) => Math.abs(note.at * 1000 - at) <= within)
    .slice(0, 3)
    .map(({ id, text, author }) => (
      <span key={id} className="line-clamp-3">
        ✎ {author.name}: {text}
      </span>
    ))
}
