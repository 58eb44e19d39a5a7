import type { ColumnType, Generated } from 'kysely'
import type { ChannelType } from '../../../contract/alerts/alert-channel.ts'
import type { DeliveryAttempt, DeliveryStatus } from '../../../contract/alerts/alert-delivery.ts'
import type { Transition } from '../../../contract/alerts/alert-incident.ts'
import type { AlertKind } from '../../../contract/alerts/alert-rule.ts'

/** A rule of an export, of a project or, with neither, of an organization. */
export type AlertRulesTable = {
  id: string
  organization_id: string
  project_id: number | null
  batch_export_id: string | null
  kind: AlertKind
  enabled: boolean
  /** Null: all channels of the project. */
  channels: string[] | null
  remind_minutes: number
  late_minutes: number | null
  /** Label of the key that created the rule. */
  actor: string
  created_at: Date
  last_updated_at: Date
}

export type AlertChannelsTable = {
  id: string
  project_id: number
  name: string
  type: ChannelType
  enabled: boolean
  origin: string | null
  recipients: string[]
  /** The URL and the signing secret, sealed. */
  secrets: Buffer | null
  /** Whether the key that chose the receiver could read recordings. */
  recording_alerts: boolean
  actor: string
  created_at: Date
  last_updated_at: Date
}

export type IncidentsTable = {
  id: string
  project_id: number
  kind: AlertKind
  cause: string
  /** Empty if the cause lies at no destination. */
  destination: string
  detail: string
  opened_at: Date
  recovered_at: Date | null
  /** When its channels were last notified. */
  notified_at: Date
  acknowledged_at: Generated<Date | null>
  acknowledged_by: Generated<string | null>
  muted_until: Generated<Date | null>
  muted_by: Generated<string | null>
  last_updated_at: Date
}

/** What a message says, stored before it is sent, so that every attempt sends the same. */
export type AlertMessage = {
  title: string
  detail: string
  project: { id: number; name: string }
  /** Null for a test. */
  incident: {
    id: string
    kind: AlertKind
    destination: string | null
    exports: { id: string; name: string }[]
    export_count: number
    opened_at: string
    recovered_at: string | null
  } | null
  /** Path of the page with the fix. */
  path: string
  at: string
}

export type AlertDeliveriesTable = {
  id: string
  project_id: number
  channel_id: string | null
  channel_name: string
  channel_type: ChannelType
  incident_id: string | null
  transition_id: string | null
  transition: Transition | 'test'
  /** Written as JSON text, like `attempts`. */
  message: ColumnType<AlertMessage, string, never>
  status: DeliveryStatus
  attempts: ColumnType<DeliveryAttempt[], string | undefined, never>
  created_at: Date
  next_attempt_at: Date | null
  claimed_until: Generated<Date | null>
  finished_at: Generated<Date | null>
}

export type AlertTables = {
  alert_rules: AlertRulesTable
  alert_channels: AlertChannelsTable
  alert_watch: { evaluated_at: Date; watching_since: Date; warehouse_at: Date }
  incidents: IncidentsTable
  incident_exports: { incident_id: string; batch_export_id: string; since: Date; until: Date | null }
  incident_transitions: { id: string; incident_id: string; transition: Transition; at: Date }
  alert_deliveries: AlertDeliveriesTable
}
