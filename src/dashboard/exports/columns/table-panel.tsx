import { useEffect, useEffectEvent } from 'react'
import { useController } from 'react-hook-form'
import type { Instance } from '../../../contract/instance.ts'
import type { ColumnChange } from '../../../contract/destinations/tables/column-changes.ts'
import type { TablePlan } from '../../../contract/exports/table-plan.ts'
import { counted } from '../../format/amount.ts'
import { columnChangeInWords } from '../values/column-change.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { Panel } from '../query/panel.tsx'
import type { ExportValues, Origin } from '../values/export-values.ts'
import { GrantPanel } from './grant-panel.tsx'
import { PlannedColumns } from './planned-columns.tsx'
import { Script } from './script.tsx'
import { useTablePlan } from './use-table-plan.ts'

type TablePanelProps = {
  origin: Origin | null
  instance: Instance
  /** When a test of the form's connection that passed was started (ms); null without one. */
  testedAt: number | null
}

/** Shows what will be in the table, and lets the user leave out, rename and hash columns. */
export function TablePanel({ origin, instance, testedAt }: TablePanelProps) {
  const { load, isLoading, plan, problem, failure, missing, isOutdated } = useTablePlan({ origin, instance })
  const {
    field: { ref, value: changes, onChange },
    fieldState,
  } = useController<ExportValues, 'destination.config.columns'>({
    name: 'destination.config.columns',
  })
  const error = fieldState.error?.message
  const loadTested = useEffectEvent(load)
  useEffect(() => {
    if (testedAt !== null) loadTested()
  }, [testedAt])
  return (
    <div className="mt-6 flex flex-col gap-4">
      <Panel
        wide
        title="What will be in the table"
        action={
          <Button ref={ref} busy={isLoading} onClick={load}>
            {isLoading ? 'Comparing…' : plan ? 'Compare again' : 'Compare with the table'}
          </Button>
        }
      >
        <div aria-live="polite" aria-busy={isLoading} className="flex flex-col gap-2">
          {isLoading && !plan && (
            <p className="appear-late text-ink-2">Asking the database… This takes at most ten seconds.</p>
          )}
          {missing.length > 0 && (
            <>
              <p>Not compared. Correct the destination first:</p>
              <ul className="list-disc pl-5">
                {missing.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </>
          )}
          {problem && !isLoading && (
            <p className="wrap-anywhere">
              <span className="font-medium text-fail-ink">{problem.detail}</span> {problem.remedy}
            </p>
          )}
          {plan && <PlanSentence plan={plan} isOutdated={isOutdated} />}
        </div>
        {failure && !isLoading && <ProblemNote error={failure} onRetry={load} />}
        {plan ? (
          <>
            <PlannedColumns
              plan={plan}
              isOutdated={isOutdated}
              changes={changes}
              error={error}
              onChange={onChange}
            />
            {!plan.exists && <Script title="Statements that create the table" text={plan.ddl} />}
          </>
        ) : (
          <ChangesInWords changes={changes} error={error} onReset={() => onChange([])} />
        )}
      </Panel>
      <GrantPanel />
    </div>
  )
}

/** Says what a run would do to the table. */
function PlanSentence({ plan, isOutdated }: { plan: NonNullable<TablePlan['plan']>; isOutdated: boolean }) {
  const { table, exists, has_windows, columns, unfilled } = plan
  const sent = columns.filter(({ target }) => target !== null)
  const clashing = sent.filter(({ clash }) => clash !== null).length
  const missing = sent.filter(({ type_there }) => type_there === null).length
  const matching = sent.length - clashing - missing
  if (isOutdated)
    return <p className="text-short-ink">The form has changed since the comparison. Compare again.</p>
  return (
    <>
      <p className="wrap-anywhere">
        {exists ? 'The table ' : 'The first run creates the table '}
        <code>{table}</code>
        {exists
          ? ` exists: ${counted(matching, 'column')} ${matching === 1 ? 'matches' : 'match'}, ${missing} ${missing === 1 ? 'is' : 'are'} missing, and ${clashing} ${clashing === 1 ? 'clashes' : 'clash'}.`
          : ` with ${counted(sent.length, 'column')}, and one for the window.`}
      </p>
      {clashing > 0 && (
        <p className="text-fail-ink">
          Runs fail before they write a row: change the table, or leave out or rename what clashes.
        </p>
      )}
      {!has_windows && (
        <p className="text-short-ink">
          The table lacks the column _spool_window, by which a repeated window replaces its rows: add it as
          text, or choose “Append only”.
        </p>
      )}
      {unfilled.length > 0 && (
        <p className="text-ink-2 wrap-anywhere">
          Not filled by this export: {unfilled.map(({ name, type }) => `${name} (${type})`).join(', ')}.
        </p>
      )}
    </>
  )
}

type ChangesInWordsProps = {
  changes: readonly ColumnChange[]
  error: string | undefined
  onReset: () => void
}

/** Stands for the columns until they have been compared. */
function ChangesInWords({ changes, error, onReset }: ChangesInWordsProps) {
  if (changes.length === 0)
    return (
      <p className="text-ink-2">
        Shows each column with its type in the table and a sample value, before anything is written. Then
        columns can be left out, renamed or hashed.
      </p>
    )
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-2 wrap-anywhere">
        Changed columns: {changes.map(columnChangeInWords).join('; ')}.
      </p>
      {error && <p className="text-fail-ink wrap-anywhere">{error}</p>}
      <Button onClick={onReset}>Write all columns as they are</Button>
    </div>
  )
}
