import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BatchExport, Model } from '../../../contract/exports/batch-export.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import type { Destination } from '../../../contract/destinations/destination.ts'
import { defaultPort } from '../../../contract/destinations/postgres.ts'
import { tableDefaults } from '../../../contract/destinations/tables/table-defaults.ts'
import { defaultBatchRows } from '../../../contract/destinations/webhook.ts'
import { settingLabel } from '../../../contract/exports/setting-label.ts'
import { useAccount } from '../../account.ts'
import { integrationsQuery } from '../../queries/exports/integrations.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { SettingValue } from '../history/setting-value.tsx'

/** Lists all settings of an export, in the order of its form. */
export function Configuration({ batchExport }: { batchExport: BatchExport }) {
  const { destination, model, hogql_query, interval, start_at, end_at } = batchExport
  const config = destination.config ?? {}
  const ofConfig = (name: string) => (
    <Setting key={name} field={`destination.config.${name}`} value={config[name]} none={emptyTexts[name]} />
  )
  return (
    <section aria-labelledby="configuration" className="flex flex-col gap-5">
      <h2 id="configuration" className="sr-only">
        Configuration
      </h2>
      <Group title="What">
        <Setting field="name" value={batchExport.name} />
        <Setting field="model" value={model} />
        <Setting field="hogql_query" value={hogql_query} none="none: all columns" />
        {fieldsOfModel[model].map(ofConfig)}
      </Group>
      <Group title="Where">
        <Setting field="destination.type" value={destination.type} />
        {destination.integration !== null && (
          <Row name={settingLabel('destination.integration')}>
            <ConnectionName id={destination.integration} />
          </Row>
        )}
        {fieldsOf(destination).map((name) =>
          destinationKinds[destination.type].secrets.includes(name) ? (
            <Row key={name} name={settingLabel(name)}>
              <span className="text-ink-3">stored encrypted, never shown</span>
            </Row>
          ) : (
            ofConfig(name)
          ),
        )}
      </Group>
      <Group title="When">
        <Setting field="interval" value={interval} />
        <Setting field="start_at" value={start_at} none="when it was created" />
        <Setting field="end_at" value={end_at} none="never" />
      </Group>
      <Group title="Details">
        <Row name="Created">
          <ShortTime time={batchExport.created_at} />
        </Row>
        <Row name="Last changed">
          <ShortTime time={batchExport.last_updated_at} />
        </Row>
        <Row name="Id">
          <code className="wrap-anywhere select-all">{batchExport.id}</code>
        </Row>
      </Group>
    </section>
  )
}

const fieldsOfModel: Record<Model, readonly string[]> = {
  events: ['include_events', 'exclude_events'],
  persons: [],
  recordings: ['include_blocks'],
}
const modelFields = Object.values(fieldsOfModel).flat()

/** What counts for a field without a value. */
const emptyTexts: Record<string, string> = {
  include_events: 'all',
  include_blocks: 'no',
  columns: 'all, as they are',
  prefix: 'none: at the top of the bucket',
  endpoint_url: 'AWS',
  encryption: 'the bucket’s default',
  file_format: 'JSONLines',
  max_file_size_mb: 'none: one file per window',
  use_virtual_style_addressing: 'no',
  ...tableDefaults,
  append_only: 'no',
  port: String(defaultPort),
  batch_size: String(defaultBatchRows),
}

/** Fields that only PostHog's clients send. */
const unshown: readonly string[] = ['legacy_parquet_extension', 'has_self_signed_cert']

function fieldsOf({ type, integration }: Destination): string[] {
  const { config, integration: used } = destinationKinds[type]
  const replaced = integration === null ? [] : (used?.replaces ?? [])
  const hidden = [...modelFields, ...unshown, ...replaced]
  return Object.keys(config.shape).filter((name) => !hidden.includes(name))
}

/** Names a connection, if the key can read it. */
function ConnectionName({ id }: { id: number }) {
  const { projectId } = useAccount()
  const { data } = useQuery(integrationsQuery(projectId))
  const name = data?.results.find((each) => each.id === id)?.display_name
  return <TextLink to="/settings/connections">{name ?? `Connection ${id}`}</TextLink>
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1.5 border-b border-line pb-1 font-semibold">{title}</h3>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] sm:grid-cols-[9.5rem_minmax(0,1fr)] gap-x-4 gap-y-1">
        {children}
      </dl>
    </div>
  )
}

type SettingProps = { field: string; value: unknown; none?: string | undefined }

function Setting({ field, value, none = 'none' }: SettingProps) {
  return (
    <Row name={settingLabel(field)} isLong={field === 'hogql_query' && value !== ''}>
      <SettingValue field={field} value={value} none={none} />
    </Row>
  )
}

/** A setting's name and value; on narrow pages, a long value is below its name. */
function Row({ name, isLong = false, children }: { name: string; isLong?: boolean; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className={`min-w-0 wrap-anywhere ${isLong ? 'max-sm:col-span-2' : ''}`}>{children}</dd>
    </>
  )
}
