import type { ReactNode } from 'react'
import type { useCollectionLinkChanges, useLinkChanges } from '../../queries/recordings/sharing.ts'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ListProblem } from '../../ui/list/list-notes.tsx'
import { sendLater, useWaiting } from '../../ui/feedback/send-action.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { LinkCard } from './link-card.tsx'
import { partInWords, type ShownLink } from './link-draft.ts'

type ListedLink = ShownLink & { id: string; label: string }

type LinkListProps = {
  title: string
  /** `data` is undefined while loading. */
  query: { data: { results: readonly ListedLink[] } | undefined; error: Error | null; refetch: () => unknown }
  changes: ReturnType<typeof useLinkChanges> | ReturnType<typeof useCollectionLinkChanges>
  /** Label of the button that creates a link, and the new link's start. */
  create: { label: string; start?: number | null }
  /** Advice while there are no links. */
  empty: ReactNode
}

/** Links with limits of their own; each can be named, limited, revoked and restored. */
export function LinkList({ title, query, changes, create, empty }: LinkListProps) {
  const reason = recordingCan.share(useAccount().scopes)
  if (query.error) return <ListProblem error={query.error} onRetry={() => void query.refetch()} />
  const links = query.data?.results
  const { label, ...body } = create
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{title}</h3>
        <Button
          reason={reason}
          busy={changes.create.isPending}
          onClick={() => changes.create.mutate(body, { onError: failed })}
        >
          <Icon name="plus" /> {label}
        </Button>
      </div>
      {!links && <output className="appear-late text-ink-3">Loading…</output>}
      {links?.length === 0 && <p className="text-ink-2">{empty}</p>}
      <ul className="flex flex-col gap-3">
        {links?.map((link) => (
          <li key={link.id} className="rounded-md border border-line p-3">
            <LinkItem {...{ link, changes, reason }} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const failed = toastFailure('The link could not be changed.')

type LinkItemProps = { link: ListedLink; changes: LinkListProps['changes']; reason: string | null }

function LinkItem({ link, changes: { change, remove }, reason }: LinkItemProps) {
  const { id } = link
  const isDeleting = useWaiting(id) === 'delete'
  const name = link.label || partInWords(link)
  const enable = (enabled: boolean, onSuccess: () => void) =>
    change.mutate({ id, body: { enabled } }, { onSuccess, onError: failed })
  const restore = () => enable(true, () => toast('The link works again.'))
  const revoke = () => enable(false, () => toast('The link was revoked.', { undo: restore }))
  const deleteIt = () =>
    sendLater({
      verb: 'delete',
      on: [id],
      label: `Deleting the link “${name}”`,
      failed: 'The link could not be deleted.',
      send: () => remove.mutateAsync(id),
    })
  if (!link.enabled)
    return (
      <div className="flex flex-wrap items-center gap-2">
        <span
          className={`min-w-0 flex-1 wrap-anywhere text-ink-2 ${isDeleting ? 'line-through opacity-50' : ''}`}
        >
          {name} · Revoked
        </span>
        <Button reason={reason ?? (isDeleting ? 'The link is about to be deleted.' : null)} onClick={restore}>
          Restore
        </Button>
        <Button look="danger" reason={reason} onClick={deleteIt}>
          Delete
        </Button>
      </div>
    )
  return (
    <LinkCard
      link={link}
      busy={change.isPending}
      onSave={(body) => change.mutate({ id, body }, { onSuccess: () => toast('Saved.'), onError: failed })}
    >
      <Button reason={reason} onClick={revoke}>
        Revoke
      </Button>
    </LinkCard>
  )
}
