import type { ErasurePlace, PersonErasureDetails } from '../../contract/privacy/person-erasure.ts'
import { useAccount } from '../account.ts'
import { writeReason } from '../../contract/runs/run-status.ts'
import { counted } from '../format/amount.ts'
import { useExportAgain } from '../queries/privacy.ts'
import { Button } from '../ui/controls/button.tsx'
import { CopyButton } from '../ui/feedback/copy-button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { toast, toastFailure } from '../ui/feedback/toasts.ts'
import { Section } from '../ui/section.tsx'
import { Status } from '../ui/status.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { WindowTime } from '../ui/time.tsx'

/** Periods that are shown; the JSON has all windows. */
const shownPeriods = 5

/** The destinations that still hold the person, each with what to run there. */
export function ErasurePlaces({ erasure }: { erasure: PersonErasureDetails }) {
  return (
    <Section title="Exported files and tables that held the person">
      {erasure.places.length === 0 ? (
        <EmptyState title="No export holds the person">
          No window with rows of the person was exported before they were hidden.
        </EmptyState>
      ) : (
        <ul className="flex flex-col">
          {erasure.places.map((place, index) => (
            <Place key={index} place={place} isHidden={erasure.hidden_at !== null} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Place({ place, isHidden }: { place: ErasurePlace; isHidden: boolean }) {
  const { batch_export: id, name, is_deleted, destination, statement, windows, periods } = place
  const left = (windows.holds ?? 0) + (windows.running ?? 0) + (windows.moved ?? 0)
  return (
    <li className="flex flex-col gap-1.5 border-t border-line py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {is_deleted ? (
          <span className="font-medium">{name} (deleted)</span>
        ) : (
          <TextLink to="/exports/$id/ledger" params={{ id }}>
            {name}
          </TextLink>
        )}
        <span className="text-ink-3 wrap-anywhere">{destination}</span>
        {left === 0 ? (
          <Status tone="ok">{counted(windows.replaced ?? 0, 'window')} exported again</Status>
        ) : (
          <Status tone="failed">{counted(left, 'window')} may hold the person</Status>
        )}
      </div>
      {left > 0 && (
        <>
          <ul aria-label={`Windows of ${name}`} className="flex flex-wrap gap-x-4 text-ink-2">
            {periods.slice(0, shownPeriods).map(({ start_at, end_at }) => (
              <li key={start_at}>
                <WindowTime start={start_at} end={end_at} />
              </li>
            ))}
            {periods.length > shownPeriods && (
              <li>and {counted(periods.length - shownPeriods, 'more period', 'more periods')}</li>
            )}
          </ul>
          <p className="max-w-200">{instructionFor(place)}</p>
          {statement !== null && (
            <div className="flex items-start gap-1">
              <pre
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets keyboard users scroll it
                tabIndex={0}
                aria-label={`Statement for ${name}`}
                className="min-w-0 overflow-x-auto rounded-md border border-line bg-sunken px-3 py-1.5 print:whitespace-pre-wrap"
              >
                {statement}
              </pre>
              <CopyButton name="the statement" text={statement} />
            </div>
          )}
          {place.holds !== 'requests' && !is_deleted && <ExportAgain place={place} isHidden={isHidden} />}
        </>
      )}
    </li>
  )
}

/** Says what removes the person from a destination. */
export function instructionFor({ holds, statement, is_deleted, windows }: ErasurePlace): string {
  if (holds === 'requests')
    return 'The receiver has the rows. Ask its operator to delete those with the distinct ids of the person.'
  if ((windows.moved ?? 0) > 0 && !windows.holds)
    return 'The windows were exported again, but to another place. Delete them at the earlier one.'
  if (is_deleted && holds === 'files') return 'The export is deleted. Delete its files of these windows.'
  if (statement !== null)
    return is_deleted
      ? 'The export is deleted. Run this statement in the database, with the distinct ids in place of :distinct_ids.'
      : 'Run this statement in the database, with the distinct ids in place of :distinct_ids. Exporting the windows again replaces them, too, unless rows are merged by a key.'
  return 'Export the windows again: the new files or rows replace the earlier ones, without the person.'
}

function ExportAgain({ place, isHidden }: { place: ErasurePlace; isHidden: boolean }) {
  const { projectId, scopes } = useAccount()
  const { mutate, isPending, isSuccess } = useExportAgain(projectId)
  const { batch_export: id, periods } = place
  const start = () =>
    mutate(
      { id, windows: periods },
      {
        onSuccess: () => toast('The windows are exported again.'),
        onError: toastFailure('The windows could not be exported again.'),
      },
    )
  return (
    <div className="print:hidden">
      <Button
        busy={isPending}
        reason={
          writeReason(scopes) ??
          (isHidden ? null : 'Wait until the rows are hidden.') ??
          (isSuccess ? 'The windows are being exported again.' : null)
        }
        onClick={start}
      >
        Export again
      </Button>
    </div>
  )
}
