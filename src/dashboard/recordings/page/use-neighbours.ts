import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RecordingListQuery } from '../../../contract/recording-filter.ts'
import { neighboursQuery } from '../../queries/recording.ts'

export type ListPlace = {
  /** The list that somebody came from: its address after the question mark. */
  list?: string | undefined
  /** The recording's row in it, counted from 0. */
  row?: number | undefined
}

const noList = 'Open a recording from the list to go from one to the next.'

/** The recordings before and after one in the list that somebody came from, and where it stands there. */
export function useNeighbours(projectId: string, id: string, { list = '', row }: ListPlace) {
  const navigate = useNavigate()
  const { data } = useQuery({
    ...neighboursQuery(projectId, filterIn(list), row ?? 0),
    enabled: row !== undefined,
  })
  const rows = data?.results ?? []
  const index = rows.findIndex((recording) => recording.id === id)
  const first = Math.max(0, (row ?? 0) - 10)
  const wayTo = (by: 1 | -1, atTheEnd: string) => {
    const other = index === -1 ? undefined : rows[index + by]
    return {
      reason: other ? null : row === undefined ? noList : atTheEnd,
      go: () => {
        if (!other) return
        const search = { list: list || undefined, row: first + index + by }
        void navigate({ to: '/recordings/$id', params: { id: other.id }, search })
      },
    }
  }
  return {
    next: wayTo(1, 'This is the last of the list.'),
    previous: wayTo(-1, 'This is the first of the list.'),
    /** From 1; null when it is not known. */
    position: index === -1 || !data ? null : { place: first + index + 1, of: data.count },
  }
}

/** What of the list's address the service filters and sorts by. */
function filterIn(list: string): object {
  const given = new URLSearchParams(list)
  const names = Object.keys(RecordingListQuery.shape).filter((name) => !['limit', 'offset'].includes(name))
  return Object.fromEntries(names.map((name) => [name, given.get(name) ?? undefined]))
}
