import { useState } from 'react'
import { destinationLabels } from './destination-labels.ts'
import type { DestinationType } from '../../../contract/destinations/destination.ts'
import { ChoiceCards } from '../../ui/controls/choice-cards.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { useTypeField } from './use-type-field.ts'

/** With more types than this, they can be searched. */
const unsearchedMax = 4

type DestinationGalleryProps = {
  types: readonly DestinationType[]
  chosen: DestinationType
  hint: string | undefined
}

/** The types of destinations as cards, found by their names and what they are for; the chosen one is always shown. */
export function DestinationGallery({ types, chosen, hint }: DestinationGalleryProps) {
  const [search, setSearch] = useState('')
  const shown = types.filter((type) => type === chosen || matches(type, search))
  const isSearchable = types.length > unsearchedMax
  const found = shown.filter((type) => matches(type, search)).length
  return (
    <div className="flex flex-col gap-2">
      {isSearchable && <SearchField label="Search destinations" value={search} onSearch={setSearch} />}
      <ChoiceCards
        legend="Destination"
        value={chosen}
        hint={hint}
        choices={shown.map((type) => {
          const { label, about } = destinationLabels[type]
          return { value: type, title: label, hint: about }
        })}
        {...useTypeField()}
      />
      <output className={found === 0 ? 'text-ink-2' : 'sr-only'}>
        {search !== '' && (found === 0 ? `No destination matches “${search}”.` : `${found} found`)}
      </output>
    </div>
  )
}

/** Whether each word of a search begins a word of a type's texts. */
function matches(type: DestinationType, search: string): boolean {
  const { label, about, words } = destinationLabels[type]
  const known = `${type} ${label} ${about} ${words}`.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const asked = search
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  return asked.every((word) => known.some((each) => each.startsWith(word)))
}
