import type { Headers, NetworkRequest } from '../../../replay/recorded/network-request.ts'
import { Button } from '../../ui/controls/button.tsx'
import { copyText } from '../../ui/feedback/copy-text.ts'
import { bytes } from '../../format/amount.ts'
import { requestAsCurl } from './request-as-curl.ts'
import { statusWord } from './request-rows.ts'

/** Everything recorded about a request; its secrets are replaced. */
export function RequestDetails({ request }: { request: NetworkRequest }) {
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
