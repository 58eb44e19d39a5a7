import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import type { RecordingView } from '../../../contract/recordings/recording-view.ts'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import { useAccount } from '../../account.ts'
import { deleteView, recordingViewsQuery } from '../../queries/recordings/recording-views.ts'
import { sendLater, useWaiting } from '../../ui/feedback/send-action.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { viewsId } from '../../ui/views-id.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const ViewDialog = lazyNamed(() => import('./view-dialog.tsx'), 'ViewDialog')

/** Links to the saved views in the sidebar, each with a menu; nothing until there is a view. */
export function ViewLinks() {
  const { projectId } = useAccount()
  const { data } = useQuery(recordingViewsQuery(projectId))
  const [changed, setChanged] = useState<RecordingView | null>(null)
  const place = document.getElementById(viewsId)
  if (!place || !data || data.results.length === 0) return null
  return createPortal(
    <ul aria-label="Saved views" className="mb-1 ml-4 flex flex-col gap-0.5 border-l border-line pl-1.5">
      {data.results.map((view) => (
        <ViewLink key={view.id} view={view} onChange={() => setChanged(view)} />
      ))}
      <Suspense>
        {changed && <ViewDialog view={changed} query={changed.query} onClose={() => setChanged(null)} />}
      </Suspense>
    </ul>,
    place,
  )
}

function ViewLink({ view, onChange }: { view: RecordingView; onChange: () => void }) {
  const { projectId, scopes } = useAccount()
  const client = useQueryClient()
  const { history } = useRouter()
  const opened = useLocation({ select: ({ search }) => search.view })
  const waiting = useWaiting(view.id)
  const reason = recordingCan.change(scopes)
  const { id, name, query, shared } = view
  if (waiting === 'delete') return null
  const remove = () =>
    sendLater({
      verb: 'delete',
      on: [id],
      label: `Deleting the view ${name}`,
      failed: `The view ${name} could not be deleted.`,
      send: () => deleteView(client, projectId, id),
    })
  const href = `/recordings?${query}${query === '' ? '' : '&'}view=${id}`
  return (
    <li className="flex items-center rounded-md hover:bg-hover has-aria-[current=page]:bg-hover">
      <a
        href={href}
        aria-current={opened === id ? 'page' : undefined}
        title={shared ? `${name}, for everyone in this project` : name}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          history.push(href)
        }}
        className="min-w-0 flex-1 truncate px-2 py-1 text-ink-2 aria-[current=page]:font-medium aria-[current=page]:text-ink"
      >
        {name}
      </a>
      <Menu
        label={`Actions for the view ${name}`}
        items={[
          { label: 'Rename or share…', onSelect: onChange, reason },
          { label: 'Delete', onSelect: remove, reason, danger: true },
        ]}
      />
    </li>
  )
}
