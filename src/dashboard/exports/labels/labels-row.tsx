import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import { Button } from '../../ui/controls/button.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'

type LabelsRowProps = { batchExport: BatchExport; reason: string | null; onEdit: () => void }

/** Shows the labels of an export; a tag and the owner lead to the exports that share them. */
export function LabelsRow({ batchExport: { tags, owner, note }, reason, onEdit }: LabelsRowProps) {
  const isEmpty = tags.length === 0 && owner === '' && note === ''
  return (
    <div className="mt-1 flex flex-col gap-1 text-ink-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {owner && (
          <Link to="/exports" search={{ owner }} title="Show the owner’s exports" className="hover:underline">
            Owner: {owner}
          </Link>
        )}
        {tags.length > 0 && (
          <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1">
            {tags.map((tag) => (
              <li key={tag} className="min-w-0">
                <Link
                  to="/exports"
                  search={{ tag }}
                  title="Show the exports with this tag"
                  className="block min-h-6 rounded-sm bg-hover px-1.5 text-xs leading-6 wrap-anywhere hover:underline"
                >
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <span className={isEmpty ? '-ml-2.5' : ''}>
          <Button look="quiet" reason={reason} onClick={onEdit}>
            {isEmpty ? 'Add tags, an owner or a note' : 'Change'} <KeyHint of="t" />
          </Button>
        </span>
      </div>
      {note && <Note note={note} />}
    </div>
  )
}

/** Notes with more letters or lines are folded. */
const foldedAbove = { letters: 240, lines: 3 }

function Note({ note }: { note: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = note.length > foldedAbove.letters || note.split('\n').length > foldedAbove.lines
  return (
    <div className="max-w-3xl border-l-2 border-line pl-3">
      <p className={`whitespace-pre-line wrap-anywhere ${isLong && !isWhole ? 'line-clamp-2' : ''}`}>
        {note}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="min-h-6 rounded-sm text-xs underline underline-offset-3 hover:text-ink"
        >
          {isWhole ? 'Show less of the note' : 'Show the whole note'}
        </button>
      )}
    </div>
  )
}
