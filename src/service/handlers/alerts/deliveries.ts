import { AlertDelivery } from '../../../contract/alerts/alert-delivery.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { pageOfDeliveries, type DeliveryRow } from '../../store/alerts/alert-deliveries.ts'
import type { ApiRequest, Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'
import { hiddenKinds } from '../hidden-kinds.ts'

export const deliveriesOfChannel: Handler<'deliveriesOfChannel'> = (request) =>
  deliveriesOf(request, { channelId: request.alertChannel.id })

export const deliveriesOfIncident: Handler<'deliveriesOfIncident'> = (request) =>
  deliveriesOf(request, { incidentId: request.incident.id })

async function deliveriesOf(
  {
    services,
    caller,
    query,
    link,
  }: Pick<ApiRequest<'deliveriesOfChannel'>, 'services' | 'caller' | 'query' | 'link'>,
  of: { channelId: string } | { incidentId: string },
) {
  const listed = { ...of, hidden: hiddenKinds(caller) }
  const { count, rows } = await pageOfDeliveries(services.store, listed, query)
  return { count, ...offsetLinks(link, query, count), results: rows.map(showDelivery) }
}

export function showDelivery(row: DeliveryRow): AlertDelivery {
  return shownAs(AlertDelivery, {
    ...row,
    incident: row.incident_id === null ? null : { id: row.incident_id, title: row.message.title },
    channel: { id: row.channel_id, name: row.channel_name, type: row.channel_type },
  })
}
