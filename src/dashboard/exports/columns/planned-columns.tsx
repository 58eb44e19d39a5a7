import { useFormContext } from 'react-hook-form'
import {
  columnChangeProblem,
  mergesPersons,
  personMerge,
  type ColumnChange,
} from '../../../contract/destinations/tables/column-changes.ts'
import type { PlannedColumn, TablePlan } from '../../../contract/exports/table-plan.ts'
import { Button } from '../../ui/controls/button.tsx'
import type { ExportValues } from '../values/export-values.ts'

const merged: readonly string[] = [...personMerge.keys, ...personMerge.versions]

type PlannedColumnsProps = {
  plan: NonNullable<TablePlan['plan']>
  /** The form has changed since the plan was made. */
  isOutdated: boolean
  changes: readonly ColumnChange[]
  /** Why the service refused the changes. */
  error: string | undefined
  onChange: (changes: readonly ColumnChange[]) => void
}

/** Lists the columns with what is there, and lets the user change them. */
export function PlannedColumns({ plan, isOutdated, changes, error, onChange }: PlannedColumnsProps) {
  const { exists, columns } = plan
  const model = useFormContext<ExportValues>().watch('model')
  const names = columns.map(({ name }) => name)
  const isMerged = mergesPersons(model, names)
  const change = (changed: ColumnChange) => {
    const others = changes.filter(({ name }) => name !== changed.name)
    const isChange = changed.omit || changed.hash || changed.as !== undefined
    onChange(isChange ? [...others, changed] : others)
  }
  const gone = changes.filter(({ name }) => !names.includes(name))
  const problem = columnChangeProblem(changes, names, model) ?? error
  return (
    <div className="flex flex-col items-start gap-2">
      <section
        aria-label="Columns of the table"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that it scrolls by the arrow keys
        tabIndex={0}
        className={`scroll-hint w-full overflow-x-auto rounded-md border border-line ${isOutdated ? 'border-dashed' : ''}`}
      >
        <table className="w-full border-collapse">
          <thead>
            <tr className="border-b border-line text-left text-xs text-ink-2 [&>th]:px-2.5 [&>th]:py-1.5 [&>th]:font-medium">
              <th scope="col">Column</th>
              <th scope="col">Type in table</th>
              <th scope="col">Name in table</th>
              <th scope="col">Hash</th>
              <th scope="col">Sample value</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <ColumnRow
                key={column.name}
                column={column}
                exists={exists}
                change={changes.find(({ name }) => name === column.name) ?? { name: column.name }}
                isFixed={isMerged && merged.includes(column.name)}
                onChange={change}
              />
            ))}
          </tbody>
        </table>
      </section>
      <div aria-live="polite" className="text-fail-ink wrap-anywhere">
        {problem}
      </div>
      {gone.length > 0 && (
        <Button onClick={() => onChange(changes.filter(({ name }) => names.includes(name)))}>
          Remove changes to columns that no longer exist
        </Button>
      )}
      {isMerged && (
        <p className="text-xs text-ink-3">
          Persons are merged by {merged.join(', ')}: these columns stay as they are.
        </p>
      )}
    </div>
  )
}

type ColumnRowProps = {
  column: PlannedColumn
  exists: boolean
  change: ColumnChange
  /** The column cannot be changed. */
  isFixed: boolean
  onChange: (change: ColumnChange) => void
}

function ColumnRow({ column, exists, change, isFixed, onChange }: ColumnRowProps) {
  const { name, type, sample } = column
  const { as, hash = false, omit = false } = change
  const rename = (text: string) => {
    const { as: _, ...rest } = change
    onChange(text === '' || text === name ? rest : { ...rest, as: text })
  }
  return (
    <tr
      className={`border-b border-line last:border-0 *:px-2.5 *:py-1.5 *:align-top ${omit ? 'text-ink-3' : ''}`}
    >
      <th scope="row" className="text-left font-normal">
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-[3.5px]"
            checked={!omit}
            disabled={isFixed}
            onChange={({ target }) => onChange(target.checked ? { name } : { name, omit: true })}
          />
          <span className="sr-only">Write</span>
          <code className={`font-semibold whitespace-nowrap ${omit ? 'line-through' : ''}`}>{name}</code>
        </label>
        <span className="block pl-[21px] text-xs text-ink-3">{type}</span>
      </th>
      <td className="min-w-40 lg:min-w-56">
        <There column={column} exists={exists} change={change} />
      </td>
      <td>
        <input
          className="field mono min-w-36"
          aria-label={`Name of ${name} in the table`}
          autoComplete="off"
          spellCheck={false}
          placeholder={name}
          value={as ?? ''}
          disabled={isFixed || omit}
          onChange={({ target }) => rename(target.value)}
        />
      </td>
      <td>
        <input
          type="checkbox"
          className="mt-[3.5px]"
          aria-label={`Hash ${name}`}
          checked={hash}
          disabled={isFixed || omit}
          onChange={({ target }) => {
            const { hash: _, ...rest } = change
            onChange(target.checked ? { ...rest, hash: true } : rest)
          }}
        />
      </td>
      <td className="w-full">
        <code className="block min-w-40 wrap-anywhere">
          {omit
            ? ''
            : hash && !column.hashed
              ? 'a hash'
              : (sample ?? <span className="text-ink-3">null</span>)}
        </code>
      </td>
    </tr>
  )
}

/** Says what the table has for a column. */
function There({ column, exists, change }: Pick<ColumnRowProps, 'column' | 'exists' | 'change'>) {
  const { target, type_there, clash } = column
  const isSame =
    (change.omit ? null : (change.as ?? change.name)) === target && (change.hash ?? false) === column.hashed
  if (change.omit) return 'left out'
  if (!isSame) return <span className="text-ink-3">compare again</span>
  if (clash !== null)
    return (
      <span className="text-fail-ink wrap-anywhere">
        <span className="font-medium">Clashes:</span> {clash}
      </span>
    )
  if (type_there === null) return <span className="text-short-ink">Missing: not written</span>
  return (
    <>
      <code>{type_there}</code>
      {exists && <span className="block text-xs text-ok-ink">matches</span>}
    </>
  )
}
