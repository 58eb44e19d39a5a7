import { useMemo, useState } from 'react'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { clockTime } from '../../format/clock.ts'
import { ChoiceChips, SearchableMoments } from '../moments/moment-list.tsx'
import { usePlayer, type Player } from '../player/player.ts'
import type { MarkKind } from '../player/player-messages.ts'
import {
  consoleParts,
  consoleRows,
  levelFilters,
  selectLines,
  splitStack,
  type ConsoleRow,
  type LevelFilter,
} from './console-message.ts'

/** The console of the recorded page. */
export function ConsoleTab({ player }: { player: Player }) {
  const marks = usePlayer(player, (state) => state.marks)
  const [level, setLevel] = useState<LevelFilter>('all')
  const all = useMemo(() => consoleRows(marks), [marks])
  return (
    <SearchableMoments
      label="Console"
      searchLabel="Search in the console"
      all={all}
      select={selectLines}
      filter={level}
      renderControls={() => (
        <ChoiceChips label="Level" choices={levelFilters} value={level} onChange={setLevel} />
      )}
      player={player}
      isChronological
      title={({ text }) => text}
      renderDetails={(row) => <LineDetails key={row.key} row={row} />}
      empty={
        <EmptyState title="Nothing was logged">
          <p>The page wrote nothing to the console.</p>
        </EmptyState>
      }
      noMatch="No console line matches."
    >
      {({ kind, at, text }) => (
        <>
          <span className="w-11 shrink-0 font-mono text-xs text-ink-3">{clockTime(at)}</span>
          <span aria-hidden="true" className={`w-3.5 shrink-0 ${inks[kind] ?? ''}`}>
            {symbols[kind] ?? '›'}
          </span>
          <span className={`min-w-0 truncate ${inks[kind] ?? ''}`}>
            {kind !== 'log' && <span className="sr-only">{kind}: </span>}
            {text}
          </span>
        </>
      )}
    </SearchableMoments>
  )
}

const symbols: Partial<Record<MarkKind, string>> = { warn: '!', error: '▲' }
const inks: Partial<Record<MarkKind, string>> = {
  warn: 'text-short-ink',
  error: 'font-medium text-fail-ink',
}

/** The whole line with its styles, its expandable objects, and its collapsed stack trace. */
function LineDetails({ row: { line, text } }: { row: ConsoleRow }) {
  const parts = consoleParts(line).map((part) =>
    'value' in part ? part : { ...part, ...splitStack(part.text) },
  )
  const stack = [...parts.flatMap((part) => ('stack' in part ? part.stack : [])), ...line.trace]
  return (
    <section
      aria-label={text}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets keyboard users scroll it
      tabIndex={0}
      className="max-h-1/2 shrink-0 overflow-auto border-t border-line p-3 font-mono text-xs"
    >
      <div className="wrap-anywhere whitespace-pre-wrap">
        {parts.map((part, index) =>
          'value' in part ? (
            <ValueTree key={index} value={part.value} />
          ) : (
            <span key={index} style={part.style}>
              {part.message}
            </span>
          ),
        )}
      </div>
      {stack.length > 0 && (
        <details className="pt-2">
          <summary className="text-ink-2">Stack trace ({stack.length})</summary>
          <ol className="pt-1 pl-3 wrap-anywhere">
            {stack.map((frame, index) => (
              <li key={index}>{frame.trim()}</li>
            ))}
          </ol>
        </details>
      )}
    </section>
  )
}

/** Entries shown at once. */
const entriesMax = 100
const previewLengthMax = 80

/** An object or list that can be expanded, level by level. */
function ValueTree({ name, value }: { name?: string; value: object }) {
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(entriesMax)
  const label = name === undefined ? '' : `${name}: `
  const entries: [string, unknown][] = isOpen ? Object.entries(value) : []
  return (
    <details
      className="inline-block max-w-full align-top"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="wrap-anywhere">
        <span className="text-ink-2">{label}</span>
        {preview(value)}
      </summary>
      <ul className="pl-4">
        {entries.slice(0, shown).map(([key, item]) => (
          <li key={key}>
            {typeof item === 'object' && item !== null ? (
              <ValueTree name={key} value={item} />
            ) : (
              <>
                <span className="text-ink-2">{key}: </span>
                {JSON.stringify(item)}
              </>
            )}
          </li>
        ))}
      </ul>
      {entries.length > shown && (
        <button type="button" className="pl-4 underline" onClick={() => setShown(shown + entriesMax)}>
          Show more of {entries.length}
        </button>
      )}
    </details>
  )
}

function preview(value: object): string {
  const text = JSON.stringify(value)
  return text.length > previewLengthMax ? `${text.slice(0, previewLengthMax)}…` : text
}
