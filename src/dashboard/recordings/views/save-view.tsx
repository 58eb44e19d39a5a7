import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { recordingCan } from '../../../contract/recordings/recording-rules.ts'
import { useAccount } from '../../account.ts'
import { isFiltered, type RecordingsSearch } from '../../queries/recordings/recordings-search.ts'
import { queryOfView, recordingViewsQuery, useSaveView } from '../../queries/recordings/recording-views.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { lazyNamed } from '../../ui/lazy-named.ts'

const ViewDialog = lazyNamed(() => import('./view-dialog.tsx'), 'ViewDialog')

type SaveViewProps = {
  search: RecordingsSearch
  /** Id of the opened view. */
  opened: string | undefined
  onOpen: (id: string) => void
}

/** Saves the list's filters as a view, or changes the opened view to them. */
export function SaveView({ search, opened, onOpen }: SaveViewProps) {
  const { projectId, scopes } = useAccount()
  const { data } = useQuery(recordingViewsQuery(projectId))
  const [naming, setNaming] = useState(false)
  const save = useSaveView(projectId)
  const view = data?.results.find(({ id }) => id === opened)
  const query = queryOfView(search)
  const isSaved = data?.results.some((other) => other.query === query) ?? true
  const canSave = isFiltered(search) && !isSaved
  const reason = recordingCan.change(scopes)
  const update = () => {
    if (!view) return
    const { id, name, shared, query: before } = view
    const set = (to: string, done: string, undo?: () => void) =>
      save.mutate(
        { id, name, shared, query: to },
        {
          onSuccess: () => toast(done, { undo }),
          onError: toastFailure(`The view ${name} could not be updated.`),
        },
      )
    set(query, `Updated the view ${name}.`, () => set(before, `Restored the view ${name}.`))
  }
  return (
    <>
      {view && !isSaved && (
        <Button reason={reason} busy={save.isPending} onClick={update}>
          Update “{view.name}”
        </Button>
      )}
      {canSave && (
        <Button reason={reason} onClick={() => setNaming(true)}>
          {view ? 'Save as new view' : 'Save view'}
        </Button>
      )}
      <Suspense>
        {naming && (
          <ViewDialog
            view={null}
            query={query}
            onSaved={({ id }) => onOpen(id)}
            onClose={() => setNaming(false)}
          />
        )}
      </Suspense>
    </>
  )
}
