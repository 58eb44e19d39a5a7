import { useQuery } from '@tanstack/react-query'
import type { RecordingLink } from '../../../contract/sharing.ts'
import { recordingLinksQuery, useLinkChanges } from '../../queries/recording-links.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { clockTime } from '../../words/clock.ts'
import { LinkCard } from './link-card.tsx'
import { partInWords } from './link-words.ts'

type FurtherLinksProps = {
  projectId: string
  recordingId: string
  at: number | undefined
  reason: string | null
}

/** The links to a recording besides the default one, each with limits of its own. */
export function FurtherLinks({ projectId, recordingId, at, reason }: FurtherLinksProps) {
  const { data, error, refetch } = useQuery(recordingLinksQuery(projectId, recordingId))
  const { create, change, remove } = useLinkChanges(projectId, recordingId)
  if (error) return <ListProblem error={error} onRetry={() => void refetch()} />
  const failed = toastFailure('The link could not be changed.')
  const setEnabled = (link: RecordingLink, enabled: boolean) =>
    change.mutate(
      { id: link.id, body: { enabled } },
      {
        onSuccess: () => {
          if (enabled) toast('The link works again.')
          else toast('The link was revoked.', { undo: () => setEnabled(link, true) })
        },
        onError: failed,
      },
    )
  const start = at !== undefined && at > 0 ? Math.floor(at) : null
  return (
    <section aria-label="Further links" className="flex flex-col gap-3 border-t border-line pt-3.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">Further links</h3>
        <Button
          reason={reason}
          busy={create.isPending}
          onClick={() => create.mutate({ start }, { onError: failed })}
        >
          <Icon name="plus" /> {start === null ? 'New link' : `New link from ${clockTime(start * 1000)}`}
        </Button>
      </div>
      {data?.results.length === 0 && (
        <p className="text-ink-2">Give each group of people a link of its own, with its own limits.</p>
      )}
      <ul className="flex flex-col gap-3">
        {data?.results.map((link) => (
          <li key={link.id} className="rounded-md border border-line p-3">
            {link.enabled ? (
              <LinkCard
                link={link}
                at={at}
                reason={reason}
                busy={change.isPending}
                onSave={(body) =>
                  change.mutate({ id: link.id, body }, { onSuccess: () => toast('Saved.'), onError: failed })
                }
              >
                <Button reason={reason} onClick={() => setEnabled(link, false)}>
                  Revoke
                </Button>
              </LinkCard>
            ) : (
              <div className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 flex-1 wrap-anywhere text-ink-2">
                  {link.label || partInWords(link)} · Revoked
                </span>
                <Button reason={reason} onClick={() => setEnabled(link, true)}>
                  Restore
                </Button>
                <Button
                  look="danger"
                  reason={reason}
                  onClick={() => remove.mutate(link.id, { onError: failed })}
                >
                  Delete
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
