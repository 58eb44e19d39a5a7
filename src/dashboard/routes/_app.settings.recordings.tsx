import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Loaded } from '../ui/list/list-notes.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { type ReactNode, useState } from 'react'
import { RecordingSettings, assetSources } from '../../contract/recordings/recording-settings.ts'
import { recordingCan } from '../../contract/recordings/recording-rules.ts'
import { useAccount } from '../account.ts'
import { Icon } from '../ui/icon.tsx'
import { Switch } from '../ui/controls/switch.tsx'
import { toast, toastFailure } from '../ui/feedback/toasts.ts'
import { Button } from '../ui/controls/button.tsx'
import { SelectField, TextareaField } from '../ui/controls/field.tsx'
import { counted } from '../format/amount.ts'
import { hostsIn } from '../recordings/settings/hosts-in.ts'
import { Form } from '../ui/controls/form.tsx'
import { call } from '../api/call.ts'
import { endpointQuery } from '../queries/endpoint-query.ts'

export const Route = createFileRoute('/_app/settings/recordings')({
  loader: ({ context: { queryClient, projectId } }) => {
    void queryClient.prefetchQuery(recordingSettingsQuery(projectId))
  },
  component: RecordingSettingsPage,
})

function RecordingSettingsPage() {
  const { projectId } = Route.useRouteContext()
  return (
    <>
      <PageHeader title="Recording settings" />
      <p className="mt-1 mb-6 max-w-160 text-ink-2">
        What is recorded on the sites of this project, besides the page itself. A change applies to pages that
        visitors open from now on; recordings that exist stay as they are. Options that a site passes to{' '}
        <code>posthog.init</code> take precedence.
      </p>
      <Loaded query={useQuery(recordingSettingsQuery(projectId))}>
        {(settings) => <RecordingSettingsForm settings={settings} />}
      </Loaded>
    </>
  )
}

/** Each setting that a switch changes, with its risk or limit. */
const switched = {
  page_state: {
    label: 'Page state and local images',
    hint: 'Records whether the visitor prefers light or dark, and which contrast, open dialogs and popovers, animations and fonts of scripts, the target of the address, and images that only the page has. Adds at most 3 kB (compressed) to the recorder.',
    warning:
      'A local image can be what a visitor uploads. Not recorded on sites that bundle the recorder, or check its integrity.',
  },
  canvas: {
    label: 'Canvas elements',
    hint: 'Records charts, maps and games that a page draws, as up to 3 pictures a second. Recordings become larger.',
    warning: 'Text in a canvas cannot be masked.',
  },
  network_headers: {
    label: 'Headers of requests and responses',
    hint: 'Authorization, cookies, tokens and passwords are redacted before headers are stored.',
    warning:
      'Headers with other names can contain secrets and the visitor’s identity; they are stored as sent.',
  },
  network_bodies: {
    label: 'Bodies of requests and responses',
    hint: 'Fields named as a token or a password are redacted before bodies are stored.',
    warning:
      'Bodies can contain whatever visitors enter or see: names, addresses, messages, payments. Anyone who can watch a recording can read them.',
  },
}

/** The recording settings of the project. Switches and choices are saved at once, the list of hosts by a button. */
function RecordingSettingsForm({ settings }: { settings: RecordingSettings }) {
  const { projectId, scopes } = useAccount()
  const { mutate } = useChangeRecordingSettings(projectId)
  const reason = recordingCan.change(scopes)
  const change: SettingProps['change'] = (changes, done) => {
    const names = Object.keys(changes) as (keyof RecordingSettings)[]
    const before = Object.fromEntries(names.map((name) => [name, settings[name]]))
    const undo = () => mutate(before, { onError: toastFailure('The change could not be undone.') })
    mutate(changes, {
      onSuccess: () => toast(done, { undo }),
      onError: toastFailure('The settings could not be saved.'),
    })
  }
  const saving = { settings, reason, change }
  return (
    <div className="flex max-w-160 flex-col gap-8">
      {reason !== null && (
        <p className="text-ink-2">You can see these settings but not change them: {reason}</p>
      )}
      <Group title="Page">
        <Setting {...saving} name="page_state" />
        <Setting {...saving} name="canvas" />
      </Group>
      <Group title="Network">
        <p className="text-ink-2">
          The method, address, status, size and timing of each request are always recorded.
        </p>
        <Setting {...saving} name="network_headers" />
        <Setting {...saving} name="network_bodies" />
      </Group>
      <Group title="Images, fonts and style sheets">
        <AssetSettings {...saving} key={settings.asset_hosts.join(' ')} />
      </Group>
    </div>
  )
}

