import type { UseQueryResult } from '@tanstack/react-query'
import type { AlertDelivery, DeliveryAttempt } from '../../contract/alerts/alert-delivery.ts'
import type { ResponseOf } from '../../contract/endpoints.ts'
import { ListNotes, TableSkeleton } from '../ui/list/list-notes.tsx'
import { Status } from '../ui/status.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { useNow } from '../ui/use-now.ts'
import { channelTypeNames, deliveryState, transitionNames } from '../format/alert.ts'
import { duration } from '../format/time.ts'

type DeliveryListProps = {
  query: UseQueryResult<ResponseOf<'deliveriesOfChannel'>>
  /** Id of the message that is shown with its requests and responses. */
  opened?: string | undefined
  /** Says why there are no messages. */
  empty: string
}

/** Lists messages, newest first; each opens to its requests and responses. */
export function DeliveryList({ query, opened, empty }: DeliveryListProps) {
  const deliveries = query.data?.results
  return (
    <ListNotes
      count={deliveries?.length}
      error={query.error}
      onRetry={() => void query.refetch()}
      loading={<TableSkeleton />}
      empty={<p className="text-ink-3">{empty}</p>}
    >
      <ul className="border-t border-line">
        {deliveries?.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} open={delivery.id === opened} />
        ))}
      </ul>
    </ListNotes>
  )
}

function Delivery({ delivery, open }: { delivery: AlertDelivery; open: boolean }) {
  const { channel, transition, incident, created_at: at, attempts, id } = delivery
  return (
    <li className="border-b border-line">
      <details open={open}>
        <summary className="flex flex-wrap items-baseline gap-x-3 py-1.5 hover:bg-hover">
          <span className="font-medium">{transitionNames[transition]}</span>
          <span className="min-w-0 text-ink-2 wrap-anywhere">
            {channelTypeNames[channel.type]} {channel.name}
            {channel.id === null && ' (deleted)'}
          </span>
          <DeliveryStatus delivery={delivery} />
          <span className="ml-auto text-ink-3">
            <RelativeTime time={at} />
          </span>
        </summary>
        <div className="flex flex-col gap-3 pb-3 pl-3">
          {incident && <p className="wrap-anywhere">{incident.title}</p>}
          <p className="text-xs text-ink-3">
            Message <code className="select-all">{id}</code>, the same in every attempt.
          </p>
          {attempts.length === 0 && <p className="text-ink-3">No request has been sent yet.</p>}
          {attempts.map((attempt, index) => (
            <Attempt key={attempt.at} attempt={attempt} number={index + 1} />
          ))}
        </div>
      </details>
    </li>
  )
}

function DeliveryStatus({ delivery }: { delivery: AlertDelivery }) {
  const text = useNow((now) => deliveryState(delivery, now).text)
  return (
    <output>
      <Status tone={deliveryState(delivery, 0).tone}>{text}</Status>
    </output>
  )
}

function Attempt({ attempt, number }: { attempt: DeliveryAttempt; number: number }) {
  const { at, duration_ms: took, request, response, error } = attempt
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <div>
      <h3 className="font-medium">
        Attempt {number}{' '}
        <span className="font-normal text-ink-3">
          <RelativeTime time={at} />, {duration(took)}
        </span>
      </h3>
      {error !== null && <p className="text-fail-ink wrap-anywhere">{error}</p>}
      <Block
        title="Request"
        text={[`${request.method} ${request.url}`, ...headers, '', request.body].join('\n')}
      />
      {response ? (
        <Block title="Response" text={`${response.status}\n${response.body}`} />
      ) : (
        <p className="mt-1 text-ink-3">No response.</p>
      )}
    </div>
  )
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <figure aria-label={title} className="mt-1">
      <figcaption className="text-xs text-ink-3">{title}</figcaption>
      <pre className="rounded-md border border-line bg-sunken px-2 py-1.5 whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
    </figure>
  )
}
