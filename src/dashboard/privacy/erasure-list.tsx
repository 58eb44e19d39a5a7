import { useQuery } from '@tanstack/react-query'
import type { PersonErasure } from '../../contract/privacy/person-erasure.ts'
import { useAccount } from '../account.ts'
import { count } from '../format/amount.ts'
import { endpointQuery } from '../queries/endpoint-query.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { DataTable, type Column } from '../ui/list/data-table.tsx'
import { Section } from '../ui/section.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { ErasureStatus } from './erasure-status.tsx'

/** The persons that were erased, newest first, with their certificates. */
export function ErasureList() {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery({
    ...endpointQuery('listPersonErasures', { params: { project_id: projectId } }),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ finished_at }) => finished_at === null) ? 2000 : false,
  })
  return (
    <Section
      title="Erased persons"
      aside={
        data && data.count > data.results.length && `newest ${data.results.length} of ${count(data.count)}`
      }
    >
      <DataTable
        caption="Erased persons, newest first"
        columns={columns}
        rows={data?.results}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="Nobody was erased">
            The page of a person has the button “Erase person”. It deletes the person’s data, and gives you a
            certificate.
          </EmptyState>
        }
      />
    </Section>
  )
}

const columns: Column<PersonErasure>[] = [
  {
    header: 'Erased',
    fills: true,
    cell: ({ id, created_at, by }) => (
      <>
        <TextLink to="/erasures/$id" params={{ id }}>
          <RelativeTime time={created_at} />
        </TextLink>{' '}
        <span className="text-ink-3">by {by}</span>
      </>
    ),
  },
  { header: 'State', cell: (erasure) => <ErasureStatus erasure={erasure} /> },
  {
    header: 'Events',
    end: true,
    hiddenBelow: 'sm',
    cell: ({ counts }) => (counts ? count(counts.events) : '–'),
  },
  {
    header: 'Recordings',
    end: true,
    hiddenBelow: 'sm',
    cell: ({ counts }) => (counts ? count(counts.recordings) : '–'),
  },
]