type SettingProps = {
  settings: RecordingSettings
  /** Why the settings cannot be changed; null if they can be. */
  reason: string | null
  /** Changes settings, reports `done`, and offers to undo the change. */
  change: (changes: Partial<RecordingSettings>, done: string) => void
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h2 className="border-b border-line pb-1.5 text-lg">{title}</h2>
      {children}
    </section>
  )
}

function Setting({ settings, reason, change, name }: SettingProps & { name: keyof typeof switched }) {
  const { label, hint, warning } = switched[name]
  const toggle = (on: boolean) => change({ [name]: on }, `${label}: ${on ? 'recorded' : 'not recorded'}.`)
  return (
    <div className="flex gap-3">
      <Switch label={label} on={settings[name]} reason={reason} onChange={toggle} />
      <div className="min-w-0">
        <div className="font-medium">{label}</div>
        <p className="text-ink-2">{hint}</p>
        <p className="flex gap-1.5 text-short-ink">
          <span className="pt-0.5">
            <Icon name="alert" />
          </span>
          {warning}
        </p>
      </div>
    </div>
  )
}

const choices = { any: 'From any public host', listed: 'Only from listed hosts', off: 'Never' } as const

/** Chooses the hosts from which the service may fetch assets. */
function AssetSettings({ settings, reason, change }: SettingProps) {
  const { assets, asset_hosts: saved } = settings
  const [text, setText] = useState(saved.join('\n'))
  const hosts = hostsIn(text)
  const error = hostsError(hosts)
  const isChanged = hosts.join() !== saved.join()
  const save = () =>
    error === undefined && change({ asset_hosts: hosts }, `${counted(hosts.length, 'host')} listed.`)
  return (
    <>
      <p className="text-ink-2">
        A recording contains only the addresses of a page’s images and fonts, and of some of its style sheets.
        The service fetches each file once, without cookies and never from a private network, so that replays
        keep looking as the visitor saw the page.
      </p>
      <SelectField
        label="Fetch"
        value={assets}
        disabled={reason !== null}
        onChange={(event) => {
          const chosen = assetSources.find((source) => source === event.target.value)
          if (chosen) change({ assets: chosen }, `Fetch: ${choices[chosen].toLowerCase()}.`)
        }}
      >
        {assetSources.map((source) => (
          <option key={source} value={source}>
            {choices[source]}
          </option>
        ))}
      </SelectField>
      {assets === 'listed' && (
        <Form className="flex flex-col gap-2" onSubmit={save}>
          <TextareaField
            label="Hosts"
            value={text}
            disabled={reason !== null}
            error={error}
            hint={`One per line. ${hosts.length === 0 ? 'Nothing is fetched until a host is listed.' : 'A host does not include its subdomains.'}`}
            onChange={(event) => setText(event.target.value)}
          />
          {isChanged && (
            <div>
              <Button type="submit" reason={reason}>
                Save hosts
              </Button>
            </div>
          )}
        </Form>
      )}
    </>
  )
}

/** Returns the reason why the hosts cannot be saved; undefined if they can be. */
function hostsError(hosts: readonly string[]): string | undefined {
  const issue = RecordingSettings.shape.asset_hosts.safeParse(hosts).error?.issues[0]
  const host = hosts[Number(issue?.path[0])]
  return issue && host !== undefined ? `${host}: ${issue.message}` : issue?.message
}

/** What posthog-js records on a project's sites. */
function recordingSettingsQuery(projectId: string) {
  return endpointQuery('getRecordingSettings', { params: { project_id: projectId } })
}

/** Changes a project's recording settings optimistically: the page changes at once, and changes back if the request fails. */
function useChangeRecordingSettings(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = recordingSettingsQuery(projectId)
  return useMutation({
    mutationFn: (body: Partial<RecordingSettings>) =>
      call('updateRecordingSettings', { params: { project_id: projectId }, body }),
    onMutate: (changes) => {
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, before && { ...before, ...changes })
      return before
    },
    onSuccess: (settings) => client.setQueryData(queryKey, settings),
    onError: (_error, _changes, before) => client.setQueryData(queryKey, before),
  })
}
