import type { Ref } from 'react'
import type { TestStep, DestinationTest } from '../../../contract/destinations/destination-test.ts'
import type { DestinationKind } from '../../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import type { DestinationType } from '../../../contract/destinations/destination.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { errorInWords } from '../../../contract/runs/run-error.ts'
import { Panel } from '../query/panel.tsx'
import type { DestinationTestState } from './use-destination-test.ts'

type TestPanelProps = {
  type: DestinationType
  test: DestinationTestState
  /** Origin of the secrets used for the test if their fields are left empty. */
  secretsFrom: string | null
  ref: Ref<HTMLElement>
}

/** Tests the destination before anything is saved, and shows the result of each step. */
export function TestPanel({ type, test, secretsFrom, ref }: TestPanelProps) {
  const { holds, container } = destinationKinds[type]
  const { run, isRunning, result, isOutdated, hasInvalidFields, failure } = test
  return (
    <Panel
      ref={ref}
      title="Connection"
      action={
        <Button busy={isRunning} onClick={run}>
          {isRunning ? 'Testing…' : result ? 'Test again' : 'Test connection'}
        </Button>
      }
    >
      <p className="text-ink-2">
        {testInWords[holds] ??
          `Writes a tiny file to the ${container.noun} and removes it again. Nothing is saved.`}
        {secretsFrom && ` Secrets left empty are taken from ${secretsFrom}.`}
      </p>
      <div aria-live="polite" aria-busy={isRunning} className="flex flex-col gap-2">
        {isRunning && !result && (
          <p className="appear-late text-ink-2">Testing… This takes at most ten seconds.</p>
        )}
        {hasInvalidFields && <p>Not tested. Correct the marked fields first.</p>}
        {result && <Result result={result} isOutdated={isOutdated} />}
      </div>
      {failure && <ProblemNote error={failure} onRetry={run} />}
    </Panel>
  )
}

const testInWords: Partial<Record<DestinationKind['holds'], string>> = {
  table: 'Writes a row to a trial table and removes it again. Nothing is saved.',
  requests: 'Sends a signed request without rows to the URL. Nothing is saved.',
}

function Result({ result, isOutdated }: { result: DestinationTest; isOutdated: boolean }) {
  const { ok, steps } = result
  const failedAt = steps.findIndex(({ status }) => status === 'failed')
  // Steps skipped before the failed one do not apply to this destination type.
  const notTried = steps.slice(failedAt + 1).map(({ name }) => name)
  const place = steps[failedAt]?.name ?? 'a step'
  if (isOutdated)
    return (
      <p className="text-short-ink">
        The destination has changed since the last test, which {ok ? 'passed' : `failed at ${place}`}. Test it
        again.
      </p>
    )
  return (
    <>
      <p className={`font-medium ${ok ? 'text-ok-ink' : 'text-fail-ink'}`}>
        {ok ? 'The connection works.' : `The test failed at ${place}.`}
      </p>
      <ol className="flex flex-col gap-2">
        {steps
          .filter(({ status }) => status !== 'skipped')
          .map((step) => (
            <Step key={step.name} step={step} />
          ))}
        {!ok && notTried.length > 0 && (
          <li className="flex gap-2 text-ink-3">
            <Icon name="dash" />
            <span>Not tried: {notTried.join(', ')}</span>
          </li>
        )}
      </ol>
    </>
  )
}

function Step({ step }: { step: TestStep }) {
  const { name, status, detail, remedy } = step
  const { headline, advice, raw } = errorInWords(detail)
  const isOk = status === 'ok'
  return (
    <li className="flex gap-2">
      <span className={isOk ? 'text-ok-ink' : 'text-fail-ink'}>
        <Icon name={isOk ? 'check' : 'close'} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p>
          <span className="font-medium">{name}</span>
          <span className="sr-only">{isOk ? ', done' : ', failed'}</span>{' '}
          <span className="text-ink-2">{isOk ? detail : headline}</span>
        </p>
        {!isOk && (remedy ?? advice) && <p>{remedy ?? advice}</p>}
        {!isOk && raw && (
          <details className="text-ink-2">
            <summary className="w-fit rounded-sm text-xs">The destination’s response</summary>
            <code>{raw}</code>
          </details>
        )}
      </div>
    </li>
  )
}
