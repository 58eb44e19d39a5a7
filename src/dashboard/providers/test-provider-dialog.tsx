import { useQuery } from '@tanstack/react-query'
import type { IdentityProvider } from '../../contract/accounts/identity-provider.ts'
import { providerTestQuery } from '../queries/identity-providers.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { Icon } from '../ui/icon.tsx'

type DialogProps = { provider: IdentityProvider; onClose: () => void }

/** Asks a provider for its settings, and shows what it answered or what to do. */
export function TestProviderDialog({ provider, onClose }: DialogProps) {
  const { data, error, isFetching, refetch } = useQuery(providerTestQuery(provider.id))
  const again = () => void refetch()
  return (
    <Dialog title={`Test of ${provider.name}`} onClose={onClose}>
      <div aria-live="polite" aria-busy={isFetching} className="flex flex-col gap-3">
        {isFetching && <p className="text-ink-2">Asking {provider.issuer} …</p>}
        {!isFetching && data && (
          <>
            {data.problem === null ? (
              <p className="flex items-center gap-2 font-medium">
                <Icon name="check" /> The provider answers as it should.
              </p>
            ) : (
              <div className="rounded-md border border-line-strong px-3 py-2 wrap-anywhere">
                <p className="font-medium text-fail-ink">{data.problem}</p>
                <p>{data.remedy}</p>
              </div>
            )}
            {data.found.length > 0 && (
              <section aria-label="Found">
                <h3 className="font-medium">Found</h3>
                <ul className="list-disc pl-5 text-ink-2 wrap-anywhere">
                  {data.found.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </section>
            )}
            {data.problem === null && (
              <p className="text-ink-2">
                Whether the secret and the groups are right shows at the first sign-in: try it in a private
                window.
              </p>
            )}
          </>
        )}
      </div>
      {error && <ProblemNote error={error} onRetry={again} />}
      <div className="mt-4 flex justify-end gap-2">
        <Button busy={isFetching} onClick={again}>
          Test again
        </Button>
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}
