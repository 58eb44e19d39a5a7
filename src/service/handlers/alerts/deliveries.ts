import { AlertDelivery } from '../../../contract/alerts/alert-delivery.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { pageOfDeliveries, type DeliveryRow } from '../../store/alerts/alert-deliveries.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'
import { hiddenKinds } from '../hidden-kinds.ts'

export const deliveriesOfChannel: Handler<'deliveriesOfChannel'> = async (request) => {
  const { services, caller, alertChannel, query, link } = request
  const of = { channelId: alertChannel.id, hidden: hiddenKinds(caller) }
  const { count, rows } = await pageOfDeliveries(services.store, of, query)
  return { count, ...offsetLinks(link, query, count), results: rows.map(showDelivery) }
}

export const deliveriesOfIncident: Handler<'deliveriesOfIncident'> = async (request) => {
  const { services, caller, incident, query, link } = request
  const of = { incidentId: incident.id, hidden: hiddenKinds(caller) }
  const { count, rows } = await pageOfDeliveries(services.store, of, query)
  return { count, ...offsetLinks(link, query, count), results: rows.map(showDelivery) }
}

export function showDelivery(row: DeliveryRow): AlertDelivery {
  return shownAs(AlertDelivery, {
    ...row,
    incident: row.incident_id === null ? null : { id: row.incident_id, title: row.message.title },
    channel: { id: row.channel_id, name: row.channel_name, type: row.channel_type },
  })
}
