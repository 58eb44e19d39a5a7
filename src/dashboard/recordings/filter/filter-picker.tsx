/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list that a text field controls */
import { useId, useState, type KeyboardEvent } from 'react'
import { matchScore, ranked } from '../../format/match.ts'
import { FindField } from '../../ui/controls/find-field.tsx'
import { movedTo } from '../../ui/list-steps.ts'
import type { RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { filterKinds, type Choice, type FilterKind, type Question } from './filter-kinds.ts'
import { isQuick, quickFilterWords, toggled, type FilterProps } from './filter-words.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { visitorName } from '../../../contract/recordings/visitor-name.ts'
import { useAccount } from '../../account.ts'
import { collectionsQuery } from '../../queries/recordings/recording-collections.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { recordingsOfQuery } from '../../queries/recordings/recordings.ts'
import { quickFilterNames } from '../../../contract/recordings/quick-filter.ts'

/** The chosen kind of filter, and the answers to its first questions. */
type Asked = { kind: FilterKind | null; answers: readonly string[] }

/** Adds a filter: asks for its kind, then the kind's questions, in one text field with the answers below. */
export function FilterPicker({ search, onChange, onClose }: FilterProps & { onClose: () => void }) {
  const listId = useId()
  const [{ kind, answers }, setAsked] = useState<Asked>({ kind: null, answers: [] })
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const question = kind?.questions[answers.length]
  const found = useChoices(question, answers, typed.trim())
  const kinds = [...quickKinds(search), ...filterKinds]
  const options = kind ? found : kindsFor(kinds, typed)
  const current = options[Math.min(at, options.length - 1)]
  const ask = question?.ask ?? 'Filter by'
  const type = (text: string) => {
    setTyped(text)
    setAt(0)
  }
  const goTo = (next: Asked) => {
    setAsked(next)
    type('')
  }
  const choose = ({ value }: Choice) => {
    const chosen = kind ?? kinds.find((each) => nameOf(each) === value)
    if (!chosen) return
    const given = kind ? [...answers, value] : []
    if (given.length < chosen.questions.length) return goTo({ kind: chosen, answers: given })
    onChange(chosen.apply(search, given))
    onClose()
  }
  const moveTo = (next: number) => {
    setAt(next)
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const next = movedTo(event.key, Math.min(at, options.length - 1), options.length)
    if (next !== null) moveTo(next)
    else if (event.key === 'Enter' && current) choose(current)
    else if (event.key === 'Backspace' && typed === '' && kind)
      goTo({ kind: answers.length === 0 ? null : kind, answers: answers.slice(0, -1) })
    else return
    event.preventDefault()
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
        <FindField
          label={ask}
          listId={listId}
          activeId={current && `${listId}-${options.indexOf(current)}`}
          typed={typed}
          onType={type}
          onKeyDown={onKeyDown}
          takesFocus
          className="h-10 min-w-0 flex-1 bg-transparent text-ink outline-none"
        />
      </div>
      <Options listId={listId} label={ask} {...{ options, current }} onMove={setAt} onChoose={choose} />
      <output className={options.length === 0 ? 'block px-3 pb-3 text-ink-3' : 'sr-only'}>
        {options.length === 0
          ? (question?.emptyText ?? nothingFound(kind, typed))
          : `${options.length} offered`}
      </output>
    </>
  )
}

type OptionsProps = {
  listId: string
  label: string
  options: readonly Choice[]
  current: Choice | undefined
  onMove: (index: number) => void
  onChoose: (choice: Choice) => void
}

function Options({ listId, label, options, current, onMove, onChoose }: OptionsProps) {
  return (
    <div id={listId} role="listbox" aria-label={label} className="max-h-80 overflow-y-auto p-1">
      {options.map((option, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field handles the keys
        <div
          key={option.value}
          id={`${listId}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={option === current}
          onPointerMove={() => onMove(index)}
          onClick={() => onChoose(option)}
          className="flex min-h-8 items-center gap-3 rounded-md px-2 py-1 aria-selected:bg-selected"
        >
          <span className="min-w-0 flex-1 wrap-anywhere">{option.label}</span>
          {option.hint && <span className="shrink-0 text-xs text-ink-3">{option.hint}</span>}
        </div>
      ))}
    </div>
  )
}

/** The quick filters that are off: the keyboard turns one on without tabbing to its button. */
export function quickKinds(search: RecordingsSearch): FilterKind[] {
  return quickFilterNames
    .filter((name) => !isQuick(search, name))
    .map((name) => ({
      label: quickFilterWords[name].label,
      group: 'Quick filter',
      questions: [],
      apply: (now) => toggled(now, name),
    }))
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
  const scoreOf = ({ label, keywords = '' }: FilterKind) => {
    const score = matchScore(typed, `${label} ${keywords}`)
    return score === null || score < 2 ? null : score
  }
  return ranked(kinds, scoreOf).map(choice)
}

/** Returns the answers to a question that match the typed text: the typed text itself, the known ones, those of the data. */
function useChoices(question: Question | undefined, answers: readonly string[], typed: string): Choice[] {
  const { projectId } = useAccount()
  const search = typed.slice(0, 200)
  const suggests = question?.suggests?.(answers)
  const query = { ...suggests, search }
  const { data: values } = useQuery({
    ...endpointQuery('filterValues', { params: { project_id: projectId }, query }),
    enabled: suggests !== undefined,
    placeholderData: keepPreviousData,
  })
  const { data: persons } = useQuery({
    ...recordingsOfQuery(projectId, search),
    enabled: question?.suggestsPersons === true,
    placeholderData: keepPreviousData,
  })
  const { data: collections } = useQuery({
    ...collectionsQuery(projectId),
    enabled: question?.suggestsCollections === true,
  })
  if (!question) return []
  const matches = ({ label }: Choice) => label.toLowerCase().includes(typed.toLowerCase())
  const offered: Choice[] = []
  if (suggests)
    for (const value of values?.results ?? [])
      offered.push({ value, label: question.labelOf?.(value) ?? value })
  if (question.suggestsPersons)
    for (const { person, distinct_id: id } of persons?.results ?? [])
      offered.push({ value: person.name || id, label: visitorName(person.name, id) })
  offered.push(...(question.choices ?? []).filter(matches))
  if (question.suggestsCollections)
    offered.push(
      ...(collections?.results ?? []).map(({ id, name }) => ({ value: id, label: name })).filter(matches),
    )
  const own = typed === '' ? null : question.typed?.(typed)
  // What people type is usually part of a suggestion, so the suggestions come first.
  if (own && !offered.some(({ value }) => value === own.value)) offered.push(own)
  return [...new Map(offered.map((choice) => [choice.value, choice])).values()]
}
