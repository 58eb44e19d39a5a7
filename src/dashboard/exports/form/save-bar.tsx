import { useId, type ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { Zone } from '../../format/preferences.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { counted } from '../../format/amount.ts'
import { exportSentence } from '../values/export-sentence.ts'
import { exportFields, type ExportValues } from '../values/export-values.ts'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useFieldError } from './use-field.ts'
import type { DestinationTestState } from './use-destination-test.ts'

type SaveBarProps = {
  action: string
  cancelTo: { to: '/exports' } | { to: '/exports/$id'; params: { id: string } }
  failure: Error | null
  /** The zone of the fields' times. */
  zone: Zone
  /** Whether the destination has been tested. */
  tested: ReactNode
}

/** Stays visible below the form: saves it, and shows why saving failed. */
export function SaveBar({ action, cancelTo, failure, zone, tested }: SaveBarProps) {
  const sentenceId = useId()
  const { control, formState, getValues, setFocus } = useFormContext<ExportValues>()
  const errorOf = useFieldError()
  // Every field counts: `watch` would render the whole form again after each key.
  useWatch({ control })
  const sentence = exportSentence(getValues(), zone)
  const { isSubmitting, submitCount } = formState
  const invalid = exportFields.filter(errorOf)
  const [first] = invalid
  return (
    <div className="sticky bottom-0 -mx-4 flex flex-col gap-3 border-t border-line bg-bg px-4 py-3 sm:-mx-6 sm:px-6">
      {failure && <ProblemNote error={failure} />}
      <p id={sentenceId} title={sentence} className="line-clamp-3 font-medium wrap-anywhere">
        {sentence}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" type="submit" busy={isSubmitting} aria-describedby={sentenceId}>
          {action} <KeyHint of="mod+Enter" />
        </Button>
        <ButtonLink {...cancelTo}>Cancel</ButtonLink>
        {tested}
        <output className="text-fail-ink">
          {submitCount > 0 &&
            invalid.length > 0 &&
            `${counted(invalid.length, 'field')} ${invalid.length === 1 ? 'needs' : 'need'} correction.`}
        </output>
        {submitCount > 0 && first && (
          <Button look="quiet" onClick={() => setFocus(first)}>
            Go to the first field
          </Button>
        )}
      </div>
    </div>
  )
}

type TestedProps = {
  test: DestinationTestState
  /** The destination is the stored one. */
  isStored: boolean
  onTest: () => void
}

/** Says beside the submit button whether the destination has been tested. */
export function Tested({ test, isStored, onTest }: TestedProps) {
  const outcome = testOutcome(test, isStored)
  if (outcome === 'stored') return null
  if (outcome === 'passed')
    return (
      <span className="flex items-center gap-1 text-ok-ink">
        <Icon name="check" />
        <span>
          Tested <RelativeTime time={test.testedAt} />
        </span>
      </span>
    )
  return (
    <span className="flex items-center gap-1 text-ink-2">
      {outcome === 'failed' && (
        <span className="flex items-center gap-1 text-fail-ink">
          <Icon name="close" /> Test failed
        </span>
      )}
      {outcome === 'outdated' && 'Changed since the test'}
      {outcome === 'untested' && 'Not tested yet'}
      {outcome === 'running' ? (
        'Testing…'
      ) : (
        <Button look="quiet" onClick={onTest}>
          Test now
        </Button>
      )}
    </span>
  )
}

type TestFacts = Pick<DestinationTestState, 'isRunning' | 'isOutdated' | 'failure'> & {
  result: { ok: boolean } | null
}

/** Returns what is known about the form's destination; `stored`: it is the saved one, and has not been tested here. */
export function testOutcome({ isRunning, result, isOutdated, failure }: TestFacts, isStored: boolean) {
  if (isRunning) return 'running'
  if (result && !isOutdated) return result.ok ? 'passed' : 'failed'
  if (failure) return 'failed'
  if (isStored) return 'stored'
  return result ? 'outdated' : 'untested'
}
