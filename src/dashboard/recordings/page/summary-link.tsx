import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useAccount } from '../../account.ts'
import { summaryQuery } from '../../queries/recordings/summary.ts'
import { Button } from '../../ui/controls/button.tsx'
import { foldInspector } from './inspector-size.ts'

/** Whether the visit is summarized; opens the summary. */
export function SummaryLink({ id }: { id: string }) {
  const { projectId } = useAccount()
  const navigate = useNavigate()
  const { data, isFetching, refetch } = useQuery(summaryQuery(projectId, id))
  const open = () => {
    foldInspector(false)
    if (!data && !isFetching) void refetch()
    void navigate({
      to: '/recordings/$id',
      params: { id },
      search: (search) => ({ ...search, tab: undefined }),
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <Button look="quiet" onClick={open}>
      {data && (
        <span aria-hidden="true" className="text-ok-ink">
          ✓
        </span>
      )}
      {data ? 'Summarized' : isFetching ? 'Summarizing…' : 'Summarize'}
    </Button>
  )
}
