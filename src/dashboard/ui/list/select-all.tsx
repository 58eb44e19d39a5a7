import type { Selection } from './selection.ts'

type SelectAllProps = { ids: readonly string[]; selection: Selection; onSelectAll: () => void }

/** The checkbox in a table's head: all rows that are shown. */
export function SelectAll({ ids, selection, onSelectAll }: SelectAllProps) {
  const chosen = ids.filter((id) => selection.ids.has(id)).length
  return (
    <label className="-ml-2 flex h-9 items-center pl-2">
      <input
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < ids.length
        }}
        type="checkbox"
        aria-label="Select all that are shown"
        checked={ids.length > 0 && chosen === ids.length}
        onChange={onSelectAll}
      />
    </label>
  )
}
