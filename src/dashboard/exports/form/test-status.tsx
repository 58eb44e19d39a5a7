import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { testOutcome } from './test-outcome.ts'
import type { ConnectionTestState } from './use-connection-test.ts'

type TestedProps = {
  test: ConnectionTestState
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
