import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { counted } from '../../format/amount.ts'
import { NamedIcon } from './named-icon.tsx'

/** What is special about a recording: live, from an app, kept, shared, noted. */
export function Badges({ recording }: { recording: SessionRecording }) {
  const { ongoing, snapshot_source: source, storage, shared, note_count: notes } = recording
  return (
    <>
      {ongoing && (
        <span className="rounded-sm border border-run px-1 text-xs leading-4 text-run-ink">
          <span aria-hidden="true">●</span> live
        </span>
      )}
      {source === 'mobile' && <NamedIcon shape="M5 2h6v12H5zM7.3 12h1.4" name="mobile app" />}
      {storage === 'object_storage_lts' && <NamedIcon shape="M4.5 2.5h7v11L8 10.8l-3.5 2.7z" name="kept" />}
      {shared && <SharedBadge />}
      {notes > 0 && (
        <NamedIcon shape="M2.5 3h11v8h-6l-3 2.5V11h-2z" name={counted(notes, 'note')}>
          <span aria-hidden="true" className="text-xs">
            {notes}
          </span>
        </NamedIcon>
      )}
    </>
  )
}

export function SharedBadge() {
  return <NamedIcon shape="M9.5 6.5l3-3m0 0H9m3.5 0V7M7 4H3.5v8.5H12V9" name="shared by link" />
}
