import { useMemo, useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { bytes, counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { saveFile } from '../../ui/save-file.ts'
import { SearchableMoments } from '../moments/moment-list.tsx'
import { usePlayer, type Player } from '../player/player.ts'
import {
  requestName,
  requestOrders,
  requestRows,
  requestTypes,
  selectRequests,
  statusWord,
  type RequestFilter,
  type RequestRow,
} from './request-rows.ts'
import { requestAsCurl, requestsAsHar } from './request-copies.ts'
import type { Headers, NetworkRequest } from '../../../replay/recorded/network-request.ts'
import type { WatchedRecording } from '../../../contract/recordings/session-recording.ts'
import { copyText } from '../../ui/feedback/toasts.ts'

/** The requests of the recorded page, failed ones first. */
export function NetworkTab({ recording, player }: { recording: WatchedRecording; player: Player }) {
  const marks = usePlayer(player, (state) => state.marks)
  const [filter, setFilter] = useState<RequestFilter>({ type: 'all', order: 'failed' })
  const { type, order } = filter
  const all = useMemo(() => requestRows(marks), [marks])
  const pageHost = URL.parse(recording.start_url)?.host ?? ''
  const failed = all.filter(({ request }) => request.hasFailed).length
  const download = (rows: readonly RequestRow[]) => {
    const har = JSON.stringify(requestsAsHar(rows.map(({ request }) => request)))
    saveFile(`${recording.id}.har`, new Blob([har], { type: 'application/json' }))
  }
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <SearchableMoments
        label="Requests"
        searchLabel="Search URL, method or status"
        all={all}
        select={selectRequests}
        filter={filter}
        renderControls={(rows) => (
          <>
            <div className="flex flex-wrap gap-1.5">
              <SelectChip
                label="Show"
                value={type}
                choices={requestTypes}
                onChange={(type) => setFilter({ type, order })}
              />
              <SelectChip
                label="Sort"
                value={order}
                choices={requestOrders}
                onChange={(order) => setFilter({ type, order })}
              />
            </div>
            <div className="flex flex-wrap items-center justify-between gap-1.5">
              <output className="text-xs text-ink-2">
                {counted(rows.length, 'request')}, {failed} failed in total
              </output>
              <Button
                look="quiet"
                reason={rows.length === 0 ? 'There are no requests to download.' : null}
                onClick={() => download(rows)}
              >
                Download HAR
              </Button>
            </div>
          </>
        )}
        player={player}
        isChronological={order === 'time'}
        title={({ request }) => request.url}
        renderDetails={({ request }) => <RequestDetails request={request} />}
        empty={
          <EmptyState title="No requests recorded">
            <p>The page sent none, or its recorder did not record requests.</p>
          </EmptyState>
        }
        noMatch="No request matches."
      >
        {(row) => <Request row={row} pageHost={pageHost} />}
      </SearchableMoments>
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

/** Everything recorded about a request; its secrets are replaced. */
function RequestDetails({ request }: { request: NetworkRequest }) {
  const { url, method, duration, size, initiator, phases } = request
  const { requestHeaders, responseHeaders, requestBody, responseBody } = request
  const curl = requestAsCurl(request)
  const wait = phases?.responseStart
  const parts = [requestHeaders, responseHeaders, requestBody, responseBody]
  return (
    <section
      aria-label="Request"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- lets keyboard users scroll it
      tabIndex={0}
      className="flex max-h-1/2 shrink-0 flex-col gap-2 overflow-auto border-t border-line p-3"
    >
      <p className="font-medium wrap-anywhere">
        {method ?? 'GET'} {url}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs">
        <Fact name="Status" value={statusWord(request)} />
        <Fact name="Type" value={initiator} />
        <Fact name="Duration" value={duration === null ? '' : `${Math.round(duration)} ms`} />
        <Fact name="First byte" value={wait === undefined ? '' : `after ${Math.round(wait)} ms`} />
        <Fact name="Size" value={size === null ? '' : bytes(size)} />
      </dl>
      <HeaderList title="Request headers" headers={requestHeaders} />
      <Body title="Request body" text={requestBody} />
      <HeaderList title="Response headers" headers={responseHeaders} />
      <Body title="Response body" text={responseBody} />
      {parts.every((part) => part === null) && (
        <p className="text-xs text-ink-3">Headers and bodies were not recorded.</p>
      )}
      <div>
        <Button
          reason={curl === null ? 'Not an HTTP request.' : null}
          onClick={() => curl && void copyText(curl, 'Copied as curl. Secrets are replaced by [redacted].')}
        >
          Copy as curl
        </Button>
      </div>
    </section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  if (value === '') return null
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="wrap-anywhere">{value}</dd>
    </>
  )
}

function HeaderList({ title, headers }: { title: string; headers: Headers | null }) {
  if (headers === null) return null
  return (
    <details>
      <summary className="text-ink-2">
        {title} ({Object.keys(headers).length})
      </summary>
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3 gap-y-0.5 pt-1 text-xs">
        {Object.entries(headers).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    </details>
  )
}

function Body({ title, text }: { title: string; text: string | null }) {
  if (text === null) return null
  return (
    <details>
      <summary className="text-ink-2">{title}</summary>
      <pre className="pt-1 text-xs wrap-anywhere whitespace-pre-wrap">{indented(text)}</pre>
    </details>
  )
}

/** Indents JSON; returns other text unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
