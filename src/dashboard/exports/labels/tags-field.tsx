import { useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent, type Ref } from 'react'
import { tagLengthMax, tagsMax } from '../../../contract/exports/export-labels.ts'
import { allowsScope } from '../../../contract/accounts/scopes.ts'
import { useAccount } from '../../account.ts'
import { apiKeysQuery } from '../../queries/api-keys.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { distinctTexts } from '../list/arrange.ts'
import { Icon } from '../../ui/icon.tsx'
import { Field, Suggestions, useFieldAria } from '../../ui/controls/field.tsx'

type TagsFieldProps = {
  tags: readonly string[]
  onTags: (tags: string[]) => void
  /** Tags of other exports. */
  suggestions: readonly string[]
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** Edits a list of tags: Enter or a comma adds the typed one, Backspace in the empty field removes the last. */
export function TagsField({ tags, onTags, suggestions, error, ref }: TagsFieldProps) {
  const [typed, setTyped] = useState('')
  const hint = `Separate tags with Enter or a comma; at most ${tagsMax}.`
  const aria = useFieldAria({ hint, error })
  const list = useId()
  const add = (text: string) => {
    setTyped('')
    const next = addedTags(tags, text)
    if (next.length > tags.length) onTags(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter' && typed !== '') {
      event.preventDefault()
      add(typed)
    }
    if (event.key === 'Backspace' && typed === '' && tags.length > 0) onTags(tags.slice(0, -1))
  }
  return (
    <Field id={aria.id} label="Tags" optional hint={hint} error={error}>
      <div className="flex min-h-8 flex-wrap items-center gap-1 rounded-md border border-line-strong bg-raised px-1.5 py-1 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent">
        {tags.map((tag) => (
          <span
            key={tag}
            className="inline-flex min-w-0 items-center gap-0.5 rounded-sm bg-hover pl-1.5 text-xs wrap-anywhere"
          >
            {tag}
            <button
              type="button"
              aria-label={`Remove tag ${tag}`}
              onClick={() => onTags(tags.filter((other) => other !== tag))}
              className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-3 hover:text-ink"
            >
              <Icon name="close" size={12} />
            </button>
          </span>
        ))}
        <input
          {...aria}
          ref={ref}
          list={list}
          maxLength={tagLengthMax}
          autoComplete="off"
          value={typed}
          onChange={({ target: { value } }) => (value.includes(',') ? add(value) : setTyped(value))}
          onKeyDown={onKeyDown}
          onBlur={() => add(typed)}
          className="h-6 min-w-24 flex-1 bg-transparent outline-none"
        />
        <Suggestions id={list} texts={suggestions.filter((tag) => !tags.includes(tag))} />
      </div>
    </Field>
  )
}

/** Adds the tags of a text, separated by commas, to others; as the service stores them. */
export function addedTags(tags: readonly string[], text: string): string[] {
  const typed = text
    .split(',')
    .map((tag) => tag.trim().slice(0, tagLengthMax).trim())
    .filter((tag) => tag !== '')
  return [...new Set([...tags, ...typed])].slice(0, tagsMax)
}

/** Returns tags and owners to suggest: those of the project's exports, and as owners also the labels of API keys. */
export function useSuggestions(): { tags: string[]; owners: string[] } {
  const { projectId, name, scopes } = useAccount()
  const { data: overview } = useQuery(overviewQuery({ projectId }))
  const { data: keys } = useQuery({ ...apiKeysQuery, enabled: allowsScope(scopes, 'personal_api_key:read') })
  const rows = overview?.results ?? []
  const labels = [name, ...(keys ?? []).map(({ label }) => label)]
  return {
    tags: distinctTexts(rows.flatMap(({ tags }) => tags)),
    owners: distinctTexts([...rows.map(({ owner }) => owner), ...labels]),
  }
}
