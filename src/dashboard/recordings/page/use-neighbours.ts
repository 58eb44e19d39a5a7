import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { neighboursQuery } from '../../queries/recordings/recording.ts'

/** `list`: query string of the list that led here, without the question mark; `row`: the recording's index in it, from 0. */
export type ListPlace = { list?: string | undefined; row?: number | undefined }

const noList = 'Open a recording from the list to move to the next or previous one.'

/** Finds the previous and next recording in the list that led here, and the recording's position in that list. */
export function useNeighbours(projectId: string, id: string, { list = '', row }: ListPlace) {
  const navigate = useNavigate()
  const { data } = useQuery({
    ...neighboursQuery(projectId, list, row ?? 0),
    enabled: row !== undefined,
  })
  const rows = data?.results ?? []
  const index = rows.findIndex((recording) => recording.id === id)
  const first = Math.max(0, (row ?? 0) - 10)
  const neighbour = (by: 1 | -1, endReason: string) => {
    const other = index === -1 ? undefined : rows[index + by]
    return {
      reason: other ? null : row === undefined ? noList : endReason,
      run: () => {
        if (!other) return
        const place = { list: list || undefined, row: first + index + by }
        void navigate({
          to: '/recordings/$id',
          params: { id: other.id },
          search: ({ tab, show }) => ({ tab, show, ...place }),
        })
      },
    }
  }
  return {
    next: neighbour(1, 'This is the last recording in the list.'),
    previous: neighbour(-1, 'This is the first recording in the list.'),
    /** `place` counts from 1; null when unknown. */
    position: index === -1 || !data ? null : { place: first + index + 1, of: data.count },
  }
}
