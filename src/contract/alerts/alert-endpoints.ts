import { z } from 'zod'
import {
  AlertChannel,
  AlertChannelInput,
  AlertChannels,
  AlertChannelUpdate,
  CreatedAlertChannel,
} from './alert-channel.ts'
import { AlertDelivery } from './alert-delivery.ts'
import {
  Incident,
  IncidentAcknowledgement,
  IncidentMute,
  Incidents,
  IncidentsQuery,
} from './alert-incident.ts'
import { AlertRule, AlertRuleInput, AlertRuleUpdate } from './alert-rule.ts'
import type { Endpoint } from '../endpoint.ts'
import { longListQuery, offsetPage, offsetQuery } from '../page.ts'

const base = '/api/projects/:project_id/'
const project = { project: 'project_id' } as const
const rule = { ...project, alertRule: 'id' } as const
const channel = { ...project, alertChannel: 'id' } as const
const incident = { ...project, incident: 'id' } as const
const read = 'batch_export:read'
const write = 'batch_export:write'
const page = offsetQuery(100)
const longPage = longListQuery(100)

const rules = `${base}alert_rules/`
const channels = `${base}alert_channels/`
const incidents = `${base}incidents/`

/** The endpoints of alerts: rules, channels, incidents and deliveries. */
// prettier-ignore
export const alertEndpoints = {
  listAlertRules:      { method: 'GET',    path: rules,                          loads: project,  scope: read,  query: page, status: 200, response: offsetPage(AlertRule), summary: 'List the rules: the default of each kind, then those that replace it' },
  createAlertRule:     { method: 'POST',   path: rules,                          loads: project,  scope: write, body: AlertRuleInput, status: 201, response: AlertRule, summary: 'Replace the default rule of a kind for an export, the project or all projects of the organization' },
  getAlertRule:        { method: 'GET',    path: `${rules}:id/`,                 loads: rule,     scope: read,  status: 200, response: AlertRule, summary: 'Retrieve a rule' },
  updateAlertRule:     { method: 'PATCH',  path: `${rules}:id/`,                 loads: rule,     scope: write, body: AlertRuleUpdate, status: 200, response: AlertRule, summary: 'Change a rule' },
  deleteAlertRule:     { method: 'DELETE', path: `${rules}:id/`,                 loads: rule,     scope: write, status: 204, response: z.null(), summary: 'Delete a rule, so that the one it replaced applies again' },
  listAlertChannels:   { method: 'GET',    path: channels,                       loads: project,  scope: read,  query: page, status: 200, response: AlertChannels, summary: 'List the channels by name' },
  createAlertChannel:  { method: 'POST',   path: channels,                       loads: project,  scope: write, body: AlertChannelInput, status: 201, response: CreatedAlertChannel, summary: 'Create a channel' },
  getAlertChannel:     { method: 'GET',    path: `${channels}:id/`,              loads: channel,  scope: read,  status: 200, response: AlertChannel, summary: 'Retrieve a channel' },
  updateAlertChannel:  { method: 'PATCH',  path: `${channels}:id/`,              loads: channel,  scope: write, body: AlertChannelUpdate, status: 200, response: AlertChannel, summary: 'Change a channel' },
  deleteAlertChannel:  { method: 'DELETE', path: `${channels}:id/`,              loads: channel,  scope: write, status: 204, response: z.null(), summary: 'Delete a channel; its deliveries stay under their incidents' },
  testAlertChannel:    { method: 'POST',   path: `${channels}:id/test/`,         loads: channel,  scope: write, body: z.strictObject({}), status: 201, response: AlertDelivery, summary: 'Send a test message in the same way as an alert' },
  deliveriesOfChannel: { method: 'GET',    path: `${channels}:id/deliveries/`,   loads: channel,  scope: read,  query: longPage, status: 200, response: offsetPage(AlertDelivery), summary: 'List the messages to a channel with their requests and responses, newest first' },
  listIncidents:       { method: 'GET',    path: incidents,                      loads: project,  scope: read,  query: IncidentsQuery, status: 200, response: Incidents, summary: 'List incidents, newest first' },
  getIncident:         { method: 'GET',    path: `${incidents}:id/`,             loads: incident, scope: read,  status: 200, response: Incident, summary: 'Retrieve an incident' },
  acknowledgeIncident: { method: 'POST',   path: `${incidents}:id/acknowledge/`, loads: incident, scope: write, body: IncidentAcknowledgement, status: 200, response: Incident, summary: 'Acknowledge an open incident, which ends its reminders, or withdraw the acknowledgement' },
  muteIncident:        { method: 'POST',   path: `${incidents}:id/mute/`,        loads: incident, scope: write, body: IncidentMute, status: 200, response: Incident, summary: 'Mute the reminders of an open incident until a given time' },
  deliveriesOfIncident: { method: 'GET',   path: `${incidents}:id/deliveries/`,  loads: incident, scope: read,  query: longPage, status: 200, response: offsetPage(AlertDelivery), summary: 'List the messages about an incident, newest first' },
} as const satisfies Record<string, Endpoint>
