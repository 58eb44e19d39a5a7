import { useDeferredValue, useMemo, useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { bytes, counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { saveFile } from '../../ui/save-file.ts'
import { MomentList } from '../moments/moment-list.tsx'
import { usePlayer, type Player } from '../player/player.ts'
import { RequestDetails } from './request-details.tsx'
import {
  requestName,
  requestRows,
  selectRequests,
  statusWord,
  type RequestOrder,
  type RequestRow,
  type RequestType,
} from './request-rows.ts'
import { requestsAsHar } from './requests-as-har.ts'

const orders: readonly (readonly [RequestOrder, string])[] = [
  ['failed', 'failed first'],
  ['time', 'in order'],
  ['duration', 'slowest first'],
  ['size', 'largest first'],
]
const types: readonly (readonly [RequestType, string])[] = [
  ['all', 'all'],
  ['failed', 'failed'],
  ['fetch', 'fetch'],
  ['document', 'pages'],
  ['script', 'scripts'],
  ['style', 'styles'],
  ['image', 'images'],
  ['other', 'other'],
]

type NetworkTabProps = { recordingId: string; pageUrl: string; player: Player }

/** The requests of the recorded page, failed ones first. */
export function NetworkTab({ recordingId, pageUrl, player }: NetworkTabProps) {
  const marks = usePlayer(player, (state) => state.marks)
  const [type, setType] = useState<RequestType>('all')
  const [order, setOrder] = useState<RequestOrder>('failed')
  const [search, setSearch] = useState('')
  const deferredSearch = useDeferredValue(search)
  const all = useMemo(() => requestRows(marks), [marks])
  const rows = useMemo(
    () => selectRequests(all, { type, order, search: deferredSearch }),
    [all, type, order, deferredSearch],
  )
  const pageHost = URL.parse(pageUrl)?.host ?? ''
  const failed = all.filter(({ request }) => request.hasFailed).length
  const download = () => {
    const har = JSON.stringify(requestsAsHar(rows.map(({ request }) => request)))
    saveFile(`${recordingId}.har`, new Blob([har], { type: 'application/json' }))
  }
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex flex-col gap-2 border-b border-line p-2.5">
        <SearchField label="Search URL, method or status" value={search} onSearch={setSearch} />
        <div className="flex flex-wrap gap-1.5">
          <SelectChip label="Show" value={type} choices={types} onChange={setType} />
          <SelectChip label="Sort" value={order} choices={orders} onChange={setOrder} />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-1.5">
          <output className="text-xs text-ink-2">
            {counted(rows.length, 'request')}, {failed} failed in total
          </output>
          <Button
            look="quiet"
            reason={rows.length === 0 ? 'There are no requests to download.' : null}
            onClick={download}
          >
            Download HAR
          </Button>
        </div>
      </div>
      {rows.length > 0 && (
        <MomentList
          label="Requests"
          rows={rows}
          player={player}
          isChronological={order === 'time'}
          title={({ request }) => request.url}
          renderDetails={({ request }) => <RequestDetails request={request} />}
        >
          {(row) => <Request row={row} pageHost={pageHost} />}
        </MomentList>
      )}
      {all.length === 0 && (
        <EmptyState title="No requests recorded">
          <p>The page sent none, or its recorder did not record requests.</p>
        </EmptyState>
      )}
      {all.length > 0 && rows.length === 0 && (
        <EmptyState title="No matches">
          <p>No request matches.</p>
        </EmptyState>
      )}
    </div>
  )
}

function Request({ row: { at, request, bar }, pageHost }: { row: RequestRow; pageHost: string }) {
  const { hasFailed, method, url, duration, size } = request
  return (
    <>
      <span className="w-9 shrink-0 font-mono text-xs text-ink-3">{clockTime(at)}</span>
      <span
        className={`w-8 shrink-0 font-mono text-xs ${hasFailed ? 'font-medium text-fail-ink' : 'text-ink-2'}`}
      >
        {statusWord(request)}
      </span>
      <span className={`min-w-0 flex-1 truncate ${hasFailed ? 'font-medium text-fail-ink' : ''}`}>
        {hasFailed && <span className="sr-only">Failed: </span>}
        {method ?? 'GET'} {requestName(url, pageHost)}
      </span>
      <span className="w-16 shrink-0 text-right text-xs text-ink-2 tabular-nums @max-[480px]:hidden">
        {size === null ? '' : bytes(size)}
      </span>
      <span className="w-16 shrink-0 text-right text-xs text-ink-2 tabular-nums @max-[480px]:sr-only">
        {duration === null ? '' : `${Math.round(duration)} ms`}
      </span>
      <span aria-hidden="true" className="relative h-2.5 w-14 shrink-0 @min-[481px]:w-40">
        <span
          className={`absolute inset-y-0 min-w-0.5 rounded-xs ${hasFailed ? 'bg-fail' : 'bg-run'}`}
          style={{ left: `${bar.start * 98}%`, width: `${Math.min(bar.width, 1 - bar.start) * 100}%` }}
        />
      </span>
    </>
  )
}
