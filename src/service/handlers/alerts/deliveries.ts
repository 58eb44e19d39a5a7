import { AlertDelivery } from '../../../contract/alerts/alert-delivery.ts'
import { pageOfDeliveries, type DeliveryRow } from '../../store/alerts/alert-deliveries.ts'
import { positionOf, showOffsetPage } from '../cursor-page.ts'
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
  const page = await pageOfDeliveries(services.store, listed, { ...query, position: positionOf(query) })
  return showOffsetPage(page, { link, query }, showDelivery)
}

export function showDelivery(row: DeliveryRow): AlertDelivery {
  return shownAs(AlertDelivery, {
    ...row,
    incident: row.incident_id === null ? null : { id: row.incident_id, title: row.message.title },
    channel: { id: row.channel_id, name: row.channel_name, type: row.channel_type },
  })
}
