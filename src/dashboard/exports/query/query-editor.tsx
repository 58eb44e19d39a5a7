import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import type { Model } from '../../../contract/exports/batch-export.ts'
import type { QueryPosition } from '../../../contract/problem.ts'
import { Field, useFieldAria } from '../../ui/controls/field.tsx'
import { fieldMessage } from '../../ui/feedback/field-message.ts'
import { markedLines, placeInWords, rangeToMark } from './query-marks.ts'
import { insertText, QueryReference } from './query-reference.tsx'

export type QueryProblem = { message: string; position: QueryPosition | null }

type QueryEditorProps = {
  field: UseFormRegisterReturn
  /** Current value of the field. */
  query: string
  model: Model
  problem: QueryProblem | null
}

/** A query editor with line numbers and marked errors. Tab leaves the field unless indenting is turned on. */
export function QueryEditor({ field, query, model, problem }: QueryEditorProps) {
  const { ref: registerRef, ...registered } = field
  const area = useRef<HTMLTextAreaElement>(null)
  const [tabIndents, setTabIndents] = useState(false)
  const range = problem?.position ? rangeToMark(query, problem.position) : null
  const jump = () => {
    area.current?.focus()
    if (range) area.current?.setSelectionRange(range.start, range.end)
  }
  const error = problem && <ProblemLine problem={problem} query={query} onJump={jump} />
  const hint = `A HogQL SELECT from ${model} chooses the columns; if empty, all columns are exported.`
  const aria = useFieldAria({ error, hint })
  return (
    <div className="flex flex-col gap-2">
      <Field id={aria.id} label="Query" optional hint={hint} error={error}>
        <div
          className={`max-h-96 overflow-y-auto rounded-md border bg-raised focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent ${problem ? 'border-fail' : 'border-line-strong'}`}
        >
          <div className="relative">
            <NumberedLines lines={markedLines(query, range)} placeholder={placeholders[model]} />
            <textarea
              {...registered}
              {...aria}
              ref={(element) => {
                registerRef(element)
                area.current = element
              }}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              className={`${typeface} absolute inset-0 resize-none overflow-hidden bg-transparent outline-none`}
              onKeyDown={(event) => {
                if (tabIndents) indentOrLeave(event, () => setTabIndents(false))
              }}
            />
          </div>
        </div>
      </Field>
      <div className="relative">
        <QueryReference model={model} hasQuery={query.trim() !== ''} area={area} />
        <label className="absolute top-0 right-0 flex items-center gap-1.5 text-xs text-ink-2">
          <input
            type="checkbox"
            checked={tabIndents}
            onChange={(event) => setTabIndents(event.target.checked)}
          />
          Tab indents<span className="max-sm:sr-only"> (Esc turns it off)</span>
        </label>
      </div>
    </div>
  )
}

/** Shared by the text and the numbered lines behind it, so that both wrap at the same places. */
const typeface = 'py-1.5 pr-2 pl-11 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere'

const placeholders: Record<Model, string> = {
  events: 'SELECT uuid, event, timestamp, properties.$browser AS browser\nFROM events',
  persons: 'SELECT distinct_id, properties.email AS email\nFROM persons',
  recordings: 'SELECT session_id, start_time, duration, summary\nFROM recordings',
}

type Lines = ReturnType<typeof markedLines>

/** Repeats the lines behind the text field to set its height; only their numbers and marks are visible. */
function NumberedLines({ lines, placeholder }: { lines: Lines; placeholder: string }) {
  const isEmpty = lines.every(({ before }) => before === '') && lines.length === 1
  const shown = isEmpty ? placeholder.split('\n') : null
  return (
    <div aria-hidden="true" className={`${typeface} min-h-28 text-transparent select-none`}>
      {(shown ?? lines).map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines are identified by their number
        <div key={index} className="relative min-h-5">
          <span className="absolute -left-9 w-6 text-right text-ink-3">{index + 1}</span>
          {typeof line === 'string' ? (
            <span className="text-ink-3">{line}</span>
          ) : (
            <>
              {line.before}
              {line.marked && (
                <mark className="bg-transparent text-transparent underline decoration-fail decoration-wavy decoration-2 underline-offset-3">
                  {line.marked}
                </mark>
              )}
              {line.after}
            </>
          )}
        </div>
      ))}
    </div>
  )
}

type ProblemLineProps = { problem: QueryProblem; query: string; onJump: () => void }

function ProblemLine({ problem, query, onJump }: ProblemLineProps): ReactNode {
  const { message, position } = problem
  if (!position) return fieldMessage(message)
  return (
    <>
      {placeInWords(query, position)}: {fieldMessage(message)}.{' '}
      <button type="button" className="rounded-sm underline underline-offset-3" onClick={onJump}>
        Go to the error
      </button>
    </>
  )
}

function indentOrLeave(event: KeyboardEvent<HTMLTextAreaElement>, leave: () => void): void {
  if (event.key === 'Escape') {
    event.stopPropagation()
    leave()
    return
  }
  if (event.key !== 'Tab' || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return
  event.preventDefault()
  insertText('  ')
}
