/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list that a text field controls */
import { useId, useState, type KeyboardEvent } from 'react'
import { matchScore } from '../../format/match.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { filterKinds, type Choice, type FilterKind, type Question } from './filter-kinds.ts'
import { quickKinds } from './quick-kinds.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { visitorName } from '../../../contract/recordings/visitor-name.ts'
import { useAccount } from '../../account.ts'
import { collectionsQuery } from '../../queries/recordings/recording-collections.ts'
import { filterValuesQuery, recordingsOfQuery } from '../../queries/recordings/recordings.ts'

type FilterPickerProps = {
  search: RecordingsSearch
  onChange: (part: Partial<RecordingsSearch>) => void
  onClose: () => void
}

/** Adds a filter: asks for its kind, then the kind's questions, in one text field with the answers below. */
export function FilterPicker({ search, onChange, onClose }: FilterPickerProps) {
  const listId = useId()
  const [kind, setKind] = useState<FilterKind | null>(null)
  const [answers, setAnswers] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const question = kind?.questions[answers.length]
  const found = useChoices(question, answers, typed.trim())
  const kinds = [...quickKinds(search), ...filterKinds]
  const options = kind ? found : kindsFor(kinds, typed)
  const current = options[Math.min(at, options.length - 1)]
  const ask = question?.ask ?? 'Filter by'
  const goTo = (next: { kind: FilterKind | null; answers: readonly string[] }) => {
    setKind(next.kind)
    setAnswers(next.answers)
    setTyped('')
    setAt(0)
  }
  const choose = ({ value }: Choice) => {
    const chosen = kind ?? kinds.find((each) => nameOf(each) === value)
    if (!chosen) return
    const given = kind ? [...answers, value] : []
    if (given.length < chosen.questions.length) return goTo({ kind: chosen, answers: given })
    onChange(chosen.apply(search, given))
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && current) choose(current)
    else if (event.key === 'ArrowDown') moveTo(at + 1)
    else if (event.key === 'ArrowUp') moveTo(at - 1)
    else if (event.key === 'Backspace' && typed === '' && kind)
      goTo({ kind: answers.length === 0 ? null : kind, answers: answers.slice(0, -1) })
    else return
    event.preventDefault()
  }
  const moveTo = (index: number) => {
    const next = (index + options.length) % Math.max(options.length, 1)
    setAt(next)
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <div className="flex items-center gap-1.5 border-b border-line px-2.5">
        {kind && <span className="shrink-0 rounded-sm bg-selected px-1.5 py-0.5 text-xs">{kind.label}</span>}
        {answers.map((answer) => (
          <span key={answer} className="max-w-24 truncate rounded-sm bg-selected px-1.5 py-0.5 text-xs">
            {answer}
          </span>
        ))}
        <input
          type="text"
          role="combobox"
          aria-label={ask}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={current && `${listId}-${options.indexOf(current)}`}
          placeholder={ask}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the button that adds a filter
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          className="h-10 min-w-0 flex-1 bg-transparent text-ink outline-none"
        />
      </div>
      <div id={listId} role="listbox" aria-label={ask} className="max-h-80 overflow-y-auto p-1">
        {options.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field handles the keys
          <div
            key={option.value}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={option === current}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(option)}
            className="flex min-h-8 items-center gap-3 rounded-md px-2 py-1 aria-selected:bg-selected"
          >
            <span className="min-w-0 flex-1 wrap-anywhere">{option.label}</span>
            {option.hint && <span className="shrink-0 text-xs text-ink-3">{option.hint}</span>}
          </div>
        ))}
      </div>
      <output className={options.length === 0 ? 'block px-3 pb-3 text-ink-3' : 'sr-only'}>
        {options.length === 0
          ? (question?.emptyText ?? nothingFound(kind, typed))
          : `${options.length} offered`}
      </output>
    </>
  )
}

function nothingFound(kind: FilterKind | null, typed: string): string {
  if (!kind) return 'No such filter.'
  return typed === '' ? 'Type a value.' : 'Not a valid value.'
}

/** A quick filter and a kind that asks for a number can have the same label. */
function nameOf({ group, label }: FilterKind): string {
  return `${group}: ${label}`
}

/** Returns those of the kinds that match the typed text, best first; all without text. */
function kindsFor(kinds: readonly FilterKind[], typed: string): Choice[] {
  const choice = (kind: FilterKind): Choice => ({ value: nameOf(kind), label: kind.label, hint: kind.group })
  if (typed.trim() === '') return kinds.map(choice)
  return kinds
    .flatMap((kind) => {
      const score = matchScore(typed, `${kind.label} ${kind.keywords ?? ''}`)
      return score === null || score < 2 ? [] : [{ kind, score }]
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ kind }) => choice(kind))
}

/** Returns the answers to a question that match the typed text: the typed text itself, the known ones, those of the data. */
function useChoices(question: Question | undefined, answers: readonly string[], typed: string): Choice[] {
  const { projectId } = useAccount()
  const suggests = question?.suggests?.(answers)
  const values = useQuery({
    ...filterValuesQuery(projectId, { ...suggests, search: typed.slice(0, 200) }),
    enabled: suggests !== undefined,
    placeholderData: keepPreviousData,
  })
  const persons = useQuery({
    ...recordingsOfQuery(projectId, typed.slice(0, 200)),
    enabled: question?.suggestsPersons === true,
    placeholderData: keepPreviousData,
  })
  const collections = useQuery({
    ...collectionsQuery(projectId),
    enabled: question?.suggestsCollections === true,
  })
  if (!question) return []
  const own = typed === '' ? null : (question.typed?.(typed) ?? null)
  const suggested = suggests
    ? (values.data?.results ?? []).map((value) => ({ value, label: question.labelOf?.(value) ?? value }))
    : []
  const named = question.suggestsPersons
    ? (persons.data?.results ?? []).map(({ person, distinct_id: id }) => ({
        value: person.name || id,
        label: visitorName(person.name, id),
      }))
    : []
  const ofCollections = question.suggestsCollections
    ? (collections.data?.results ?? []).map(({ id, name }) => ({ value: id, label: name }))
    : []
  const known = [...(question.choices ?? []), ...ofCollections].filter(({ label }) =>
    label.toLowerCase().includes(typed.toLowerCase()),
  )
  const all = [...suggested, ...named, ...known]
  const isOffered = all.some(({ value }) => value === own?.value)
  // What people type is usually part of a suggestion, so the suggestions come first.
  const unique = new Map(
    [...all, ...(own && !isOffered ? [own] : [])].map((choice) => [choice.value, choice]),
  )
  return [...unique.values()]
}
