import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { visitName } from '../../../contract/recordings/visit-name.ts'
import { useAccount } from '../../account.ts'
import { collectionsQuery } from '../../queries/recordings/recording-collections.ts'
import { filterValuesQuery, recordingsOfQuery } from '../../queries/recordings/recordings.ts'
import type { Choice, Question } from './filter-kinds.ts'

/** Returns the answers to a question that match the typed text: the typed text itself, the known ones, those of the data. */
export function useChoices(
  question: Question | undefined,
  answers: readonly string[],
  typed: string,
): Choice[] {
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
        label: visitName(person.name, id),
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
